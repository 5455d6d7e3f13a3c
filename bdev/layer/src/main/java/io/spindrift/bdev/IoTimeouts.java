package io.spindrift.bdev;

import io.spindrift.framework.thread.Poller;

/// Looks for I/Os of one channel that are late. On the channel's thread.
final class IoTimeouts {
    private final IoPool pool;
    private final BdevChannel channel;
    private final long limitNanos;
    private final IoTimeoutHandler handler;
    private final Poller poller;

    /// Begins to look, a few times in `limitNanos`.
    IoTimeouts(BdevChannel channel, IoPool pool, long limitNanos, IoTimeoutHandler handler) {
        this.channel = channel;
        this.pool = pool;
        this.limitNanos = limitNanos;
        this.handler = handler;
        this.poller = channel.thread().addTimedPoller("bdev_timeouts_" + channel.bdev().name(), this::look,
                Math.max(1, limitNanos / 4));
    }

    void stop() {
        poller.unregister();
    }

    private int look() {
        long oldest = channel.thread().now() - limitNanos;
        pool.forEachInFlight(io -> {
            if ((io.special & BdevIo.SPECIAL_INTERNAL) == 0 && io.submitTick - oldest < 0
                    && io.toldTick != io.submitTick) {
                io.toldTick = io.submitTick;
                handler.timedOut(io);
            }
        });
        return 0;
    }
}
