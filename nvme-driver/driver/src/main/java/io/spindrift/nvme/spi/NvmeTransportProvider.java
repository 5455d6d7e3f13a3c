package io.spindrift.nvme.spi;

import io.spindrift.nvme.DriverContext;

/// Makes a transport; found as a service.
public interface NvmeTransportProvider {
    /// As in a [io.spindrift.nvme.TransportId]: `TCP`.
    String name();

    /// The transport of one driver.
    NvmeTransport create(DriverContext context);
}
