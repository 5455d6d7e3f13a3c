package io.spindrift.nvme.tcp;

import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;

/// Found as a service.
public final class TcpTransportProvider implements NvmeTransportProvider {
    /// For the service loader.
    public TcpTransportProvider() {}

    @Override
    public String name() {
        return TransportId.TCP;
    }

    @Override
    public NvmeTransport create(DriverContext context) {
        return new TcpTransport(context);
    }
}
