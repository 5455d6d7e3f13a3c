package io.spindrift.framework.thread;

import java.util.function.IntSupplier;

/// A function that an [IoThread] runs again and again: in every turn (active), at a period (timed), or when a
/// descriptor is readable (fd).
///
/// All methods but the read-only ones run on the owning thread. A poller may unregister itself while it runs.
public final class Poller {
    /// How a poller is scheduled.
    public enum Kind {
        ACTIVE, TIMED, FD
    }

    /// Where a poller is in its life.
    public enum State {
        WAITING, PAUSED, UNREGISTERED
    }

    private final PollerSet set;
    final PollFunction active;
    final IntSupplier function;
    final int fd;
    long periodNanos;
    long nextRun;
    /// Position in the timer heap, or -1.
    int heapIndex = -1;
    State state = State.WAITING;
    long runs;
    long busyRuns;
    long exceptions;
    private final Kind kind;
    private final String name;
    private final long id;

    Poller(PollerSet set, Kind kind, String name, long id, PollFunction active, IntSupplier function, int fd,
            long periodNanos) {
        this.set = set;
        this.kind = kind;
        this.name = name;
        this.id = id;
        this.active = active;
        this.function = function;
        this.fd = fd;
        this.periodNanos = periodNanos;
    }

    public String name() {
        return name;
    }

    /// Unique within its thread.
    public long id() {
        return id;
    }

    public Kind kind() {
        return kind;
    }

    public State state() {
        return state;
    }

    /// The period of a timed poller in nanoseconds, else 0.
    public long periodNanos() {
        return periodNanos;
    }

    /// How often it ran. On the owner.
    public long runCount() {
        return runs;
    }

    /// How often it found work. On the owner.
    public long busyCount() {
        return busyRuns;
    }

    /// How many of its runs ended in an exception. On the owner.
    public long exceptionCount() {
        return exceptions;
    }

    /// Stops running it until [#resume()].
    public void pause() {
        assert set.thread().isCurrent();
        set.pause(this);
    }

    /// Runs it again after [#pause()].
    public void resume() {
        assert set.thread().isCurrent();
        set.resume(this);
    }

    /// Sets the period of a timed poller; its next run is one new period from now.
    public void period(long nanos) {
        assert set.thread().isCurrent();
        set.changePeriod(this, nanos);
    }

    /// Runs it no more; idempotent. A descriptor stays the caller's to close, after this.
    public void unregister() {
        assert set.thread().isCurrent();
        set.unregister(this);
    }
}
