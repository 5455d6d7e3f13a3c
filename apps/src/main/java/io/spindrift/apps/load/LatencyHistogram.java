package io.spindrift.apps.load;

import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// How often which latency occurred, in nanoseconds to 1 %. Written by one thread, allocates when made.
public final class LatencyHistogram {
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 2;
    private static final double[] PERCENTILES = {1, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.9, 99.99, 99.999, 99.9999,
            99.99999};

    private final Histogram histogram = new Histogram(1, HIGHEST_NANOS, DIGITS);

    public void record(long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, HIGHEST_NANOS));
    }

    void reset() {
        histogram.reset();
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /// The latency that `percent` of all do not exceed. After the run.
    public long percentile(double percent) {
        return histogram.getValueAtPercentile(percent);
    }

    /// The latencies that so many in a hundred do not exceed, one a line, as SPDK's programs print them; empty if there are
    /// none. After the run.
    public String summary() {
        StringBuilder text = new StringBuilder();
        if (count() > 0) {
            for (double percent : PERCENTILES) {
                text.append(String.format(Locale.ROOT, "%9.5f%% : %9.3fus\n", percent,
                        percentile(percent) / 1e3));
            }
        }
        return text.toString();
    }

    /// The buckets that are not empty, ascending, one a line: their range in microseconds, how many in a hundred are up to
    /// there, how many are in it. After the run.
    public String table() {
        StringBuilder text = new StringBuilder();
        long total = count();
        for (HistogramIterationValue value : histogram.recordedValues()) {
            long reached = value.getValueIteratedTo();
            text.append(String.format(Locale.ROOT, "%9.3f - %9.3f: %9.4f%%  (%9d)\n",
                    histogram.lowestEquivalentValue(reached) / 1e3, histogram.highestEquivalentValue(reached) / 1e3,
                    100.0 * value.getTotalCountToThisValue() / total, value.getCountAtValueIteratedTo()));
        }
        return text.toString();
    }
}
