package io.spindrift.apps.load;

/// What a job has done so far. Latencies are in nanoseconds.
///
/// @param completed    I/Os that succeeded; a write and the read that verifies it are one
/// @param failed       I/Os that failed, those with wrong data among them
/// @param timedOut     I/Os that took longer than the timeout
/// @param latencySum   over all that ended
/// @param latencyMin   0 if none ended
/// @param runtimeNanos from the start to now, or to the end
public record JobStatistics(long completed, long failed, long timedOut, long latencySum, long latencyMin,
        long latencyMax,
        long runtimeNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    public double runtimeSeconds() {
        return runtimeNanos / NANOS_PER_SECOND;
    }

    private double perSecond(long count) {
        return runtimeNanos == 0 ? 0 : count / runtimeSeconds();
    }

    /// Successful I/Os a second.
    public double iops() {
        return perSecond(completed);
    }

    public double failedPerSecond() {
        return perSecond(failed);
    }

    public double timedOutPerSecond() {
        return perSecond(timedOut);
    }

    /// How many ended, well or not.
    public long ended() {
        return completed + failed;
    }

    public double averageLatencyMicros() {
        return ended() == 0 ? 0 : latencySum / 1e3 / ended();
    }

    public double minLatencyMicros() {
        return latencyMin / 1e3;
    }

    public double maxLatencyMicros() {
        return latencyMax / 1e3;
    }
}
