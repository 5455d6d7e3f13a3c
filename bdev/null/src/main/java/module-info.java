/// The null bdev: a device that accepts everything and keeps nothing, to measure what is above it.
module io.spindrift.bdev.nulldev {
    requires transitive io.spindrift.bdev;

    exports io.spindrift.bdev.nulldev;

    provides io.spindrift.bdev.spi.BdevModule with io.spindrift.bdev.nulldev.NullBdevModule;
}
