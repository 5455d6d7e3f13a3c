package io.spindrift.bdev.uring;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.uring.CompletionHandler;
import io.spindrift.framework.uring.IoUring;

/// The ring of an IoThread, which may move between reactors while a ring belongs to one OS thread.
///
/// ```
///   core 0: [ring A] --- the IoThread moves to core 1 ---> core 1: [ring B] takes what is new
///      \--- a helper thread on core 0 polls A until all of it has ended, and sends the ends to the IoThread
/// ```
/// A ring that any thread may use would need no helper, and costs about a fifth more for each request.
final class ChannelRing {
    private static final int BATCH = 128;
    /// With requests in flight the reactor goes on polling this long after the last one ended. A disk that serves 16 at a
    /// time pauses for longer than the reactor's own grace every few dozen requests, and sleeping through each pause cost
    /// a tenth of the rate.
    private static final long PATIENCE_NANOS = 1_000_000;

    private final IoThread thread;
    private final CompletionHandler handler;
    private OwnedRing current;
    private Reactor reactor;
    private Poller wake;
    private long lastEnd;

    /// Opens the ring, on `thread`.
    ChannelRing(IoThread thread, CompletionHandler handler) {
        this.thread = thread;
        this.handler = handler;
        open();
    }

    private void open() {
        current = new OwnedRing();
        reactor = thread.reactor();
        wake = thread.addFdPoller("bdev_uring_wake", current.ring().wakeFd(), this::woken);
    }

    private int woken() {
        current().ring().acknowledgeWake();
        return poll();
    }

    /// The ring to use now.
    OwnedRing current() {
        OwnedRing owned = current;
        return owned.ring().usableHere() ? owned : moved();
    }

    private OwnedRing moved() {
        OwnedRing old = current;
        Reactor oldReactor = reactor;
        wake.unregister();
        open();
        RingDrain.start(old, oldReactor, thread, handler);
        return current;
    }

    int poll() {
        int count = current().ring().poll(handler, BATCH);
        if (count > 0) {
            lastEnd = thread.now();
        }
        return count;
    }

    boolean readyToSleep() {
        IoUring ring = current().ring();
        return ring.inFlight() == 0 || thread.now() - lastEnd >= PATIENCE_NANOS && ring.armWakeup();
    }

    /// Closes the ring; what is in flight are cancellations of what has ended, which end at once.
    void close() {
        OwnedRing owned = current();
        wake.unregister();
        while (owned.ring().inFlight() > 0) {
            owned.ring().poll(handler, BATCH);
        }
        owned.close();
    }
}
