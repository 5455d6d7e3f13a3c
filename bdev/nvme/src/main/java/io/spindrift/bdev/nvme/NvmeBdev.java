package io.spindrift.bdev.nvme;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// A namespace as a bdev: its paths, and how one is chosen. Any thread reads it; its [AttachedSubsystem] changes it.
final class NvmeBdev extends BdevBackend {
    private final AttachedSubsystem owner;
    private final String name;
    private final long nsid;
    private final NvmeNamespace.Format format;
    private final BdevGeometry geometry;
    private final NvmeBdevDevice device;
    private final ErrorCounts errors;
    private final int supported;
    private final int copyBlocks;
    private final AtomicBoolean removalBegun = new AtomicBoolean();
    private volatile List<NamespacePath> paths;
    private volatile MultipathPolicy policy;
    private final NvmeBdevOptions options;
    /// Known once it is registered.
    private volatile Bdev bdev;

    /// A bdev that is reached through `path` only, for the present.
    NvmeBdev(AttachedSubsystem owner, String name, ControllerPath path, NvmeNamespace namespace) {
        this.owner = owner;
        this.name = name;
        this.nsid = namespace.nsid();
        this.format = namespace.format();
        this.options = owner.options();
        this.policy = path.settings().policy();
        this.geometry = NamespaceShape.geometry(path.controller(), namespace,
                format.protection() > 0 ? path.settings().checks() : 0);
        this.errors = new ErrorCounts(options.nvmeErrorStat());
        this.supported = supported(path.controller().data());
        this.copyBlocks = Math.max(1, IdentifyNamespace.MSSRL.get(namespace.page(), 0));
        this.paths = List.of(new NamespacePath(path, this, namespace));
        this.device = new NvmeBdevDevice(owner.reactors(), this);
    }

    // ---- what it is -------------------------------------------------------------------------------------------

    String name() {
        return name;
    }

    long nsid() {
        return nsid;
    }

    AttachedSubsystem owner() {
        return owner;
    }

    BdevGeometry geometry() {
        return geometry;
    }

    NvmeNamespace.Format format() {
        return format;
    }

    NvmeBdevDevice device() {
        return device;
    }

    ErrorCounts errors() {
        return errors;
    }

    Bdev bdev() {
        return bdev;
    }

    void registered(Bdev made) {
        bdev = made;
    }

    /// Whether the caller is to unregister it: the first that asks.
    boolean beginRemoval() {
        return removalBegun.compareAndSet(false, true);
    }

    /// In the order in which they are tried.
    List<NamespacePath> paths() {
        return paths;
    }

    /// Has other paths, or in another order. On a control thread.
    void paths(List<NamespacePath> changed) {
        paths = List.copyOf(changed);
        device.visitChannels(channel -> channel.paths(paths));
    }

    /// Whether this controller is one of its paths.
    boolean has(ControllerPath path) {
        return paths.stream().anyMatch(each -> each.path() == path);
    }

    MultipathPolicy policy() {
        return policy;
    }

    /// On a control thread.
    void policy(MultipathPolicy changed) {
        policy = changed;
        device.visitChannels(channel -> channel.policy(changed));
    }

    /// Has `first` tried before the others, if it is still one of them. On a control thread.
    void prefer(NamespacePath first) {
        owner.prefer(this, first);
    }

    // ---- for its channels -------------------------------------------------------------------------------------

    /// Protection checks of each command, the `CHECK_` bits of [io.spindrift.bdev.dif.Dif].
    int checks() {
        return geometry.difCheckFlags();
    }

    /// The type of protection information, 0 for none.
    int protection() {
        return format.protection();
    }

    /// Whether reference tags have more than 32 bits.
    boolean wideReferenceTags() {
        return format.piFormat() != 0;
    }

    boolean separateMetadata() {
        return format.metadataSize() > 0 && !format.extended();
    }

    /// The format of Copy's descriptors.
    int copyFormat() {
        return format.piFormat() == 0 ? 0 : 1;
    }

    /// The most blocks that one Copy command takes.
    int longestCopy() {
        return copyBlocks;
    }

    /// Whether a path that is usable is kept when a better one comes back.
    boolean keepsPath() {
        return options.disableAutoFailback();
    }

    boolean countsPaths() {
        return options.ioPathStat();
    }

    /// Whether an I/O that was tried again so many times may be once more.
    boolean mayRetry(int retries) {
        int most = options.bdevRetryCount();
        return most < 0 || retries < most;
    }

