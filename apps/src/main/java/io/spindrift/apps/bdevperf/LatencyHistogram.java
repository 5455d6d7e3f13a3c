package io.spindrift.apps.bdevperf;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// How often which latency occurred, in nanoseconds to 1 %. Written by one thread, allocates when made.
final class LatencyHistogram {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 2;

    private final Histogram histogram = new Histogram(1, HIGHEST_NANOS, DIGITS);

    /// Latencies in `fromNanos..toNanos`, which occurred `count` times; `cumulativePercent` of all are up to there.
    record Bucket(long fromNanos, long toNanos, long count, double cumulativePercent) {}

    void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, HIGHEST_NANOS));
    }

    long count() {
        return histogram.getTotalCount();
    }

    /// The latency that `percent` of all do not exceed. After the run.
    long percentile(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    /// The buckets that are not empty, ascending. After the run.
    List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        long total = histogram.getTotalCount();
        for (HistogramIterationValue value : histogram.recordedValues()) {
            long count = value.getCountAtValueIteratedTo();
            buckets.add(new Bucket(histogram.lowestEquivalentValue(value.getValueIteratedTo()),
                    histogram.highestEquivalentValue(value.getValueIteratedTo()), count,
                    100.0 * value.getTotalCountToThisValue() / total));
        }
        return buckets;
    }
}
