package io.spindrift.apps.nvme.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.load.JobCounters;
import io.spindrift.apps.load.JobStatistics;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The report against one that SPDK's spdk_nvme_perf printed of three namespaces in a second.
class PerfReportTest {
    private static final String NULL = "TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:null) NSID 1";
    private static final String FIRST = "TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:cnode1) NSID 1";
    private static final String SECOND = "TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:cnode1) NSID 2";

    private static final String PEERS = """
            ========================================================
                                                                                                                          Latency(us)
            Device Information                                                        :       IOPS      MiB/s    Average        min        max
            TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:null) NSID 1   from core  0:     139.51       0.54   29893.12     639.97  143791.76
            TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:cnode1) NSID 1 from core  0:     143.50       0.56   29057.99     643.45  143771.45
            TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.spdk:cnode1) NSID 2 from core  0:     143.50       0.56   29054.43     644.27  143910.18
            ========================================================
            Total                                                                     :     426.50       1.67   29329.97     639.97  143910.18

            """;

    /// 140 and 144 I/Os in 1.00351 s. The peer's averages are rounded here, so that the total's last digit is one more.
    private static LoadResult result(String name, long completed, double average, double min, double max) {
        return new LoadResult(name, 0, new JobStatistics(completed, 0, 0, Math.round(average * 1000 * completed),
                Math.round(min * 1000), Math.round(max * 1000), 1_003_510_000L), Optional.empty(), false);
    }

    @Test
    void printsWhatThePeerPrints() {
        assertEquals(PEERS, PerfReport.of(List.of(result(NULL, 140, 29893.12, 639.97, 143791.76),
                result(FIRST, 144, 29057.99, 643.45, 143771.45), result(SECOND, 144, 29054.43, 644.27, 143910.18)),
                4096, 0));
    }

    @Test
    void leavesOutALoadThatDidNothingAndTheTotalOfNone() {
        LoadResult none = new LoadResult(NULL, 0, new JobStatistics(0, 0, 0, 0, 0, 0, 1_000_000_000L), Optional.empty(),
                false);
        assertEquals(3, PerfReport.of(List.of(none), 4096, 2).lines().count());
        String one = PerfReport.of(List.of(none, result(FIRST, 100, 5, 1, 9)), 4096, 0);
        assertFalse(one.contains("spdk:null) NSID 1 "));
        assertTrue(one.contains("Total "));
    }

    @Test
    void addsUpRatesAndWeighsAverages() {
        String report = PerfReport.of(List.of(
                new LoadResult("a", 0, new JobStatistics(1000, 0, 0, 1000 * 2_000L, 1_000, 3_000, 1_000_000_000L),
                        Optional.empty(), false),
                new LoadResult("a", 1, new JobStatistics(3000, 0, 0, 3000 * 6_000L, 2_000, 9_000, 1_000_000_000L),
                        Optional.empty(), false)),
                1 << 20, 0);
        assertTrue(report.contains("a from core  1:    3000.00    3000.00       6.00       2.00       9.00\n"), report);
        assertTrue(report.contains("Total         :    4000.00    4000.00       5.00       1.00       9.00\n"), report);
    }

    @Test
    void printsPercentilesAndHistogramsInThePeersForm() {
        JobCounters counters = new JobCounters(true);
        for (int i = 0; i < 99; i++) {
            counters.completedAndRecorded(100);
        }
        counters.completedAndRecorded(200);
        LoadResult result = new LoadResult(NULL, 3, counters.statistics(1_000_000_000L), counters.histogram(), false);
        String report = PerfReport.of(List.of(result), 4096, 2);
        assertTrue(report.contains("""
                Summary latency data for TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.s from core 3:
                =================================================================================
                  1.00000% :     0.100us
                """), report);
        assertTrue(report.contains(" 99.00000% :     0.100us\n 99.50000% :     0.200us\n"), report);
        assertTrue(report.endsWith("""
                Latency histogram for TCP (addr:127.0.0.1 subnqn:nqn.2016-06.io.s from core 3:
                ==============================================================================
                       Range in us     Cumulative    IO count
                    0.100 -     0.100:   99.0000%  (       99)
                    0.200 -     0.200:  100.0000%  (        1)

                """), report);
        assertFalse(PerfReport.of(List.of(result), 4096, 1).contains("histogram"));
    }

    @Test
    void showsProgressInThePeersForm() {
        assertEquals("[warmup]    267000 IOPS,  1042.97 MiB/s\r",
                PerfReport.progress(true, 267_000, 4096, 2, 50, false));
        assertEquals("   267000 IOPS,  1042.97 MiB/s  2 Core(s):  50.00% Busy\r",
                PerfReport.progress(false, 267_000, 4096, 2, 50, true));
    }
}
