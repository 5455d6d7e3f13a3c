package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import java.util.ArrayDeque;
import java.util.Deque;

/// What was acquired, to be given back in the opposite order, each under a name for whoever waits for it.
///
/// Used by one thread at a time, except [#current()].
final class Resources {
    private record Held(String what, AutoCloseable resource) {}

    private final Deque<Held> held = new ArrayDeque<>();
    private final Log log;
    private volatile String current = "nothing";

    Resources(Log log) {
        this.log = log;
    }

    /// Keeps `resource` until [#release()].
    <R extends AutoCloseable> R hold(String what, R resource) {
        held.push(new Held(what, resource));
        return resource;
    }

    /// Gives everything back, the youngest first. A failure is logged and the rest goes on; returns whether there was
    /// none.
    boolean release() {
        boolean clean = true;
        while (!held.isEmpty()) {
            Held next = held.pop();
            clean &= perform(next.what(), next.resource());
        }
        return clean;
    }

    /// Closes `resource`, for which [#current()] is `what` meanwhile; a failure is logged. Returns whether it succeeded.
    boolean perform(String what, AutoCloseable resource) {
        current = what;
        try {
            resource.close();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.error("the stop of %s was interrupted", what);
        } catch (Throwable e) { // whatever it is: the rest is given back all the same
            log.error(e, "the stop of %s failed", what);
        } finally {
            current = "nothing";
        }
        return false;
    }

    /// Says that what follows is about `what`.
    void current(String what) {
        current = what;
    }

    /// What is being waited for. Any thread.
    String current() {
        return current;
    }
}
