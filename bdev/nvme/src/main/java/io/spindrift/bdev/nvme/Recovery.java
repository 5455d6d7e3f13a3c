package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.Reactors;
import java.util.concurrent.locks.ReentrantLock;

/// Connects a controller that failed, until it is there again or is given up. One loop at a time, on a control thread.
///
/// ```
///   begin --> attempt --fails--> delay --> attempt --> ...          ends: connected, paused, disabled, deleted
///     |---------------- fast_io_fail_timeout_sec --> I/O fails that waits for it
///     |------------------------------------ ctrlr_loss_timeout_sec --> given up
/// ```
/// The two times run from a failure to the next success, whatever is asked of the controller meanwhile, and whether or not
/// an attempt is under way.
final class Recovery {
    private static final long SECOND = 1_000_000_000L;

    private final ControllerPath path;
    private final Reactors reactors;
    private final LossTimeouts limits;
    private final Pause delay;
    private final Pause deadlines;
    /// Guards the rest. Never taken by what is called with it held.
    private final ReentrantLock lock = new ReentrantLock();
    private boolean wanted;
    private boolean running;
    private boolean failing;
    /// Counts failures that followed a success.
    private long outage;

    Recovery(ControllerPath path, Reactors reactors) {
        this.path = path;
        this.reactors = reactors;
        this.limits = path.settings().timeouts();
        this.delay = new Pause(reactors.appThread());
        this.deadlines = new Pause(reactors.appThread());
    }

    /// The controller has failed: it is connected again from now on.
    void begin() {
        lock.lock();
        try {
            if (!failing) {
                failing = true;
                outage++;
                deadlines.renew();
                setDeadlines(outage);
            }
            wanted = true;
            delay.renew();
            if (!running) {
                running = true;
                reactors.control().submit(() -> {
                    run();
                    return null;
                });
            }
        } finally {
            lock.unlock();
        }
    }

    /// Others connect it: the loop ends before its next attempt. The times run on.
    void pause() {
        lock.lock();
        try {
            wanted = false;
            delay.cancel();
        } finally {
            lock.unlock();
        }
    }

    /// It is connected, or nobody is to connect it: all ends.
    void end() {
        lock.lock();
        try {
            wanted = false;
            failing = false;
            delay.cancel();
            deadlines.cancel();
        } finally {
            lock.unlock();
        }
    }

    // ---- attempts ---------------------------------------------------------------------------------------------

    private void run() {
        boolean over = false;
        try {
            while (goesOn()) {
                attempt();
            }
            over = true;
        } finally {
            if (!over) {
                endRun();
            }
        }
    }

    /// Whether there is to be another attempt. If not, the loop has ended, and [#begin()] starts another.
    private boolean goesOn() {
        lock.lock();
        try {
            running = wanted && path.lacksConnection();
            return running;
        } finally {
            lock.unlock();
        }
    }

    private void endRun() {
        lock.lock();
        try {
            running = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean wanted() {
        lock.lock();
        try {
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void attempt() {
        path.state(ControllerPath.State.RESETTING);
        path.publish();
        String reason;
        try {
            if (path.reconnect(this::wanted)) {
                path.log().notice("%s: connected again", path.name());
            }
            return;
        } catch (Exception e) {
            reason = String.valueOf(e.getMessage());
        }
        if (!wanted()) {
            return;
        }
        if (limits.loss() == 0) {
            path.log().notice("%s: %s", path.name(), reason);
            lose(present());
            return;
        }
        path.log().notice("%s: %s; the next attempt is in %d s", path.name(), reason, limits.delay());
        path.state(ControllerPath.State.RECONNECT_IS_DELAYED);
        delay.await(limits.delay() * SECOND);
    }

    // ---- times that run out -----------------------------------------------------------------------------------

    private void setDeadlines(long number) {
        if (limits.fastFail() > 0) {
            setDeadline(limits.fastFail(), () -> failFast(number));
        }
        if (limits.loss() > 0) {
            setDeadline(limits.loss(), () -> lose(number));
        }
    }

    private void setDeadline(long seconds, Runnable action) {
        reactors.control().submit(() -> {
            if (deadlines.await(seconds * SECOND)) {
                action.run();
            }
            return null;
        });
    }

    private long present() {
        lock.lock();
        try {
            return outage;
        } finally {
            lock.unlock();
        }
    }

    private void failFast(long number) {
        lock.lock();
        try {
            if (!failing || outage != number) {
                return;
            }
            path.log().notice("%s: I/O that waits for it fails from now on", path.name());
            path.giveUp();
        } finally {
            lock.unlock();
        }
    }

    private void lose(long number) {
        lock.lock();
        try {
            if (!failing || outage != number) {
                return;
            }
            path.markDeleting(); // an attempt that succeeds now comes too late
        } finally {
            lock.unlock();
        }
        path.log().warn("%s: given up", path.name());
        path.owner().lost(path);
    }
}
