package io.spindrift.framework.trace;

/// A reactor, as tracing sees it.
public interface ProbeOwner {
    /// The core it runs on; names its ring.
    int core();

    /// What its data path fires.
    ReactorProbes probes();

    /// Runs `task` on the reactor's thread, between polls, and waits for its end. On a control thread.
    ///
    /// Throws `IllegalStateException` if the reactor has stopped.
    void run(Runnable task);
}
