package io.spindrift.bdev;

import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.BdevModule;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/// A registered block device. Any thread may read it; the registry changes it.
public final class Bdev {
    private static final VarHandle NUM_BLOCKS;

    static {
        try {
            NUM_BLOCKS = MethodHandles.lookup().findVarHandle(Bdev.class, "numBlocks", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Where a device is in its life.
    enum State {
        READY, REMOVING, REMOVED
    }

    private final BdevRegistry registry;
    private final BdevModule module;
    private final BdevBackend backend;
    private final String name;
    private final String productName;
    private final UUID uuid;
    private final List<String> aliases;
    private final BdevGeometry geometry;
    private final int supported;
    final CopyOnWriteArrayList<BdevDescriptor> descriptors = new CopyOnWriteArrayList<>();
    final ResetQueue resets;
    final RangeLocks locks;
    /// Opaque but for the read of each submit (see [#currentBlocks()]): a resize shows with the next I/O or the one
    /// after, and orders nothing.
    private long numBlocks;
    volatile State state = State.READY;
    /// Open until its removal has ended, well or not.
    final CountDownLatch removed = new CountDownLatch(1);
    volatile Claim claim = Claim.NONE;

    /// Who has claimed a device, and how.
    record Claim(ClaimType type, String module) {
        static final Claim NONE = new Claim(ClaimType.NONE, "");
    }

    Bdev(BdevRegistry registry, BdevModule module, BdevBackend backend, BdevRegistration registration, UUID uuid,
            List<String> aliases) {
        this.registry = registry;
        this.module = module;
        this.backend = backend;
        this.name = registration.name();
        this.productName = registration.productName();
        this.uuid = uuid;
        this.aliases = List.copyOf(aliases);
        this.geometry = registration.geometry();
        this.numBlocks = registration.numBlocks();
        this.resets = new ResetQueue(this, registry.reactors().appThread());
        this.locks = new RangeLocks(this, registry.reactors().appThread());
        int types = 0;
        for (int type = 0; type < BdevIoType.COUNT; type++) {
            types |= backend.supports(type) ? 1 << type : 0;
        }
        this.supported = types;
    }

    public BdevRegistry registry() {
        return registry;
    }

    public BdevModule module() {
        return module;
    }

    public BdevBackend backend() {
        return backend;
    }

    /// Unique among the names and aliases of an application.
    public String name() {
        return name;
    }

    /// What kind of device it is, in words: `Null disk`.
    public String productName() {
        return productName;
    }

    public UUID uuid() {
        return uuid;
    }

    /// Its other names, the UUID's text among them.
    public List<String> aliases() {
        return aliases;
    }

    public BdevGeometry geometry() {
        return geometry;
    }

    public int blockSize() {
        return geometry.blockSize();
    }

    /// Its size in blocks, now. Any thread.
    public long numBlocks() {
        return (long) NUM_BLOCKS.getOpaque(this);
    }

    void numBlocks(long blocks) {
        NUM_BLOCKS.setOpaque(this, blocks);
    }

    /// As [#numBlocks()] for the data path, where an opaque read would have the compiler read fields again after it. A
    /// plain one is as good: each I/O is a call from a poller, which no compiler makes a loop around one read.
    long currentBlocks() {
        return numBlocks;
    }

    /// Whether its module does this type of I/O itself.
    public boolean supportsNatively(int ioType) {
        return (supported & 1 << ioType) != 0;
    }

    /// Whether this type of I/O can be done, by its module or by the core with other types.
    public boolean supports(int ioType) {
        return supportsNatively(ioType) || switch (ioType) {
            case BdevIoType.WRITE_ZEROES -> supportsNatively(BdevIoType.WRITE);
            case BdevIoType.COMPARE -> supportsNatively(BdevIoType.READ);
            case BdevIoType.COMPARE_AND_WRITE, BdevIoType.COPY -> supportsNatively(BdevIoType.READ)
                    && supportsNatively(BdevIoType.WRITE);
            default -> false;
        };
    }

    public ClaimType claimType() {
        return claim.type();
    }

    /// The module that claimed it, or an empty string.
    public String claimedBy() {
        return claim.module();
    }

    /// Whether it is going away.
    public boolean removing() {
        return state != State.READY;
    }

    @Override
    public String toString() {
        return name;
    }
}
