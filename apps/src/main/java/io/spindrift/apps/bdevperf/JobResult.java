package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.apps.load.LatencyHistogram;
import java.util.Optional;

/// How a job ended.
///
/// @param histogram its latencies, if they were recorded
record JobResult(JobSpec spec, JobStatistics statistics, Status status, Optional<LatencyHistogram> histogram) {
    /// As `perform_tests` says it.
    enum Status {
        /// It ran for its time.
        FINISHED("finished"),
        /// It stopped, because I/O failed or data was wrong.
        FAILED("failed"),
        /// It was stopped before its time by the user.
        TERMINATED("terminated");

        private final String text;

        Status(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /// Whether anything failed that should not.
    boolean unsound() {
        return status == Status.FAILED || statistics.failed() > 0 && !spec.workload().resets();
    }

    double mebibytesPerSecond(double iops) {
        return iops * spec.ioSize() / (1 << 20);
    }
}
