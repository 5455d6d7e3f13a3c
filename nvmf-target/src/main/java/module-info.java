/// The NVMe over Fabrics target: its subsystems, namespaces, hosts and listeners, the RPCs that make them, and what a
/// transport implements.
///
/// Read [io.spindrift.nvmf] first, then [io.spindrift.nvmf.NvmfTarget] and [io.spindrift.nvmf.PollGroup].
module io.spindrift.nvmf {
    requires transitive io.spindrift.bdev;

    requires io.spindrift.nvme.spec;
    requires transitive io.spindrift.sock;

    exports io.spindrift.nvmf;
    exports io.spindrift.nvmf.engine;
    exports io.spindrift.nvmf.reservation;
    exports io.spindrift.nvmf.spi;

    opens io.spindrift.nvmf.rpc to io.spindrift.framework; // parameter and result records

    uses io.spindrift.nvmf.spi.NvmfTransportProvider;

    provides io.spindrift.nvmf.spi.NvmfTransportProvider with io.spindrift.nvmf.tcp.TcpTransportProvider;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.nvmf.rpc.NvmfRpcs;
}
