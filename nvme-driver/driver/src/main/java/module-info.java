/// The NVMe driver: controllers, namespaces and queue pairs of a host, over any transport.
///
/// Read [io.spindrift.nvme] first, then [io.spindrift.nvme.NvmeDriver] and [io.spindrift.nvme.QueuePair].
module io.spindrift.nvme {
    requires transitive io.spindrift.framework;
    requires transitive io.spindrift.nvme.spec;
    requires transitive io.spindrift.sock;

    exports io.spindrift.nvme;
    exports io.spindrift.nvme.spi;

    uses io.spindrift.nvme.spi.NvmeTransportProvider;

    provides io.spindrift.nvme.spi.NvmeTransportProvider with
            io.spindrift.nvme.pcie.PcieTransportProvider,
            io.spindrift.nvme.tcp.TcpTransportProvider;
}
