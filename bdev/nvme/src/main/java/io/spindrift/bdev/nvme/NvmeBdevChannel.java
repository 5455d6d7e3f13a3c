package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.thread.IoThread;
import java.util.Arrays;
import java.util.List;

/// A thread's handle on an NVMe bdev: chooses a path for each I/O.
///
/// ```
///   submit -> [a current path, and still its turn?] -> NvmeBdevIo.send
///          -> choose: optimized first, then non-optimized -> NvmeBdevIo.send | RetryQueue | failure
/// ```
final class NvmeBdevChannel extends ModuleChannel {
    private final NvmeBdev bdev;
    private final RetryQueue retries;
    /// In the order in which they are tried.
    private IoPath[] paths = new IoPath[0];
    private MultipathPolicy policy;
    /// The path of the next I/O, if it is its turn; null if one is to be chosen.
    private IoPath current;
    /// I/Os, the next included, after which a path is chosen again.
    private int turns;
    /// The path that was chosen last.
    private int lastIndex = -1;
    private boolean resetting;

    NvmeBdevChannel(NvmeBdevDevice device, IoThread thread, NvmeBdev bdev) {
        super(device, thread);
        this.bdev = bdev;
        this.policy = bdev.policy();
        this.retries = new RetryQueue(this);
        paths(bdev.paths());
    }

    NvmeBdev bdev() {
        return bdev;
    }

    @Override
    public NvmeBdevIo newIoContext() {
        return new NvmeBdevIo(this);
    }

    @Override
    public void submit(BdevIo io) {
        NvmeBdevIo own = (NvmeBdevIo) io.moduleContext();
        own.begin(io);
        if (io.type() > BdevIoType.FLUSH && bdev.rare(own)) {
            return;
        }
        IoPath path = current;
        if (path == null || --turns == 0) {
            path = choose();
        }
        if (path == null) {
            noPath(own);
        } else {
            own.send(path);
        }
    }

    /// An I/O that finds no path waits, if there is one to wait for.
    private void noPath(NvmeBdevIo own) {
        if (mayWait()) {
            retries.add(own, 0);
        } else {
            own.fail();
        }
    }

    // ---- choosing ---------------------------------------------------------------------------------------------

    /// A path that is usable, and makes it the current one; or null.
    IoPath choose() {
        int chosen = policy.leastBusy() ? leastBusy() : next(policy.roundRobin() ? lastIndex + 1 : 0);
        lastIndex = chosen;
        turns = policy.turns();
        current = chosen < 0 ? null : paths[chosen];
        return current;
    }

    /// The first that is usable from `start` on, around: an optimized one, if there is any.
    private int next(int start) {
        int best = -1;
        for (int i = 0; i < paths.length; i++) {
            int index = (start + i) % paths.length;
            if (paths[index].usable()) {
                if (paths[index].namespace().optimized()) {
                    return index;
                }
                best = best < 0 ? index : best;
            }
        }
        return best;
    }

    /// That with the fewest commands, of the optimized ones if there is any.
    private int leastBusy() {
        int best = -1;
        for (int i = 0; i < paths.length; i++) {
            if (paths[i].usable() && (best < 0 || better(paths[i], paths[best]))) {
                best = i;
            }
        }
        return best;
    }

    private static boolean better(IoPath one, IoPath other) {
        boolean optimized = one.namespace().optimized();
        return optimized == other.namespace().optimized()
                ? one.queuePair().outstanding() < other.queuePair().outstanding()
                : optimized;
    }

    boolean anyUsable() {
        for (IoPath path : paths) {
            if (path.usable()) {
                return true;
            }
        }
        return false;
    }

    /// Whether there is a path to wait for.
    boolean mayWait() {
        if (resetting) {
            return false;
        }
        boolean removing = bdev.removing();
        for (IoPath path : paths) {
            if (removing ? path.usable() : path.mayComeBack()) {
                return true;
            }
        }
        return false;
    }

    /// Sends `io` again, in a while.
    void retry(NvmeBdevIo io, long delayNanos) {
        retries.add(io, delayNanos);
    }

    /// Sends `io` again, now.
    void again(NvmeBdevIo io) {
        IoPath path = choose();
        if (path == null) {
            noPath(io);
        } else {
            io.send(path);
        }
    }

    /// Takes `io` out of those that wait; false if it does not.
    boolean unqueue(NvmeBdevIo io) {
        return retries.remove(io);
    }

    // ---- what changes -----------------------------------------------------------------------------------------

    /// Something about a path is not as it was.
    void pathChanged() {
        assert thread().isCurrent();
        IoPath path = current;
        if (path != null && bdev.keepsPath() && path.usable()) {
            return;
        }
        current = null;
    }

    /// `path` cannot be used for an I/O that was just tried.
    void lost(IoPath path) {
        if (current == path) {
            current = null;
        }
    }

    void policy(MultipathPolicy changed) {
        assert thread().isCurrent();
        policy = changed;
        current = null;
    }

    /// The bdev has these paths now, in this order: takes those that are new, and gives up those that are gone.
    void paths(List<NamespacePath> wanted) {
        assert thread().isCurrent();
        IoPath[] before = paths;
        paths = wanted.stream().map(each -> find(before, each)).filter(each -> each != null).toArray(IoPath[]::new);
        for (IoPath old : before) {
            if (!Arrays.asList(paths).contains(old)) {
                old.channel().removeUser(old);
            }
        }
        current = null;
        lastIndex = -1;
    }

    private IoPath find(IoPath[] before, NamespacePath namespace) {
        for (IoPath path : before) {
            if (path.namespace() == namespace) {
                return path;
            }
        }
        return namespace.path().device().use(this, namespace);
    }

    /// A reset of the bdev begins or ends; what waits is given up.
    void resetting(boolean begins) {
        assert thread().isCurrent();
        resetting = begins;
        if (begins) {
            retries.failAll();
        }
    }

    boolean isResetting() {
        return resetting;
    }

    /// This thread's paths.
    List<IoPath> ioPaths() {
        return List.of(paths);
    }

    boolean isCurrent(IoPath path) {
        return policy.activeActive() ? path.usable() : path == current;
    }

    @Override
    protected void onDestroy() {
        retries.failAll();
        retries.stop();
        paths(List.of());
    }
}
