/// The NVMe bdev: namespaces of controllers that the NVMe driver reaches, over several paths.
///
/// Read [io.spindrift.bdev.nvme] first.
module io.spindrift.bdev.nvme {
    requires io.spindrift.nvme;
    requires transitive io.spindrift.bdev;

    exports io.spindrift.bdev.nvme;

    opens io.spindrift.bdev.nvme to io.spindrift.framework; // parameter records

    uses io.spindrift.nvme.spi.NvmeTransportProvider;

    provides io.spindrift.bdev.spi.BdevModule with io.spindrift.bdev.nvme.NvmeBdevModule;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.bdev.nvme.NvmeBdevRpcs;
}
