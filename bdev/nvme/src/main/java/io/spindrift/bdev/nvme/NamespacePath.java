package io.spindrift.bdev.nvme;

import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;

/// A namespace as one controller has it. Any thread may read it; control threads change it.
final class NamespacePath {
    private final ControllerPath path;
    private final NvmeBdev bdev;
    private final long nsid;
    private volatile NvmeNamespace namespace;
    /// The controller does not have it, as it is known, any more.
    private volatile boolean gone;
    private volatile int anaState;
    /// A command said that the state is not what is known of it: it is being read again.
    private volatile boolean stale;
    /// The namespace has been in the state Change for longer than the controller said it may take.
    private volatile boolean changesTooLong;

    NamespacePath(ControllerPath path, NvmeBdev bdev, NvmeNamespace namespace) {
        this.path = path;
        this.bdev = bdev;
        this.nsid = namespace.nsid();
        this.namespace = namespace;
        this.anaState = path.controller().anaState(nsid);
    }

    ControllerPath path() {
        return path;
    }

    NvmeBdev bdev() {
        return bdev;
    }

    long nsid() {
        return nsid;
    }

    NvmeNamespace namespace() {
        return namespace;
    }

    /// The controller has it, and describes it so.
    void namespace(NvmeNamespace described) {
        namespace = described;
        gone = false;
    }

    /// The controller has it no more, or another in its place.
    void gone() {
        gone = true;
    }

    int anaState() {
        return anaState;
    }

    /// The controller has told its states anew.
    void anaState(int state) {
        if (state != AnaGroupDescriptor.STATE_CHANGE) {
            changesTooLong = false;
        }
        anaState = state;
        stale = false;
    }

    /// Whether the controller has it, for all that is known, and its ANA state lets I/O through.
    boolean accessible() {
        return !gone && path.trusted() && !stale && (anaState == AnaGroupDescriptor.STATE_OPTIMIZED
                || anaState == AnaGroupDescriptor.STATE_NON_OPTIMIZED);
    }

    boolean optimized() {
        return anaState == AnaGroupDescriptor.STATE_OPTIMIZED;
    }

    /// Whether its state may become one that lets I/O through.
    boolean mayComeBack() {
        return !gone && anaState != AnaGroupDescriptor.STATE_PERSISTENT_LOSS && !changesTooLong;
    }

    /// Whether this is the first to notice that the state is not as it is known.
    boolean becomesStale() {
        if (stale) {
            return false;
        }
        stale = true;
        return true;
    }

    /// Gives up to wait for the end of a change of state.
    void changesTooLong() {
        changesTooLong = anaState == AnaGroupDescriptor.STATE_CHANGE;
    }
}
