package io.spindrift.framework.thread;

/// Where a reactor gets the time from: the machine's monotonic clock, or a test's.
///
/// Ticks are nanoseconds throughout the framework.
@FunctionalInterface
public interface Clock {
    /// The machine's monotonic clock.
    Clock SYSTEM = System::nanoTime;

    /// Monotonic nanoseconds from an arbitrary origin. Any thread.
    long nanos();
}