    /// How long the controller wants a command to wait, in units of 100 ms; `crd` is that of its status.
    long retryDelay(IoPath path, int crd) {
        if (crd == 0) {
            return 0;
        }
        var page = path.queuePair().controller().data().page();
        return switch (crd) {
            case 1 -> IdentifyController.CRDT1.get(page, 0);
            case 2 -> IdentifyController.CRDT2.get(page, 0);
            default -> IdentifyController.CRDT3.get(page, 0);
        };
    }

    void countError(int status) {
        errors.count(status);
    }

    /// Whether it is going away: I/O is not to wait for what may never come. Any thread.
    boolean removing() {
        Bdev registered = bdev;
        return registered != null && registered.removing();
    }

    /// Begins `own` if it is a reset or an abort, or ends it if the device does not take it; else false. On its channel's
    /// thread.
    boolean rare(NvmeBdevIo own) {
        switch (own.io().type()) {
            case BdevIoType.RESET -> {
                reactors().control().fromReactor(() -> reset(own));
                return true;
            }
            case BdevIoType.ABORT -> {
                abort(own);
                return true;
            }
            default -> {
                if (own.possible()) {
                    return false;
                }
                own.io().complete(BdevStatus.INVALID);
                return true;
            }
        }
    }

    private Reactors reactors() {
        return owner.reactors();
    }

    /// Resets every controller that is connected, one after the other: what they have ends.
    private void reset(NvmeBdevIo own) {
        boolean any = false;
        try {
            device.visitChannels(channel -> channel.resetting(true));
            for (NamespacePath path : paths) {
                any |= path.path().controller().state() == NvmeController.State.READY && path.path().resetForIo();
            }
            device.visitChannels(channel -> channel.resetting(false));
        } finally {
            long status = any ? BdevStatus.SUCCESS : BdevStatus.FAILED;
            own.channel().thread().send(() -> own.io().complete(status));
        }
    }

    private void abort(NvmeBdevIo own) {
        NvmeBdevIo target = (NvmeBdevIo) own.io().abortTarget().moduleContext();
        NvmeRequest request = target.request();
        if (target.channel().unqueue(target)) {
            target.io().complete(BdevStatus.ABORTED);
            own.io().complete(BdevStatus.SUCCESS);
        } else if (request == null) {
            own.io().complete(BdevStatus.FAILED);
        } else {
            int cid = request.cid();
            reactors().control().fromReactor(() -> abort(own, request, cid));
        }
    }

    private static void abort(NvmeBdevIo own, NvmeRequest request, int cid) {
        boolean aborted;
        try {
            aborted = request.queuePair().controller().admin().abort(request.queuePair().qid(), cid);
        } catch (RuntimeException refused) {
            aborted = false; // the command ends by itself
        }
        long status = aborted ? BdevStatus.SUCCESS : BdevStatus.FAILED;
        own.channel().thread().send(() -> own.io().complete(status));
    }

    // ---- for the block layer ----------------------------------------------------------------------------------

    private int supported(ControllerData data) {
        int types = 1 << BdevIoType.READ | 1 << BdevIoType.WRITE | 1 << BdevIoType.FLUSH | 1 << BdevIoType.RESET
                | 1 << BdevIoType.ABORT;
        types |= data.oncs(ControllerBits.ONCS_DATASET_MANAGEMENT) ? 1 << BdevIoType.UNMAP : 0;
        types |= data.oncs(ControllerBits.ONCS_WRITE_ZEROES) ? 1 << BdevIoType.WRITE_ZEROES : 0;
        types |= data.oncs(ControllerBits.ONCS_COMPARE) ? 1 << BdevIoType.COMPARE : 0;
        types |= data.oncs(ControllerBits.ONCS_COPY) ? 1 << BdevIoType.COPY : 0;
        boolean fuses = (IdentifyController.FUSES.get(data.page(), 0) & ControllerBits.FUSES_COMPARE_AND_WRITE) != 0;
        return types | (fuses ? 1 << BdevIoType.COMPARE_AND_WRITE : 0);
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return (supported & 1 << ioType) != 0;
    }

    @Override
    public void destroy() {
        device.unregister();
        owner.destroyed(this);
    }

    @Override
    public Map<String, Object> driverSpecific(Bdev described) {
        return NvmeBdevReports.bdev(this);
    }
}
