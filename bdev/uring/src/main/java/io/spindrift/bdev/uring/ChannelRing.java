package io.spindrift.bdev.uring;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.uring.CompletionHandler;
import io.spindrift.framework.uring.IoUring;
import java.util.function.Supplier;

/// The ring of an IoThread, which may move between reactors while a ring belongs to one OS thread.
///
/// ```
///   core 0: [ring A] --- the IoThread moves to core 1 ---> core 1: [ring B] takes what is new
///      \--- a drainer thread on core 0 polls A until all of it has ended, and sends the ends to the IoThread
/// ```
/// If the kernel refuses B (too many open files, ...), A is drained all the same, and what is new waits while a drain
/// runs, since its end gives descriptors and memory back; then it fails, until a ring can be opened. The first refusal on a
/// core is reported, and the end of them; those between are counted.
///
/// A ring that any thread may use would need no drainer, and costs about a fifth more for each request.
final class ChannelRing {
    private static final int BATCH = 128;
    /// With requests in flight the reactor goes on polling this long after the last one ended. A disk that serves 16 at a
    /// time pauses for longer than the reactor's own grace every few dozen requests, and sleeping through each pause cost
    /// a tenth of the rate.
    private static final long PATIENCE_NANOS = 1_000_000;
    /// After a refusal no further ring is asked for in this time, unless a drain ends or the thread moves on.
    private static final long RETRY_NANOS = 100_000_000;

    private final IoThread thread;
    private final CompletionHandler handler;
    private final Supplier<OwnedRing> opener;
    /// Null while the kernel refuses one where the thread is now.
    private OwnedRing current;
    private Reactor reactor;
    private Poller wake;
    private long lastEnd;
    private Reactor refusedOn;
    private long refusedAt;
    /// Where a refusal was reported, until a ring is open again; else null.
    private Reactor reportedOn;
    private long refusals;
    /// Rings that were left behind and are not closed yet.
    private int draining;

    /// Opens the ring, on `thread`; throws what `opener` does.
    ChannelRing(IoThread thread, CompletionHandler handler, Supplier<OwnedRing> opener) {
        this.thread = thread;
        this.handler = handler;
        this.opener = opener;
        open();
    }

    /// Nothing has changed if it throws.
    private void open() {
        OwnedRing opened = opener.get();
        try {
            wake = thread.addFdPoller("bdev_uring_wake", opened.ring().wakeFd(), this::woken);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        current = opened;
        reactor = thread.reactor();
    }

    private int woken() {
        OwnedRing owned = reachable();
        if (owned == null) {
            return 0;
        }
        owned.ring().acknowledgeWake();
        return poll();
    }

    /// The ring to use now, or null: then [#refusal()] says how the request ends.
    OwnedRing current() {
        OwnedRing owned = current;
        return owned != null && owned.ring().usableHere() ? owned : moved();
    }

    /// As [#current()], but after a refusal asks for no other ring.
    private OwnedRing reachable() {
        return current == null ? null : current();
    }

    /// The status of a request that there is no ring for.
    long refusal() {
        return draining > 0 ? BdevStatus.NOMEM : BdevStatus.errno(Errno.EIO);
    }

    private OwnedRing moved() {
        OwnedRing old = current;
        if (old == null && refusedOn == thread.reactor() && thread.now() - refusedAt < RETRY_NANOS) {
            return null;
        }
        Reactor oldReactor = reactor;
        Poller oldWake = wake;
        try {
            open();
            reportEnd();
        } catch (RuntimeException | OutOfMemoryError e) {
            current = null;
            refusedOn = thread.reactor();
            refusedAt = thread.now();
            report(e);
        }
        if (old != null) {
            oldWake.unregister();
            drain(old, oldReactor);
        }
        return current;
    }

    private void report(Throwable refusal) {
        if (reportedOn == refusedOn) {
            refusals++;
            thread.reactors().countException();
            return;
        }
        reportedOn = refusedOn;
        refusals = 1;
        thread.reactors().contain("opening a ring on core " + reportedOn.core(), refusal);
    }

    private void reportEnd() {
        if (reportedOn != null) {
            thread.reactors().report("thread " + thread.name() + " has a ring on core " + reactor.core() + ", after "
                    + refusals + " refusals on core " + reportedOn.core());
            reportedOn = null;
        }
    }

    private void drain(OwnedRing old, Reactor where) {
        draining++;
        RingDrain.start(old, where, thread, handler, this::drained);
    }

    private void drained() {
        draining--;
        refusedOn = null;
    }

    int poll() {
        OwnedRing owned = reachable();
        int count = owned == null ? 0 : owned.ring().poll(handler, BATCH);
        if (count > 0) {
            lastEnd = thread.now();
        }
        return count;
    }

    boolean readyToSleep() {
        OwnedRing owned = reachable();
        return owned == null || readyToSleep(owned.ring());
    }

    private boolean readyToSleep(IoUring ring) {
        return ring.inFlight() == 0 || thread.now() - lastEnd >= PATIENCE_NANOS && ring.armWakeup();
    }

    /// Closes the ring; what is in flight are cancellations of what has ended, which end at once.
    void close() {
        OwnedRing owned = current;
        if (owned == null) {
            return;
        }
        wake.unregister();
        if (!owned.ring().usableHere()) {
            drain(owned, reactor);
            return;
        }
        while (owned.ring().inFlight() > 0) {
            owned.ring().poll(handler, BATCH);
        }
        owned.close();
    }
}
