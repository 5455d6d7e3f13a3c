package io.spindrift.nvmf.engine;

import io.spindrift.framework.memory.BufferPools;
import io.spindrift.sock.Sockets;
import java.util.function.Supplier;

/// What the transports of a target use.
///
/// @param sockets where connections come from
/// @param pools   where their data are; asked for when there is a target
public record TargetResources(Sockets sockets, Supplier<BufferPools> pools) {}
