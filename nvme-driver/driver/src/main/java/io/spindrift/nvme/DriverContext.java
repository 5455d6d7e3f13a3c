package io.spindrift.nvme;

import io.spindrift.framework.app.PciFlags;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.sock.Sockets;

/// What a driver and its transports get from the application that they are in.
public record DriverContext(Reactors reactors, Memory memory, Sockets sockets, Log log, PciFlags pci) {
    /// Any PCI device may be used.
    public DriverContext(Reactors reactors, Memory memory, Sockets sockets, Log log) {
        this(reactors, memory, sockets, log, PciFlags.DEFAULT);
    }
}
