package io.spindrift.nvmf.spi;

import io.spindrift.framework.Check;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The parameters of `nvmf_create_transport` that mean something to some kinds of transport only; each provider checks and
/// uses its own. Empty where a parameter is not given.
///
/// @param c2hSuccess              TCP: read data may carry success with them
/// @param sockPriority            TCP: priority of the sockets
/// @param controlMsgNum           TCP: buffers for large in-capsule data of admin queues
/// @param numCqe                  RDMA: entries of a completion queue
/// @param maxSrqDepth             RDMA: entries of a shared receive queue
/// @param noSrq                   RDMA: no shared receive queue
/// @param acceptorBacklog         RDMA: connections that wait to be accepted
/// @param noWrBatching            RDMA: work requests go out one by one
/// @param disableMappableBar0     vfio-user: doorbells by messages
/// @param disableAdaptiveIrq      vfio-user: an interrupt for each completion
/// @param disableShadowDoorbells  vfio-user: no shadow doorbells
public record TransportExtras(Optional<Boolean> c2hSuccess, OptionalLong sockPriority, OptionalInt controlMsgNum,
        OptionalInt numCqe, OptionalLong maxSrqDepth, Optional<Boolean> noSrq, OptionalInt acceptorBacklog,
        Optional<Boolean> noWrBatching, Optional<Boolean> disableMappableBar0, Optional<Boolean> disableAdaptiveIrq,
        Optional<Boolean> disableShadowDoorbells) {
    public TransportExtras {
        numCqe.ifPresent(entries -> Check.range("num_cqe", entries, 1, Integer.MAX_VALUE));
        acceptorBacklog.ifPresent(waiting -> Check.range("acceptor_backlog", waiting, 1, Integer.MAX_VALUE));
    }

    /// Nothing given.
    public static final TransportExtras NONE = new TransportExtras(Optional.empty(), OptionalLong.empty(),
            OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty(), Optional.empty(), OptionalInt.empty(),
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
