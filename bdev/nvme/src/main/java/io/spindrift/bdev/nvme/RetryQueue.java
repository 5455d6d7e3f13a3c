package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;

/// I/Os of one channel that wait: for a path, or for the delay that a controller asked for. On its thread.
///
/// Looked through every millisecond while there are any: what brings a path back, in whatever way, needs to tell nobody.
final class RetryQueue {
    private static final long PERIOD_NANOS = 1_000_000;

    private final NvmeBdevChannel channel;
    private final IoThread thread;
    private NvmeBdevIo first;
    private NvmeBdevIo last;
    private Poller poller;

    RetryQueue(NvmeBdevChannel channel) {
        this.channel = channel;
        this.thread = channel.thread();
    }

    /// Has `io` tried again in `delayNanos` or later.
    void add(NvmeBdevIo io, long delayNanos) {
        assert thread.isCurrent();
        io.retryTick = thread.now() + delayNanos;
        append(io);
        if (poller != null) {
            poller.resume();
        } else {
            poller = thread.addTimedPoller("bdev_nvme_retry", this::retry, PERIOD_NANOS);
        }
    }

    private void append(NvmeBdevIo io) {
        io.nextWaiting = null;
        if (first == null) {
            first = io;
        } else {
            last.nextWaiting = io;
        }
        last = io;
    }

    /// Takes `io` out; false if it is not in.
    boolean remove(NvmeBdevIo io) {
        NvmeBdevIo previous = null;
        for (NvmeBdevIo each = first; each != null; each = each.nextWaiting) {
            if (each == io) {
                if (previous == null) {
                    first = each.nextWaiting;
                } else {
                    previous.nextWaiting = each.nextWaiting;
                }
                if (last == each) {
                    last = previous;
                }
                return true;
            }
            previous = each;
        }
        return false;
    }

    /// Gives all up: no path will take them.
    void failAll() {
        NvmeBdevIo io = first;
        first = null;
        last = null;
        while (io != null) {
            NvmeBdevIo next = io.nextWaiting;
            io.fail();
            io = next;
        }
    }

    private int retry() {
        if (first == null) {
            poller.pause();
            return 0;
        }
        if (!channel.anyUsable()) {
            if (!channel.mayWait()) {
                failAll();
                return 1;
            }
            return 0;
        }
        long now = thread.now();
        int count = 0;
        NvmeBdevIo io = first;
        first = null;
        last = null;
        while (io != null) {
            NvmeBdevIo next = io.nextWaiting;
            if (io.retryTick - now > 0) {
                append(io);
            } else {
                io.retry();
                count++;
            }
            io = next;
        }
        return count;
    }

    /// The channel is going.
    void stop() {
        if (poller != null) {
            poller.unregister();
            poller = null;
        }
    }
}
