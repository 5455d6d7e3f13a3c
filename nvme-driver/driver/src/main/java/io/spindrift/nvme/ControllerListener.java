package io.spindrift.nvme;

import java.util.Set;

/// What the owner of an [NvmeController] is told. On control threads, one call at a time for each controller; it may wait,
/// and may call the controller.
public interface ControllerListener {
    /// For owners that need to know nothing.
    ControllerListener IGNORE = new ControllerListener() {};

    /// The controller is of no use any more until it is [reset][NvmeController#reset]: its connection broke, a command took
    /// too long, the device reports a fatal error. Once, until then. `reason` is a sentence.
    default void failed(NvmeController controller, String reason) {}

    /// Namespaces have come, gone or changed: [NvmeController#namespaces()] is as they are now.
    default void namespacesChanged(NvmeController controller, Set<Long> nsids) {}

    /// ANA states have changed: [NvmeController#anaState(long)] is as they are now.
    default void anaChanged(NvmeController controller) {}

    /// The log of a discovery controller has changed.
    default void discoveryLogChanged(NvmeController controller) {}

    /// Any other asynchronous event, dword 0 as in [io.spindrift.nvme.spec.AsyncEvent].
    default void event(NvmeController controller, int dw0) {}

    /// An I/O command takes longer than [ControllerOptions.Timeouts#ioMillis()]; it goes on, and may
    /// have ended by now. `cid` is its command identifier, for an Abort.
    default void timedOut(NvmeController controller, QueuePair queuePair, int cid, String sentence) {}
}
