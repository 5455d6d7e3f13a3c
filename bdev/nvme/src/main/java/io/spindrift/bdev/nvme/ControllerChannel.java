package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import java.util.ArrayList;
import java.util.List;

/// A thread's queue pair of a controller. It is connected after the channel was made, on a control thread: until then,
/// and whenever the connection is down, its paths are not usable.
///
/// On its thread.
final class ControllerChannel extends IoChannel implements QueuePairListener {
    private final ControllerPath path;
    private final List<IoPath> users = new ArrayList<>();
    private QueuePair queuePair;
    private RangeBuffers ranges;
    private boolean connected;
    /// A control thread is at it.
    private boolean connecting = true;
    /// The controller gives this thread no queue.
    private boolean refused;
    private boolean closed;

    ControllerChannel(ControllerDevice device, IoThread thread, ControllerPath path) {
        super(device, thread);
        this.path = path;
        device.reactors().control().fromReactor(() -> path.connect(this));
    }

    QueuePair queuePair() {
        return queuePair;
    }

    RangeBuffers ranges() {
        return ranges;
    }

    boolean connected() {
        return connected;
    }

    /// False if there is nothing to wait for, whatever the controller does.
    boolean mayComeBack() {
        return !refused;
    }

    void addUser(IoPath user) {
        assert thread().isCurrent();
        users.add(user);
    }

    /// `user` is no more; with the last one the channel goes.
    void removeUser(IoPath user) {
        if (users.remove(user)) {
            release();
        }
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    /// Whether it lacks a queue pair and nobody is making one; then the caller does.
    boolean beginConnect() {
        assert thread().isCurrent();
        if (closed || connecting || queuePair != null) {
            return false;
        }
        connecting = true;
        return true;
    }

    /// It has a queue pair now; false if it does not need it any more, which is the caller's then.
    boolean adopt(QueuePair made, RangeBuffers memory) {
        assert thread().isCurrent();
        connecting = false;
        if (closed) {
            return false;
        }
        refused = false;
        queuePair = made;
        ranges = memory;
        connected = made.connected();
        changed();
        return true;
    }

    /// No queue pair could be made; `full` if the controller has no more, and there is nothing to wait for.
    void notConnected(boolean full) {
        assert thread().isCurrent();
        connecting = false;
        refused = full;
        changed();
    }

    /// Gives its queue pair up, as its controller is replaced by another; null if it had none.
    RangeBuffers forget() {
        assert thread().isCurrent();
        RangeBuffers had = ranges;
        queuePair = null;
        ranges = null;
        connected = false;
        refused = false;
        changed();
        return had;
    }

    @Override
    public void connected(QueuePair made) {
        if (made == queuePair) {
            connected = true;
            changed();
        }
    }

    @Override
    public void disconnected(QueuePair lost, String reason) {
        if (lost == queuePair) {
            connected = false;
            changed();
        }
    }

    /// What its paths may be used for has changed.
    void changed() {
        assert thread().isCurrent();
        for (IoPath user : users) {
            user.changed();
        }
    }

    @Override
    protected void onDestroy() {
        closed = true;
        connected = false;
        if (queuePair != null) {
            QueuePair old = queuePair;
            RangeBuffers memory = ranges;
            device().reactors().control().fromReactor(() -> path.disconnect(old, memory));
        }
    }
}
