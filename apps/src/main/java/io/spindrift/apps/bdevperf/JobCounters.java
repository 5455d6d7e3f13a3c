package io.spindrift.apps.bdevperf;

import java.util.Optional;

/// What one job counts. Belongs to the job's thread; allocates nothing while it counts.
final class JobCounters {
    private final LatencyHistogram histogram;
    private long completed;
    private long failed;
    private long timedOut;
    private long latencySum;
    private long latencyMin = Long.MAX_VALUE;
    private long latencyMax;

    /// Counters that also keep a histogram if `recording`.
    JobCounters(boolean recording) {
        histogram = recording ? new LatencyHistogram() : null;
    }

    /// An I/O has succeeded after `latency` nanoseconds.
    void completed(long latency) {
        completed++;
        latencySum += latency;
        if (latency < latencyMin) {
            latencyMin = latency;
        }
        if (latency > latencyMax) {
            latencyMax = latency;
        }
    }

    /// As [#completed(long)], with the histogram.
    void completedAndRecorded(long latency) {
        completed(latency);
        if (histogram != null) {
            histogram.record(latency);
        }
    }

    /// An I/O has failed. Returns whether it is the first.
    boolean failed(long latency) {
        completedAndRecorded(latency);
        completed--;
        return ++failed == 1;
    }

    /// An I/O takes longer than it should.
    void timedOut() {
        timedOut++;
    }

    /// How many have succeeded.
    long completed() {
        return completed;
    }

    Optional<LatencyHistogram> histogram() {
        return Optional.ofNullable(histogram);
    }

    /// What was counted in `runtimeNanos`.
    JobStatistics statistics(long runtimeNanos) {
        return new JobStatistics(completed, failed, timedOut, latencySum,
                latencyMin == Long.MAX_VALUE ? 0 : latencyMin, latencyMax, runtimeNanos);
    }
}
