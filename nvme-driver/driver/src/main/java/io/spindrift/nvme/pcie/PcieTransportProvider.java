package io.spindrift.nvme.pcie;

import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.internal.ffi.LinuxVfioCalls;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;

/// Found as a service.
public final class PcieTransportProvider implements NvmeTransportProvider {
    /// For the service loader.
    public PcieTransportProvider() {}

    @Override
    public String name() {
        return TransportId.PCIE;
    }

    @Override
    public NvmeTransport create(DriverContext context) {
        return new PcieTransport(context, new LinuxVfioCalls(), SystemPaths.LINUX);
    }
}
