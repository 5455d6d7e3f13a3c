package io.spindrift.framework.memory;

import io.spindrift.framework.thread.IoThread;

/// One module's access to the buffer pools on one thread: a cache of each pool, and the thread's place in the queues.
///
/// All methods run on the thread; none blocks, allocates, or throws for want of a buffer. Closed by who opened it, with
/// no waiter queued; buffers still out may be released by another channel or by [BufferPools#release].
public final class BufferChannel implements AutoCloseable {
    private final BufferPools pools;
    private final String module;
    private final IoThread thread;
    private final BufferCache small;
    private final BufferCache large;

    BufferChannel(BufferPools pools, String module, IoThread thread, BufferCache small, BufferCache large) {
        this.pools = pools;
        this.module = module;
        this.thread = thread;
        this.small = small;
        this.large = large;
    }

    public IoThread thread() {
        return thread;
    }

    String module() {
        return module;
    }

    /// A buffer of at least `byteLength` bytes, from the smaller pool whose buffers are long enough. Null if none is
    /// free or others here wait already: then `waiter` is queued behind them, and gets the buffer later.
    ///
    /// @throws IllegalArgumentException if `byteLength` is more than [BufferPools#largestCapacity]: split first
    public Buffer get(long byteLength, BufferWaiter waiter) {
        assert thread.isCurrent();
        return cacheFor(byteLength).get(waiter);
    }

    /// As [#get], without waiting.
    public Buffer tryGet(long byteLength) {
        assert thread.isCurrent();
        return cacheFor(byteLength).tryGet();
    }

    private BufferCache cacheFor(long byteLength) {
        if (byteLength <= small.pool().capacity()) {
            return small;
        }
        if (byteLength > large.pool().capacity()) {
            throw new IllegalArgumentException(
                    "byteLength=" + byteLength + " is more than large_bufsize=" + large.pool().capacity());
        }
        return large;
    }

    /// Gives back a buffer that any channel of the same pools gave out. If somebody waits for one like it, the oldest
    /// waiter gets it; if that one is of this channel, it does within this call.
    ///
    /// @throws IllegalStateException if the buffer is free already
    /// @throws IllegalArgumentException if it is another application's
    public void release(Buffer buffer) {
        assert thread.isCurrent();
        BufferPool pool = buffer.pool();
        if (pool == small.pool()) {
            small.release(buffer);
        } else if (pool == large.pool()) {
            large.release(buffer);
        } else {
            throw new IllegalArgumentException(
                    "buffer=0x" + Long.toHexString(buffer.address()) + " is not of these pools");
        }
    }

    /// Ends a waiter's wait. False if it does not wait on this channel (any more): it has its buffer.
    public boolean cancel(BufferWaiter waiter) {
        assert thread.isCurrent();
        return small.cancel(waiter) || large.cancel(waiter);
    }

    BufferStats stats() {
        return new BufferStats(module, small.stats(), large.stats());
    }

    /// Gives the cached buffers back to all.
    ///
    /// @throws IllegalStateException if a waiter is queued
    @Override
    public void close() {
        assert thread.isCurrent();
        small.close();
        large.close();
        pools.forget(this);
    }
}
