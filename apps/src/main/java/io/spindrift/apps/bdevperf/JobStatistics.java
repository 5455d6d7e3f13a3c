package io.spindrift.apps.bdevperf;

/// What a job has done so far. Latencies are in nanoseconds.
///
/// @param completed    I/Os that succeeded; a write and the read that verifies it are one
/// @param failed       I/Os that failed, those with wrong data among them
/// @param timedOut     I/Os that took longer than the timeout
/// @param latencySum   over all that ended
/// @param latencyMin   0 if none ended
/// @param runtimeNanos from the start to now, or to the end
record JobStatistics(long completed, long failed, long timedOut, long latencySum, long latencyMin, long latencyMax,
        long runtimeNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    double runtimeSeconds() {
        return runtimeNanos / NANOS_PER_SECOND;
    }

    private double perSecond(long count) {
        return runtimeNanos == 0 ? 0 : count / runtimeSeconds();
    }

    /// Successful I/Os a second.
    double iops() {
        return perSecond(completed);
    }

    double failedPerSecond() {
        return perSecond(failed);
    }

    double timedOutPerSecond() {
        return perSecond(timedOut);
    }

    /// How many ended, well or not.
    long ended() {
        return completed + failed;
    }

    double averageLatencyMicros() {
        return ended() == 0 ? 0 : latencySum / 1e3 / ended();
    }

    double minLatencyMicros() {
        return latencyMin / 1e3;
    }

    double maxLatencyMicros() {
        return latencyMax / 1e3;
    }
}
