package io.spindrift.bdev;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// How many pooled I/Os an application may have in all (`bdev_io_pool_size`), and who else could use some.
///
/// Channels take from it as they grow and keep what they have while nobody lacks any.
final class IoBudget {
    private final AtomicInteger left;
    private final AtomicLong nextId = new AtomicLong(1);
    /// How many channels wait for an I/O.
    private final AtomicInteger starved = new AtomicInteger();

    IoBudget(int size) {
        left = new AtomicInteger(size);
    }

    /// Takes up to `wanted`; returns how many it got.
    int take(int wanted) {
        while (true) {
            int now = left.get();
            int taken = Math.min(now, wanted);
            if (taken <= 0 || left.compareAndSet(now, now - taken)) {
                return Math.max(0, taken);
            }
        }
    }

    /// Takes one that an I/O under way needs, even if none is left: bounded by the parts of those I/Os.
    void overdraw() {
        left.decrementAndGet();
    }

    void give(int count) {
        left.addAndGet(count);
    }

    int left() {
        return left.get();
    }

    long nextId() {
        return nextId.getAndIncrement();
    }

    void starving() {
        starved.incrementAndGet();
    }

    void fed() {
        starved.decrementAndGet();
    }

    /// Whether any channel waits for an I/O. Opaque, since every turn asks: the answer may be a turn late.
    boolean anyStarving() {
        return starved.getOpaque() > 0;
    }
}
