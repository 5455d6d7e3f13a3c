package io.spindrift.apps.load;

import java.util.Optional;

/// What one job counts. Belongs to the job's thread; allocates nothing while it counts.
public final class JobCounters {
    private final LatencyHistogram histogram;
    private long completed;
    private long failed;
    private long timedOut;
    private long latencySum;
    private long latencyMin = Long.MAX_VALUE;
    private long latencyMax;

    /// Counters that also keep a histogram if `recording`.
    public JobCounters(boolean recording) {
        histogram = recording ? new LatencyHistogram() : null;
    }

    /// An I/O has succeeded after `latency` nanoseconds.
    public void completed(long latency) {
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
    public void completedAndRecorded(long latency) {
        completed(latency);
        if (histogram != null) {
            histogram.record(latency);
        }
    }

    /// An I/O has failed. Returns whether it is the first.
    public boolean failed(long latency) {
        completedAndRecorded(latency);
        completed--;
        return ++failed == 1;
    }

    /// An I/O takes longer than it should.
    public void timedOut() {
        timedOut++;
    }

    /// Forgets all: what was counted so far was warming up.
    public void reset() {
        completed = 0;
        failed = 0;
        timedOut = 0;
        latencySum = 0;
        latencyMin = Long.MAX_VALUE;
        latencyMax = 0;
        if (histogram != null) {
            histogram.reset();
        }
    }

    /// How many have succeeded.
    public long completed() {
        return completed;
    }

    public Optional<LatencyHistogram> histogram() {
        return Optional.ofNullable(histogram);
    }

    /// What was counted in `runtimeNanos`.
    public JobStatistics statistics(long runtimeNanos) {
        return new JobStatistics(completed, failed, timedOut, latencySum,
                latencyMin == Long.MAX_VALUE ? 0 : latencyMin, latencyMax, runtimeNanos);
    }
}
