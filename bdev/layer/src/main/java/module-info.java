/// The block-device layer: registry, descriptors, channels, pooled I/O, and the interface that bdev modules implement.
module io.spindrift.bdev {
    requires transitive io.spindrift.framework;

    exports io.spindrift.bdev;
    exports io.spindrift.bdev.dif;
    exports io.spindrift.bdev.spi;

    opens io.spindrift.bdev to io.spindrift.framework; // parameter records

    uses io.spindrift.bdev.spi.BdevModule;

    provides io.spindrift.framework.rpc.RpcCatalog with io.spindrift.bdev.BdevRpcs;
    provides io.spindrift.framework.trace.TraceCatalog with io.spindrift.bdev.BdevTracepoints;
}
