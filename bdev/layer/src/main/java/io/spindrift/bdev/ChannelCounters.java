package io.spindrift.bdev;

import java.util.Optional;

/// What a channel counts of the I/Os of its callers as they end: statistics, failures and, if asked for, latencies.
///
/// On the channel's thread; allocates nothing while I/O ends.
final class ChannelCounters {
    private final IoCounters[] byType = new IoCounters[BdevIoType.COUNT];
    private final FailureCounts failures = new FailureCounts();
    private Optional<LatencyHistogram> histogram = Optional.empty();

    ChannelCounters() {
        for (int type = 0; type < byType.length; type++) {
            byType[type] = new IoCounters();
        }
    }

    /// By type of I/O, for the fast path: to count a success there, when there is no histogram.
    IoCounters[] byType() {
        return byType;
    }

    /// Counts `io`, which has ended after `latency` nanoseconds.
    void count(BdevIo io, long latency) {
        if (io.status != BdevStatus.SUCCESS) {
            failures.count(io.status);
            return;
        }
        int type = countedAs(io);
        byType[type].count(io.numBlocks, latency);
        if (histogram.isPresent() && histogram.get().counts(type)) {
            histogram.get().count(latency);
        }
    }

    /// Borrowing contents is a read, and giving memory back to be kept is a write.
    private static int countedAs(BdevIo io) {
        return switch (io.type) {
            case BdevIoType.ZCOPY_START -> io.populate() ? BdevIoType.READ : io.type;
            case BdevIoType.ZCOPY_END -> io.commit() ? BdevIoType.WRITE : io.type;
            default -> io.type;
        };
    }

    /// What was done through the channel: a copy.
    BdevStatistics statistics() {
        BdevStatistics snapshot = new BdevStatistics();
        snapshot.add(byType, failures);
        return snapshot;
    }

    void reset(StatisticsReset what) {
        for (IoCounters counter : byType) {
            counter.reset(what);
        }
        if (what.errors()) {
            failures.clear();
        }
    }

    /// What latencies are counted in.
    Optional<LatencyHistogram> histogram() {
        return histogram;
    }

    void histogram(Optional<LatencyHistogram> wanted) {
        histogram = wanted;
    }
}
