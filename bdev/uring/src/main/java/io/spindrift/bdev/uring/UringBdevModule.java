package io.spindrift.bdev.uring;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.bdev.uring.internal.ffi.LinuxFileCalls;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.uring.IoUring;
import io.spindrift.framework.uring.IoUringException;
import io.spindrift.framework.uring.IoUringOptions;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/// Makes bdevs on files and block devices, whose I/O goes to the kernel by io_uring.
///
/// Control threads only; what blocks runs on the pool for blocking calls.
public final class UringBdevModule implements BdevModule {
    private final FileCalls calls;
    private final Supplier<OwnedRing> rings;
    private final FileOpener opener;
    private final BitSet numbers = new BitSet();
    private BdevModuleContext context;
    private UringDevice device;
    private int consumer;

    /// For the service loader.
    public UringBdevModule() {
        this(new LinuxFileCalls(), OwnedRing::new);
    }

    /// With the calls and the rings that a test gives.
    UringBdevModule(FileCalls calls, Supplier<OwnedRing> rings) {
        this.calls = calls;
        this.rings = rings;
        this.opener = new FileOpener(calls);
    }

    @Override
    public String name() {
        return "uring";
    }

    @Override
    public List<RpcBinding<?>> rpcs() {
        return UringRpcs.bindings(this);
    }

    @Override
    public void init(BdevModuleContext moduleContext) {
        context = moduleContext;
        device = new UringDevice(context.reactors(), new BackgroundCalls(calls, context.reactors().control()),
                rings);
        consumer = context.memory().addConsumer(new PinnedRegions(device));
    }

    @Override
    public void close() {
        context.memory().removeConsumer(consumer);
        device.unregister();
    }

    /// Opens the file and registers the bdev; on failure nothing is left open.
    Bdev create(FileSpec spec) throws Exception {
        OpenFile file = context.reactors().control().blocking(() -> {
            tryRing();
            return opener.open(spec.filename(), spec.readOnly(), spec.blockSize(), spec.fallocate());
        });
        UringBackend backend = new UringBackend(this, device, file, spec, takeNumber());
        boolean registered = false;
        try {
            BdevGeometry geometry = BdevGeometry.of(file.blockSize()).withPhysicalBlockSize(file.physicalBlockSize())
                    .withBufferAlignment(file.memoryAlignment()).withWriteCache(true);
            Bdev bdev = context.registry().register(this, backend, BdevRegistration.of(spec.name(),
                    spec.family().productName(), spec.uuid(), file.numBlocks(), geometry));
            registered = true;
            return bdev;
        } finally {
            if (!registered) {
                release(backend);
            }
        }
    }

    /// A machine without io_uring says so here, not when the first I/O comes.
    private static void tryRing() {
        try {
            IoUring.open(IoUringOptions.ofEntries(1)).close();
        } catch (IoUringException e) {
            throw new ErrnoException(e.errno(), e.getMessage());
        }
    }

    /// Gives the bdev the size that its file has now.
    void rescan(String name) throws Exception {
        Bdev bdev = own(name);
        OpenFile file = ((UringBackend) bdev.backend()).file();
        long size = context.reactors().control().blocking(() -> opener.size(file));
        if (size / file.blockSize() != bdev.numBlocks()) {
            context.registry().resize(bdev, size / file.blockSize());
        }
    }

    /// Removes the bdev, when those who have it open have closed it.
    void delete(String name) throws Exception {
        context.registry().unregister(own(name));
    }

    private Bdev own(String name) {
        Bdev bdev = context.registry().get(name);
        if (bdev.module() != this) {
            throw new ErrnoException(Errno.ENODEV, "bdev '" + name + "' is no file: the module " + bdev.module().name()
                    + " has made it");
        }
        return bdev;
    }

    private int takeNumber() {
        synchronized (numbers) {
            int number = numbers.nextClearBit(0);
            numbers.set(number);
            return number;
        }
    }

    /// Closes a backend's file; no channel uses it any more.
    void release(UringBackend backend) throws Exception {
        synchronized (numbers) {
            numbers.clear(backend.number());
        }
        context.reactors().control().blocking(() -> {
            opener.close(backend.file());
            return null;
        });
    }
}
