package io.spindrift.bdev;

import io.spindrift.framework.Check;
import io.spindrift.framework.memory.BufferPools;

/// The block layer's settings, `bdev_set_options`.
///
/// @param ioPoolSize      pooled I/Os of the whole application
/// @param ioCacheSize     how many of them a channel keeps when others lack some
/// @param autoExamine     whether modules examine devices as they appear
/// @param smallBufferCache bounce buffers that a thread keeps, small ones
/// @param largeBufferCache and large ones
public record BdevOptions(int ioPoolSize, int ioCacheSize, boolean autoExamine, int smallBufferCache,
        int largeBufferCache) {
    public static final BdevOptions DEFAULT = new BdevOptions(65535, 256, true,
            BufferPools.DEFAULT_SMALL_CACHE_SIZE, BufferPools.DEFAULT_LARGE_CACHE_SIZE);

    public BdevOptions {
        Check.range("bdev_io_cache_size", ioCacheSize, 0, Integer.MAX_VALUE);
        Check.range("bdev_io_pool_size", ioPoolSize, 1, Integer.MAX_VALUE);
    }
}
