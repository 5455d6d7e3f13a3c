/// Block devices on files and on the kernel's block devices, through io_uring.
///
/// One module for two families of RPC names: `bdev_uring_*` and `bdev_aio_*`.
module io.spindrift.bdev.uring {
    requires transitive io.spindrift.bdev;

    exports io.spindrift.bdev.uring;

    opens io.spindrift.bdev.uring to io.spindrift.framework; // parameter records

    provides io.spindrift.bdev.spi.BdevModule with io.spindrift.bdev.uring.UringBdevModule;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.bdev.uring.UringRpcs;
}
