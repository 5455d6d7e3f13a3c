package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.IoThread;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The I/O queue pairs of a controller: their identifiers, and how they are connected, the first time and after each reset. On
/// the control path, with the controller's lock held.
final class IoQueues {
    private final NvmeController controller;
    private final List<QueuePair> queues = new ArrayList<>();
    private final BitSet qids = new BitSet();

    IoQueues(NvmeController controller) {
        this.controller = controller;
    }

    /// A new one, connected.
    QueuePair connect(IoThread thread, int requests, QueuePairListener listener) throws Exception {
        int qid = takeQid();
        QueuePair made = null;
        boolean connected = false;
        try {
            made = new QueuePair(controller, thread, qid, controller.ioEntries() - 1, requests, listener);
            connect(made);
            queues.add(made);
            connected = true;
            return made;
        } finally {
            if (!connected) {
                if (made != null) {
                    made.close("it could not be connected");
                }
                qids.clear(qid);
            }
        }
    }

    private int takeQid() {
        int qid = qids.nextClearBit(1);
        if (qid > controller.ioQueueCount()) {
            throw new NvmeException(Errno.ENOSPC, "controller " + controller.name() + " gives "
                    + controller.ioQueueCount() + " I/O queues, and all are in use");
        }
        qids.set(qid);
        return qid;
    }

    private void connect(QueuePair queue) throws Exception {
        long millis = controller.options().timeouts().connectMillis();
        queue.connect(millis, controller.options().timeouts().ioMillis());
        if (controller.transport().fabrics()) {
            FabricsCommands.connect(queue, controller.id(), controller.options(), queue.depth() + 1,
                    controller.data().cntlid(), 0);
        }
        queue.up();
    }

    /// Connects all of them anew, but for those that cannot be any more: whose thread has ended, and those for which the
    /// controller has no queue now, of which its log gets a line.
    void reconnect() throws Exception {
        for (QueuePair queue : queues) {
            if (queue.thread().state() == IoThread.State.EXITED) {
                continue;
            }
            if (queue.qid() > controller.ioQueueCount() || queue.depth() >= controller.ioEntries()) {
                controller.driver().context().log().warn(
                        "%s: the %s stays down: the controller gives %d queues of %d entries now", controller.name(),
                        queue, controller.ioQueueCount(), controller.ioEntries());
            } else {
                connect(queue);
            }
        }
    }

    /// Has all of them take no commands any more.
    void goDown(String reason) {
        for (QueuePair queue : queues) {
            queue.thread().callIfAlive(() -> queue.goDown(reason));
        }
    }

    /// Ends the connections of all, which are down.
    void disconnect() {
        queues.forEach(queue -> queue.transport().disconnect());
    }

    /// Ends one for good; false if it is none of these.
    boolean remove(QueuePair queue) {
        if (!queues.remove(queue)) {
            return false;
        }
        queue.close("it is disconnected");
        qids.clear(queue.qid());
        return true;
    }

    /// Disconnects all in order, as long as the controller can be reached.
    void disconnectInOrder(String reason) {
        queues.forEach(queue -> queue.disconnect(reason));
    }

    /// Frees what all of them have.
    void close() {
        queues.forEach(queue -> queue.close("the controller is closed"));
        queues.clear();
    }
}
