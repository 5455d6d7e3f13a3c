package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevIoType;

/// What went through one [IoPath], by type of I/O. On its thread.
final class PathStatistics {
    private final long[] operations = new long[BdevIoType.COUNT];
    private final long[] blocks = new long[BdevIoType.COUNT];
    private final long[] latencyTicks = new long[BdevIoType.COUNT];
    private final long[] maxLatencyTicks = new long[BdevIoType.COUNT];
    private final long[] minLatencyTicks = new long[BdevIoType.COUNT];

    void count(int type, long numBlocks, long ticks) {
        minLatencyTicks[type] = operations[type] == 0 ? ticks : Math.min(minLatencyTicks[type], ticks);
        operations[type]++;
        blocks[type] += numBlocks;
        latencyTicks[type] += ticks;
        maxLatencyTicks[type] = Math.max(maxLatencyTicks[type], ticks);
    }

    void add(PathStatistics other) {
        for (int type = 0; type < operations.length; type++) {
            if (other.operations[type] > 0) {
                minLatencyTicks[type] = operations[type] == 0
                        ? other.minLatencyTicks[type]
                        : Math.min(minLatencyTicks[type], other.minLatencyTicks[type]);
                operations[type] += other.operations[type];
                blocks[type] += other.blocks[type];
                latencyTicks[type] += other.latencyTicks[type];
                maxLatencyTicks[type] = Math.max(maxLatencyTicks[type], other.maxLatencyTicks[type]);
            }
        }
    }

    long operations(int type) {
        return operations[type];
    }

    long blocks(int type) {
        return blocks[type];
    }

    long latencyTicks(int type) {
        return latencyTicks[type];
    }

    long maxLatencyTicks(int type) {
        return maxLatencyTicks[type];
    }

    /// 0 if there was none.
    long minLatencyTicks(int type) {
        return minLatencyTicks[type];
    }
}
