package io.spindrift.nvmf.engine;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.sock.Sockets;
import java.util.function.Supplier;

/// What the transports of a target use.
///
/// @param sockets where connections come from
/// @param pools   where their data are; asked for when there is a target
/// @param log     where they tell what they do
/// @param forceZeroCopy whether sockets send without a copy on loopback, too, where the kernel copies all the same: for tests
public record TargetResources(Sockets sockets, Supplier<BufferPools> pools, Log log, boolean forceZeroCopy) {
    /// For hosts.
    public TargetResources(Sockets sockets, Supplier<BufferPools> pools, Log log) {
        this(sockets, pools, log, false);
    }
}
