package io.spindrift.framework.memory;

import io.spindrift.framework.Check;
import io.spindrift.framework.thread.IoThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// An application's two buffer pools, for data that has no memory of its own yet.
///
/// Threads use them through a [BufferChannel] each. Running out is back-pressure: who asks is queued, and served in the
/// order of asking over all threads. Memory that is never used is never touched.
public final class BufferPools implements AutoCloseable {
    /// Free buffers a thread keeps for itself, unless configured otherwise.
    public static final int DEFAULT_SMALL_CACHE_SIZE = 128;
    public static final int DEFAULT_LARGE_CACHE_SIZE = 16;

    /// The most buffers of a pool that a channel may keep.
    public static final int MAX_CACHE_SIZE = 1 << 20;

    private final Memory memory;
    private final BufferPoolOptions options;
    private final BufferPool small;
    private final BufferPool large;
    private final CopyOnWriteArrayList<String> modules = new CopyOnWriteArrayList<>();
    private final CopyOnWriteArrayList<BufferChannel> channels = new CopyOnWriteArrayList<>();

    /// Allocates both pools. Control path.
    public BufferPools(Memory memory, BufferPoolOptions options) {
        this.memory = memory;
        this.options = options;
        this.small = new BufferPool(memory, "iobuf small", (int) options.smallPoolCount(), options.smallBufsize());
        try {
            this.large = new BufferPool(memory, "iobuf large", (int) options.largePoolCount(), options.largeBufsize());
        } catch (RuntimeException e) {
            memory.free(small.region());
            throw e;
        }
    }

    public BufferPoolOptions options() {
        return options;
    }

    /// The most bytes that one buffer holds.
    public long largestCapacity() {
        return large.capacity();
    }

    /// Lists `module` in the statistics, before it opens a channel. Any thread.
    public void registerModule(String module) {
        modules.addIfAbsent(module);
    }

    /// Opens a channel for `module` on the current [IoThread], which closes it.
    ///
    /// @param smallCacheSize how many free small buffers it may keep, 0 for none
    /// @param largeCacheSize how many free large buffers it may keep, 0 for none
    /// @throws IllegalStateException off a reactor
    public BufferChannel openChannel(String module, int smallCacheSize, int largeCacheSize) {
        Check.range("small_cache_size", smallCacheSize, 0, MAX_CACHE_SIZE);
        Check.range("large_cache_size", largeCacheSize, 0, MAX_CACHE_SIZE);
        IoThread thread = IoThread.current();
        if (thread == null) {
            throw new IllegalStateException("module=" + module + ": a buffer channel belongs to an IoThread");
        }
        registerModule(module);
        BufferChannel channel = new BufferChannel(this, module, thread, new BufferCache(small, thread, smallCacheSize),
                new BufferCache(large, thread, largeCacheSize));
        channels.add(channel);
        return channel;
    }

    void forget(BufferChannel channel) {
        channels.remove(channel);
    }

    /// Gives back a buffer from a thread without a channel. Any thread; never blocks.
    ///
    /// @throws IllegalStateException if the buffer is free already
    public void release(Buffer buffer) {
        buffer.takeBack();
        buffer.pool().handOut(buffer, null);
    }

    /// How each module fares, in the order in which they were registered. From control threads only.
    public List<BufferStats> stats() {
        List<BufferStats> result = new ArrayList<>();
        List<BufferStats> current = new ArrayList<>();
        for (BufferChannel channel : channels) {
            channel.thread().callIfAlive(() -> current.add(channel.stats()));
        }
        for (String module : modules) {
            result.add(current.stream().filter(s -> s.module().equals(module))
                    .reduce(new BufferStats(module, BufferStats.Pool.NONE, BufferStats.Pool.NONE), BufferStats::plus));
        }
        return result;
    }

    /// Frees the pools' memory; all channels are closed, all I/O has ended. Control path.
    @Override
    public void close() {
        memory.free(small.region());
        memory.free(large.region());
    }
}
