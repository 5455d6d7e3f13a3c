package io.spindrift.framework.memory;

import io.spindrift.framework.Check;

/// How many buffers an application has and how long they are; settable before it initialises (`iobuf_set_options`).
///
/// @param smallPoolCount buffers in the small pool, at least 64
/// @param largePoolCount buffers in the large pool, at least 8
/// @param smallBufsize bytes in a small buffer, at least 4096
/// @param largeBufsize bytes in a large buffer, at least 8192 and not less than a small one
/// @param enableNuma accepted and kept for configuration files; there is one pool of each size
public record BufferPoolOptions(long smallPoolCount, long largePoolCount, long smallBufsize, long largeBufsize,
        boolean enableNuma) {
    /// 8192 buffers of 8 KiB, 1024 of 132 KiB.
    public static final BufferPoolOptions DEFAULT = new BufferPoolOptions(8192, 1024, 8192, 135_168, false);

    /// A pool's bookkeeping, not its memory, sets this limit: 48 GiB of heap would be needed for more.
    private static final long MAX_COUNT = 1L << 24;
    private static final long MAX_BUFSIZE = 1L << 30;

    public BufferPoolOptions {
        Check.range("small_pool_count", smallPoolCount, 64, MAX_COUNT);
        Check.range("large_pool_count", largePoolCount, 8, MAX_COUNT);
        Check.range("small_bufsize", smallBufsize, 4096, MAX_BUFSIZE);
        Check.range("large_bufsize", largeBufsize, 8192, MAX_BUFSIZE);
        if (largeBufsize < smallBufsize) {
            throw new IllegalArgumentException(
                    "large_bufsize=" + largeBufsize + " must be at least small_bufsize=" + smallBufsize);
        }
    }
}
