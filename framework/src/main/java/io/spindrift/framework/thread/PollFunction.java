package io.spindrift.framework.thread;

/// What an active [Poller] runs in each turn of its thread.
///
/// Both methods run on the owning [IoThread], must not block and should not throw (an exception is contained:
/// logged once, counted, and the poller stays registered).
public interface PollFunction {
    /// Does a bounded batch of work and returns how much was done; more than 0 keeps the reactor awake.
    int poll();

    /// The reactor has been idle for its grace period and wants to sleep.
    ///
    /// Returns true if nothing is outstanding, or if what is outstanding will wake the reactor through a registered
    /// descriptor (arm it here, then look once more). Returns false if work is outstanding that only polling finds:
    /// the reactor then goes on polling.
    boolean readyToSleep();
}
