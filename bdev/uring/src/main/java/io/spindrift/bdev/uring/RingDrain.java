package io.spindrift.bdev.uring;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.uring.CompletionHandler;

/// Polls a ring on the reactor that its owner has left, until nothing is in flight, then closes it.
///
/// A thread for the purpose, seldom and for milliseconds: it may allocate.
final class RingDrain implements PollFunction {
    private static final int BATCH = 128;

    private final OwnedRing ring;
    private final IoThread owner;
    private final CompletionHandler handler;
    private final Runnable closed;
    private final IoThread drainer;
    private Poller poller;

    private RingDrain(OwnedRing ring, IoThread owner, CompletionHandler handler, Runnable closed, IoThread drainer) {
        this.ring = ring;
        this.owner = owner;
        this.handler = handler;
        this.closed = closed;
        this.drainer = drainer;
    }

    /// `handler` is called on `owner` for each completion, and after the last one `closed`.
    static void start(OwnedRing ring, Reactor reactor, IoThread owner, CompletionHandler handler, Runnable closed) {
        IoThread drainer = owner.reactors().createThread("bdev_uring_drain_" + owner.name(),
                CpuMask.of(reactor.core()));
        RingDrain drain = new RingDrain(ring, owner, handler, closed, drainer);
        drainer.send(drain::begin);
    }

    private void begin() {
        drainer.bind(); // the ring takes calls from this OS thread only
        poller = drainer.addPoller("bdev_uring_drain", this);
    }

    @Override
    public int poll() {
        int count = ring.ring().poll(this::forward, BATCH);
        if (ring.ring().inFlight() == 0) {
            poller.unregister();
            ring.close();
            owner.send(closed);
            drainer.exit();
        }
        return count;
    }

    /// An owner that has been forced to exit has nobody left to tell.
    private void forward(long userData, int result, int flags) {
        owner.send(() -> handler.complete(userData, result, flags));
    }

    @Override
    public boolean readyToSleep() {
        return false;
    }
}
