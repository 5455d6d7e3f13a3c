package io.spindrift.nvmf.engine;

import io.spindrift.framework.memory.BufferPools;
import io.spindrift.sock.Sockets;
import java.util.function.Supplier;

/// What the transports of a target use.
///
/// @param sockets where connections come from
/// @param pools   where their data are; asked for when there is a target
/// @param forceZeroCopy whether sockets send without a copy on loopback, too, where the kernel copies all the same: for tests
public record TargetResources(Sockets sockets, Supplier<BufferPools> pools, boolean forceZeroCopy) {
    /// For hosts.
    public TargetResources(Sockets sockets, Supplier<BufferPools> pools) {
        this(sockets, pools, false);
    }
}
