package io.spindrift.bdev.uring;

import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.memory.spi.MemoryConsumer;

/// Has every channel let go of a region's memory when the region goes.
///
/// By messages and without waiting, because the caller holds the lock of the memory: until they arrive, pages that
/// nobody uses stay pinned, which harms nobody.
final class PinnedRegions implements MemoryConsumer {
    private final UringDevice device;

    PinnedRegions(UringDevice device) {
        this.device = device;
    }

    @Override
    public String name() {
        return "bdev_uring";
    }

    /// Channels register what they use themselves; what matters is to be told of the end.
    @Override
    public long map(MemoryRegion region) {
        return region.counted() ? NOT_MAPPED : 0;
    }

    @Override
    public void unmap(MemoryRegion region, long value) {
        device.forget(region);
    }
}
