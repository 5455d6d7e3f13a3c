package io.spindrift.framework.testing;

import io.spindrift.framework.thread.Clock;

/// A clock that stands still until a test moves it.
public final class ManualClock implements Clock {
    private volatile long nanos = 1;

    /// A clock that starts at 1 ns.
    public ManualClock() {}

    @Override
    public long nanos() {
        return nanos;
    }

    /// Moves the clock on by `delta` nanoseconds.
    public void advance(long delta) {
        nanos += delta;
    }
}
