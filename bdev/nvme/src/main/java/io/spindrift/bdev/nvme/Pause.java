package io.spindrift.bdev.nvme;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reply;
import java.util.ArrayList;
import java.util.List;

/// Lets control threads wait, on an IoThread's clock, until they are called off.
final class Pause {
    private final IoThread thread;
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean cancelled;

    /// One that waits.
    private static final class Waiter {
        private final Reply<Boolean> reply;
        private Poller timer;

        Waiter(Reply<Boolean> reply) {
            this.reply = reply;
        }

        void end(boolean elapsed) {
            timer.unregister();
            reply.complete(elapsed);
        }
    }

    Pause(IoThread thread) {
        this.thread = thread;
    }

    /// The time on the clock.
    long now() {
        return thread.<Long, RuntimeException>call(thread::now);
    }

    /// Waits for `nanos`; false if it was called off. On a control thread.
    boolean await(long nanos) {
        return thread.<Boolean>callAsync(reply -> {
            if (cancelled) {
                reply.complete(false);
                return;
            }
            Waiter waiter = new Waiter(reply);
            waiters.add(waiter);
            waiter.timer = thread.addTimedPoller("bdev_nvme_pause", () -> {
                waiters.remove(waiter);
                waiter.end(true);
                return 1;
            }, Math.max(1, nanos));
        });
    }

    /// Ends the waits, and each that begins until [#renew()]. Any thread.
    void cancel() {
        thread.send(() -> {
            cancelled = true;
            waiters.forEach(waiter -> waiter.end(false));
            waiters.clear();
        });
    }

    /// Waits are possible again.
    void renew() {
        thread.send(() -> cancelled = false);
    }
}
