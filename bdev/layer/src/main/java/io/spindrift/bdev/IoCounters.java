package io.spindrift.bdev;

/// What a channel counts for one type of I/O. Written by the channel's thread alone.
final class IoCounters {
    long operations;
    long blocks;
    long ticks;
    long maxTicks;
    long minTicks = Long.MAX_VALUE;

    /// Notes one successful I/O.
    void count(long ioBlocks, long latencyTicks) {
        operations++;
        blocks += ioBlocks;
        ticks += latencyTicks;
        if (latencyTicks > maxTicks) {
            maxTicks = latencyTicks;
        }
        if (latencyTicks < minTicks) {
            minTicks = latencyTicks;
        }
    }

    void add(IoCounters other) {
        operations += other.operations;
        blocks += other.blocks;
        ticks += other.ticks;
        maxTicks = Math.max(maxTicks, other.maxTicks);
        minTicks = Math.min(minTicks, other.minTicks);
    }

    void reset(StatisticsReset what) {
        if (what.counts()) {
            operations = 0;
            blocks = 0;
            ticks = 0;
        }
        if (what.extremes()) {
            maxTicks = 0;
            minTicks = Long.MAX_VALUE;
        }
    }
}
