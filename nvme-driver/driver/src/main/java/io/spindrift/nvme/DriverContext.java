package io.spindrift.nvme;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.sock.Sockets;

/// What a driver and its transports get from the application that they are in.
public record DriverContext(Reactors reactors, Memory memory, Sockets sockets, Log log) {}
