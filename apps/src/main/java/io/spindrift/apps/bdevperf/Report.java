package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobStatistics;
import java.util.List;
import java.util.Locale;

/// What bdevperf prints about jobs: SPDK's table, column by column.
final class Report {
    private static final String RULE = "=".repeat(115);
    private static final String SHORT_RULE = "=".repeat(45);

    private final StringBuilder text = new StringBuilder();
    private double iops;
    private double mebibytes;
    private double failed;
    private double timedOut;
    private long ended;
    private long latencySum;
    private double latencyMin = Double.MAX_VALUE;
    private double latencyMax;

    private Report() {}

    /// The line that a run begins with.
    static String began(int seconds) {
        return "Running I/O for " + seconds + " seconds...\n";
    }

    /// The two lines above the table.
    static String header() {
        return "Latency(us)\n" + format("%-28s: %10s %10s %10s %10s %8s %10s %10s %10s%n", "Device Information",
                "runtime(s)", "IOPS", "MiB/s", "Fail/s", "TO/s", "Average", "min", "max");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), values);
    }

    /// The table of a run that is over.
    static String table(List<JobResult> results) {
        Report report = new Report();
        report.text.append(header());
        for (JobResult result : results) {
            report.description(result.spec());
            if (result.status() == JobResult.Status.FAILED) {
                report.text.append(format("Job: %s ended in about %.2f seconds with error%n", result.spec().name(),
                        result.statistics().runtimeSeconds()));
            }
            report.row(result.spec(), result.statistics(), result.statistics().iops());
        }
        report.total();
        return report.text.toString();
    }

    /// The rows of one period of the running report; `rates` are the I/Os a second to show.
    static String period(List<JobSpec> specs, List<JobStatistics> statistics, List<Double> rates) {
        Report report = new Report();
        for (int i = 0; i < specs.size(); i++) {
            report.description(specs.get(i));
            report.row(specs.get(i), statistics.get(i), rates.get(i));
        }
        report.total();
        return report.text.append('\n').toString();
    }

    private void description(JobSpec spec) {
        String mix = spec.workload().mixed() ? " percentage: " + spec.readPercent() + "," : "";
        text.append(format("Job: %s (Core Mask %s, workload: %s,%s depth: %d, IO size: %d)%n", spec.name(),
                spec.cores(), spec.workload().text(), mix, spec.depth(), spec.ioSize()));
        if (spec.workload().verifies()) {
            text.append(format("     Verification LBA range: start 0x%x length 0x%x%n", spec.firstBlock(),
                    spec.units() * spec.blocksPerIo()));
        }
    }

    private void row(JobSpec spec, JobStatistics done, double rate) {
        double bytes = rate * spec.ioSize() / (1 << 20);
        text.append(format("     %-23s: %10.2f %10.2f %10.2f", spec.name(), done.runtimeSeconds(), rate, bytes));
        rest(done.failedPerSecond(), done.timedOutPerSecond(), done.averageLatencyMicros(), done.minLatencyMicros(),
                done.maxLatencyMicros());
        iops += rate;
        mebibytes += bytes;
        failed += done.failedPerSecond();
        timedOut += done.timedOutPerSecond();
        ended += done.ended();
        latencySum += done.latencySum();
        if (done.ended() > 0) {
            latencyMin = Math.min(latencyMin, done.minLatencyMicros());
            latencyMax = Math.max(latencyMax, done.maxLatencyMicros());
        }
    }

    private void total() {
        text.append(RULE).append('\n');
        text.append(format("%-28s: %10s %10.2f %10.2f", "Total", "", iops, mebibytes));
        rest(failed, timedOut, ended == 0 ? 0 : latencySum / 1e3 / ended, ended == 0 ? 0 : latencyMin, latencyMax);
    }

    private void rest(double fails, double timeouts, double average, double min, double max) {
        text.append(format(" %10.2f %8.2f %10.2f %10.2f %10.2f%n", fails, timeouts, average, min, max));
    }

    /// `level` 1: the latency percentiles of each job; 2: its histogram too; 0: nothing.
    static String latencies(List<JobResult> results, int level) {
        StringBuilder text = new StringBuilder();
        if (level >= 1) {
            text.append("\nLatency summary\n");
            results.forEach(result -> percentiles(text, result));
        }
        if (level >= 2) {
            text.append("Latency histogram\n");
            results.forEach(result -> histogram(text, result));
        }
        return text.toString();
    }

    private static void jobTitle(StringBuilder text, JobResult result) {
        text.append(SHORT_RULE).append('\n');
        text.append(format("Job: %s (Core Mask %s)%n", result.spec().name(), result.spec().cores()));
    }

    private static void percentiles(StringBuilder text, JobResult result) {
        jobTitle(text, result);
        result.histogram().ifPresent(latencies -> text.append(latencies.summary()));
        text.append('\n');
    }

    private static void histogram(StringBuilder text, JobResult result) {
        jobTitle(text, result);
        result.histogram().ifPresent(latencies -> text.append(latencies.table()));
        text.append('\n');
    }
}
