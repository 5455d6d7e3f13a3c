package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.Reactors;
import java.util.concurrent.atomic.AtomicBoolean;

/// Connects a controller that failed, until it is there again or is given up. One loop at a time, on a control thread.
final class Recovery {
    private static final long SECOND = 1_000_000_000L;

    private final ControllerPath path;
    private final Reactors reactors;
    private final Pause pause;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean stopped;

    Recovery(ControllerPath path, Reactors reactors) {
        this.path = path;
        this.reactors = reactors;
        this.pause = new Pause(reactors.appThread());
    }

    /// The controller has failed.
    void begin() {
        if (running.compareAndSet(false, true)) {
            stopped = false;
            pause.renew();
            reactors.control().submit(() -> {
                run();
                return null;
            });
        }
    }

    /// Others take care of it: the loop ends before its next attempt.
    void pause() {
        stopped = true;
        pause.cancel();
    }

    private void run() {
        boolean lost = false;
        try {
            lost = !recover();
        } finally {
            running.set(false);
        }
        if (lost) {
            path.owner().lost(path);
        } else if (!stopped && path.hasFailed()) {
            begin(); // again, since
        }
    }

    /// Returns false if the controller is to be given up.
    private boolean recover() {
        LossTimeouts limits = path.settings().timeouts();
        long began = pause.now();
        while (!stopped) {
            path.state(ControllerPath.State.RESETTING);
            path.publish();
            String reason;
            try {
                path.reconnect(() -> !stopped);
                if (!stopped) {
                    path.log().notice("%s: connected again", path.name());
                }
                return true;
            } catch (Exception e) {
                reason = e.getMessage();
            }
            if (stopped) {
                return true;
            }
            long elapsed = pause.now() - began;
            if (limits.loss() >= 0 && elapsed >= limits.loss() * SECOND) {
                path.log().warn("%s: given up: %s", path.name(), reason);
                return false;
            }
            path.log().notice("%s: %s; the next attempt is in %d s", path.name(), reason, limits.delay());
            path.state(ControllerPath.State.RECONNECT_IS_DELAYED);
            waitForNext(limits, began, elapsed);
        }
        return true;
    }

    /// Waits for the next attempt, or for the end of the time to make one; has I/O fail when it is time for that.
    private void waitForNext(LossTimeouts limits, long began, long elapsed) {
        long until = elapsed + limits.delay() * SECOND;
        if (limits.loss() > 0) {
            until = Math.min(until, limits.loss() * SECOND);
        }
        long fastFail = limits.fastFail() * SECOND;
        if (fastFail > 0 && !path.hopeless()) {
            if (fastFail > elapsed && fastFail <= until) {
                pause.await(fastFail - elapsed);
            }
            if (!stopped && pause.now() - began >= fastFail) {
                path.log().notice("%s: I/O that waits for it fails from now on", path.name());
                path.giveUp();
            }
        }
        long left = until - (pause.now() - began);
        if (left > 0 && !stopped) {
            pause.await(left);
        }
    }
}
