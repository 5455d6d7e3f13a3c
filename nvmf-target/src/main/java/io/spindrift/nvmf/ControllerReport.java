package io.spindrift.nvmf;

import java.util.Optional;
import java.util.UUID;

/// A controller, for `nvmf_subsystem_get_controllers`.
///
/// @param cntlid      its ID
/// @param cntrltype   `io` or `discovery`
/// @param hostnqn     whose it is
/// @param hostid      the host's identifier
/// @param numIoQpairs how many I/O queue pairs it has
public record ControllerReport(int cntlid, String cntrltype, String hostnqn, UUID hostid, int numIoQpairs) {
    /// A queue pair, for `nvmf_subsystem_get_qpairs`.
    ///
    /// @param cntlid  its controller
    /// @param qid     0 for the admin queue
    /// @param state   `enabled`, `connecting`, ...
    /// @param thread  the name of its poll group's thread
    /// @param hostnqn whose it is
    /// @param listen  the listener that it came through
    /// @param peer    the host's own address
    public record QueuePairReport(int cntlid, int qid, String state, String thread, String hostnqn,
            Optional<TransportAddress> listen, Optional<TransportAddress> peer) {}
}
