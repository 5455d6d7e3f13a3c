package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// What is shown while a run goes on (`-S`): each period the rates so far or, with `-P N`, their exponential moving
/// average: `A = rate of this period * 2 / (N + 1) + A before * (1 - 2 / (N + 1))`, from 0. One thread.
final class RunningReport {
    private final List<JobSpec> specs;
    private final OptionalInt averagePeriods;
    private final double[] averages;
    private final long[] completedBefore;
    private final long[] runtimeBefore;

    RunningReport(List<JobSpec> specs, OptionalInt averagePeriods) {
        this.specs = List.copyOf(specs);
        this.averagePeriods = averagePeriods;
        this.averages = new double[specs.size()];
        this.completedBefore = new long[specs.size()];
        this.runtimeBefore = new long[specs.size()];
    }

    /// The rows of this period; `statistics` in the order of the specs.
    String rows(List<JobStatistics> statistics) {
        return Report.period(specs, statistics, rates(statistics));
    }

    /// One line that a terminal can write over the last.
    String line(List<JobStatistics> statistics) {
        List<Double> rates = rates(statistics);
        double iops = 0;
        double bytes = 0;
        for (int i = 0; i < specs.size(); i++) {
            iops += rates.get(i);
            bytes += rates.get(i) * specs.get(i).ioSize();
        }
        return String.format(Locale.ROOT, "%12.2f IOPS, %8.2f MiB/s\r", iops, bytes / (1 << 20));
    }

    private List<Double> rates(List<JobStatistics> statistics) {
        List<Double> rates = new ArrayList<>();
        for (int i = 0; i < specs.size(); i++) {
            JobStatistics now = statistics.get(i);
            rates.add(averagePeriods.isPresent() ? average(i, now) : now.iops());
            completedBefore[i] = now.completed();
            runtimeBefore[i] = now.runtimeNanos();
        }
        return rates;
    }

    private double average(int job, JobStatistics now) {
        long nanos = now.runtimeNanos() - runtimeBefore[job];
        double rate = nanos == 0 ? 0 : (now.completed() - completedBefore[job]) * 1e9 / nanos;
        averages[job] += (rate - averages[job]) * 2 / (averagePeriods.orElseThrow() + 1);
        return averages[job];
    }
}
