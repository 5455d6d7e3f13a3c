package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.framework.thread.CpuMask;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The report against one that SPDK's bdevperf printed.
class ReportTest {
    private static final String PEERS = """
            Running I/O for 5 seconds...
            Latency(us)
            Device Information          : runtime(s)       IOPS      MiB/s     Fail/s     TO/s    Average        min        max
            Job: null0 (Core Mask 0x1, workload: randread, depth: 16, IO size: 4096)
                 null0                  :       5.00 8662985.96   33839.79       0.00     0.00       1.77       1.11    3691.42
            ===================================================================================================================
            Total                       :            8662985.96   33839.79       0.00     0.00       1.77       1.11    3691.42
            """;

    private final PerfFixture fixture = new PerfFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private JobSpec spec(String name, Workload workload) {
        fixture.disk(name, 64);
        return new JobSpec(fixture.registry.get(name), CpuMask.of(0), workload, 4096, 16, 70, 0, 64);
    }

    private static JobResult result(JobSpec spec, JobStatistics statistics, JobResult.Status status) {
        return new JobResult(spec, statistics, status, Optional.empty());
    }

    private static JobStatistics peersFigures() {
        // 43,314,930 I/Os in 5.000000008 s are 8662985.99 a second; the peer's rate is reached with its own runtime.
        long completed = 43_314_930;
        long runtime = Math.round(completed / 8662985.96 * 1e9);
        return new JobStatistics(completed, 0, 0, Math.round(1.77e3 * completed), 1_110, 3_691_420, runtime);
    }

    @Test
    void printsWhatThePeerPrints() {
        JobResult result = result(spec("null0", Workload.RANDREAD), peersFigures(), JobResult.Status.FINISHED);
        assertEquals(PEERS, Report.began(5) + Report.table(List.of(result)));
    }

    @Test
    void saysTheMixOfMixedWorkloads() {
        JobResult result = result(spec("null0", Workload.RANDRW), peersFigures(), JobResult.Status.FINISHED);
        assertTrue(Report.table(List.of(result)).contains(
                "Job: null0 (Core Mask 0x1, workload: randrw, percentage: 70, depth: 16, IO size: 4096)\n"));
    }

    @Test
    void saysThatAJobEndedWithAnError() {
        JobStatistics failed = new JobStatistics(10, 1, 0, 1000, 50, 200, 1_230_000_000L);
        JobResult result = result(spec("null0", Workload.WRITE), failed, JobResult.Status.FAILED);
        assertTrue(Report.table(List.of(result)).contains("Job: null0 ended in about 1.23 seconds with error\n"));
    }

    @Test
    void addsJobsUp() {
        JobStatistics one = new JobStatistics(1000, 100, 10, 1100 * 2000L, 500, 9_000, 1_000_000_000L);
        JobStatistics two = new JobStatistics(3001, 0, 0, 3001 * 6000L, 700, 8_000, 1_000_000_000L);
        JobStatistics idle = new JobStatistics(0, 0, 0, 0, 0, 0, 1_000_000_000L);
        String table = Report.table(List.of(result(spec("a", Workload.WRITE), one, JobResult.Status.FINISHED),
                result(spec("b", Workload.WRITE), two, JobResult.Status.FINISHED),
                result(spec("c", Workload.WRITE), idle, JobResult.Status.FINISHED)));
        // (1100 * 2 us + 3001 * 6 us) / 4101 = 4.93 us; 4001 * 4096 / 2^20 = 15.63
        assertTrue(table.endsWith(
                "Total                       :               4001.00      15.63     100.00    10.00       4.93       0.50       9.00\n"),
                table);
    }

    @Test
    void averagesTheRunningReportExponentially() {
        JobSpec spec = spec("null0", Workload.READ);
        RunningReport report = new RunningReport(List.of(spec), OptionalInt.of(3));
        long second = 1_000_000_000L;
        // M = 2 / (3 + 1) = 0.5: 0 -> 50 -> 125 for rates of 100 and 200
        assertTrue(report.line(List.of(new JobStatistics(100, 0, 0, 1, 1, 1, second))).contains("       50.00 IOPS"));
        assertTrue(report.line(List.of(new JobStatistics(300, 0, 0, 1, 1, 1, 2 * second)))
                .contains("      125.00 IOPS"));
    }

    @Test
    void showsTheRateSoFarWithoutAveraging() {
        RunningReport report = new RunningReport(List.of(spec("null0", Workload.READ)), OptionalInt.empty());
        assertTrue(report.rows(List.of(new JobStatistics(300, 0, 0, 1, 1, 1, 2_000_000_000L)))
                .contains("     null0                  :       2.00     150.00       0.59"));
    }
}
