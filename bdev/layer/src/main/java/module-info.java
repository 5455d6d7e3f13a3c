/// The block-device layer: registry, descriptors, channels, pooled I/O, and the interface that bdev modules implement.
module io.spindrift.bdev {
    requires transitive io.spindrift.framework;

    exports io.spindrift.bdev;
    exports io.spindrift.bdev.dif;
    exports io.spindrift.bdev.spi;

    provides io.spindrift.framework.trace.TraceCatalog with io.spindrift.bdev.BdevTracepoints;
}
