package io.spindrift.nvmf;

import io.spindrift.nvmf.ControllerReport.QueuePairReport;
import io.spindrift.nvmf.reservation.Notice;
import java.util.List;
import java.util.Optional;

/// What runs controllers on top of the model: it is told of changes, and asked to end and to list connections.
///
/// All methods run on the control path. Those that tell something run inside the change, after it has been published to
/// every poll group, and must neither wait for hosts nor change the subsystem.
public interface NvmfEngine {
    /// Has no controllers.
    NvmfEngine NONE = new NvmfEngine() {};

    /// A namespace has been added or removed, has a new size or ANA group, or is shown to or hidden from a host.
    default void namespaceChanged(NvmfSubsystem subsystem, long nsid) {}

    /// ANA groups have another access state at a listener.
    default void anaChanged(NvmfSubsystem subsystem, NvmfListener listener) {}

    /// The discovery log has changed, for one host or for all.
    default void discoveryChanged(NvmfTarget target, Optional<String> hostNqn) {}

    /// A host's controllers are to be told what another's command has done to a namespace's reservations. When it returns
    /// their log pages are there.
    default void reservationNotice(NvmfSubsystem subsystem, long nsid, Notice notice) {}

    /// Ends all controllers of a subsystem that is about to be removed, and returns when they are gone.
    default void disconnectAll(NvmfSubsystem subsystem) throws Exception {}

    /// Ends the controllers of a host that is no longer allowed, and returns when they are gone. Throws
    /// [java.util.concurrent.TimeoutException] if some are left after `timeoutMillis`; 0 waits without limit.
    default void disconnectHost(NvmfSubsystem subsystem, String hostNqn, long timeoutMillis) throws Exception {}

    /// Ends the queue pairs that came in through a listener that is about to be removed.
    default void disconnectListener(NvmfSubsystem subsystem, NvmfListener listener) throws Exception {}

    /// The controllers of a subsystem.
    default List<ControllerReport> controllers(NvmfSubsystem subsystem) {
        return List.of();
    }

    /// The queue pairs of a subsystem.
    default List<QueuePairReport> queuePairs(NvmfSubsystem subsystem) {
        return List.of();
    }
}
