/// The null bdev: a device that accepts everything and keeps nothing, to measure what is above it.
module io.spindrift.bdev.nulldev {
    requires transitive io.spindrift.bdev;

    exports io.spindrift.bdev.nulldev;

    opens io.spindrift.bdev.nulldev to io.spindrift.framework;

    provides io.spindrift.bdev.spi.BdevModule with io.spindrift.bdev.nulldev.NullBdevModule;
    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.bdev.nulldev.NullRpcs;
}
