package io.spindrift.framework.memory;

/// How a module fared with both pools, over the channels it has open.
///
/// @param module the name it opened them by
public record BufferStats(String module, Pool smallPool, Pool largePool) {
    /// One pool.
    ///
    /// @param cache how often a thread's cache had a buffer
    /// @param main how often the shared pool had to be asked and had one
    /// @param retry how often a request had to wait
    /// @param cacheSize how many buffers the channels' caches can keep
    public record Pool(long cache, long main, long retry, long cacheSize) {
        static final Pool NONE = new Pool(0, 0, 0, 0);

        Pool plus(Pool other) {
            return new Pool(cache + other.cache, main + other.main, retry + other.retry, cacheSize + other.cacheSize);
        }
    }

    BufferStats plus(BufferStats other) {
        return new BufferStats(module, smallPool.plus(other.smallPool), largePool.plus(other.largePool));
    }
}
