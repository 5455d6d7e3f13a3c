package io.spindrift.bdev.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Gives the channels of a controller their queue pairs. On control threads; connecting only in the turn of the
/// [ControllerPath].
///
/// A thread that gets none does without, as long as the controller gives no more; what fails otherwise is tried again, for
/// that thread alone.
final class ChannelQueues {
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final ControllerPath path;
    private final Pause pause;
    private final AtomicBoolean retrying = new AtomicBoolean();
    /// Whether a thread does without.
    private volatile boolean refused;
    private String told = "";

    ChannelQueues(ControllerPath path) {
        this.path = path;
        this.pause = new Pause(path.owner().reactors().appThread());
    }

    /// Gives `channel` its queue pair, or tells it that there is none.
    void connect(ControllerChannel channel) {
        try {
            adopt(channel, path.controller().connectQueuePair(channel.thread(), channel));
        } catch (Exception e) {
            boolean full = e instanceof NvmeException said && said.errno() == Errno.ENOSPC;
            refused |= full;
            channel.thread().callIfAlive(() -> channel.notConnected(full));
            if (full) {
                tell(e.getMessage() + "; threads without one do not use this path");
            } else if (path.controller().state() == NvmeController.State.READY) {
                tell("the I/O queue of thread " + channel.thread().name() + " cannot be connected: " + e.getMessage()
                        + "; it is tried again");
                retryLater();
            } // else it is part of connecting the controller anew
        }
    }

    private void adopt(ControllerChannel channel, QueuePair made) {
        try {
            RangeBuffers ranges = new RangeBuffers(path.driver().context().memory(), made.requestCount());
            boolean[] kept = new boolean[1];
            channel.thread().callIfAlive(() -> kept[0] = channel.adopt(made, ranges));
            if (!kept[0]) {
                disconnect(made, ranges);
            }
        } catch (RuntimeException e) {
            made.controller().disconnectQueuePair(made);
            throw e;
        }
    }

    /// Once for as long as it is the same.
    private void tell(String sentence) {
        if (!sentence.equals(told)) {
            told = sentence;
            path.log().warn("%s: %s", path.name(), sentence);
        }
    }

    private void retryLater() {
        if (retrying.compareAndSet(false, true)) {
            path.owner().reactors().control().submit(() -> {
                boolean elapsed = pause.await(RETRY_NANOS);
                retrying.set(false);
                if (elapsed) {
                    path.connectLacking();
                }
                return null;
            });
        }
    }

    /// Gives all channels queue pairs that lack one.
    void connectLacking() {
        refused = false;
        List<ControllerChannel> lacking = Collections.synchronizedList(new ArrayList<>());
        path.device().visitChannels(channel -> {
            if (channel.beginConnect()) {
                lacking.add(channel);
            }
        });
        lacking.forEach(this::connect);
    }

    /// Takes the queue pairs away from all channels, for a controller that is replaced. Returns what is to be freed when that
    /// is closed.
    List<RangeBuffers> forget() {
        List<RangeBuffers> unused = Collections.synchronizedList(new ArrayList<>());
        path.device().visitChannels(channel -> {
            RangeBuffers had = channel.forget();
            if (had != null) {
                unused.add(had);
            }
        });
        return unused;
    }

    /// Ends a queue pair that its channel does not need any more. Whether another thread waits for one; in any turn.
    boolean disconnect(QueuePair queue, RangeBuffers ranges) {
        try {
            queue.controller().disconnectQueuePair(queue);
        } finally {
            ranges.free();
        }
        return refused;
    }

    /// Nothing is tried again.
    void stop() {
        pause.cancel();
    }
}
