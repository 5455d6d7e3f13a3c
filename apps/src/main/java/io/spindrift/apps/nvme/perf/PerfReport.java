package io.spindrift.apps.nvme.perf;

import java.util.List;
import java.util.Locale;

/// What spdk_nvme_perf prints about loads: SPDK's table, column by column.
final class PerfReport {
    private static final String RULE = "=".repeat(56);
    private static final String SUMMARY_RULE = "=".repeat(81);
    private static final String HISTOGRAM_RULE = "=".repeat(78);
    private static final int CORE_WIDTH = 13; // " from core NN"
    private static final double MEBIBYTE = 1 << 20;

    private final StringBuilder text = new StringBuilder();
    private final int width;
    private final int ioSize;
    private double iops;
    private long ended;
    private long latencySum;
    private double latencyMin = Double.MAX_VALUE;
    private double latencyMax;

    private PerfReport(int width, int ioSize) {
        this.width = width;
        this.ioSize = ioSize;
    }

    /// The table of a run of I/Os of `ioSize` bytes; `level` 1: with each load's latency percentiles, 2: with its histogram.
    static String of(List<LoadResult> results, int ioSize, int level) {
        int width = results.stream().mapToInt(result -> result.name().length()).max().orElse(0);
        PerfReport report = new PerfReport(width, ioSize);
        report.header();
        results.stream().filter(result -> result.statistics().completed() > 0).forEach(report::row);
        if (report.ended > 0) {
            report.total();
            report.latencies(results, level);
        }
        return report.text.toString();
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private void header() {
        add("%s", RULE);
        add("%" + (width + 60) + "s", "Latency(us)");
        add("%-" + (width + CORE_WIDTH) + "s: %10s %10s %10s %10s %10s", "Device Information", "IOPS", "MiB/s",
                "Average",
                "min", "max");
    }

    private void row(LoadResult result) {
        var done = result.statistics();
        figures(String.format(Locale.ROOT, "%-" + Math.max(1, width) + "s from core %2d", result.name(), result.core()),
                done.iops(), done.averageLatencyMicros(), done.minLatencyMicros(), done.maxLatencyMicros());
        iops += done.iops();
        ended += done.ended();
        latencySum += done.latencySum();
        latencyMin = Math.min(latencyMin, done.minLatencyMicros());
        latencyMax = Math.max(latencyMax, done.maxLatencyMicros());
    }

    private void figures(String title, double rate, double average, double min, double max) {
        add("%s: %10.2f %10.2f %10.2f %10.2f %10.2f", title, rate, rate * ioSize / MEBIBYTE, average, min, max);
    }

    private void total() {
        add("%s", RULE);
        figures(String.format(Locale.ROOT, "%-" + (width + CORE_WIDTH) + "s", "Total"), iops, latencySum / 1e3 / ended,
                latencyMin, latencyMax);
        text.append('\n');
    }

    private void latencies(List<LoadResult> results, int level) {
        if (level >= 1) {
            for (LoadResult result : results) {
                add("Summary latency data for %-43.43s from core %d:", result.name(), result.core());
                add("%s", SUMMARY_RULE);
                result.histogram().ifPresent(histogram -> text.append(histogram.summary()));
                text.append('\n');
            }
        }
        if (level >= 2) {
            for (LoadResult result : results) {
                add("Latency histogram for %-43.43s from core %d:", result.name(), result.core());
                add("%s", HISTOGRAM_RULE);
                add("       Range in us     Cumulative    IO count");
                result.histogram().ifPresent(histogram -> text.append(histogram.table()));
                text.append('\n');
            }
        }
    }

    /// What a terminal shows of the last second: `ios` ended, and how busy `cores` cores were, if that is wanted.
    static String progress(boolean warmUp, long ios, int ioSize, int cores, double busyPercent, boolean cpuUsage) {
        return String.format(Locale.ROOT, "%s%9d IOPS, %8.2f MiB/s%s\r", warmUp ? "[warmup] " : "", ios,
                ios * (double) ioSize / MEBIBYTE,
                cpuUsage ? String.format(Locale.ROOT, "%3d Core(s): %6.2f%% Busy", cores, busyPercent) : "");
    }
}
