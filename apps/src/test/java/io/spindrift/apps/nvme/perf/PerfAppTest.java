package io.spindrift.apps.nvme.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.nvme.ProgramRun;
import io.spindrift.apps.nvme.ServedTarget;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The program against a target in this JVM.
@Timeout(120)
class PerfAppTest {
    private static ServedTarget target;

    @BeforeAll
    static void serve() throws Exception {
        target = new ServedTarget();
    }

    @AfterAll
    static void end() {
        target.close();
    }

    /// Runs with the flags of `line`, and the transport IDs `targets`.
    private static ProgramRun run(String line, String... targets) throws Exception {
        List<String> args = new ArrayList<>(List.of(line.split(" ")));
        for (String id : targets) {
            args.addAll(List.of("-r", id));
        }
        return new ProgramRun("Launching workers", (out, err) -> {
            PerfOptions options = new PerfOptions();
            assertEquals(OptionalInt.empty(), CommandLine.withoutVersion("spdk_nvme_perf", "-h",
                    PerfFlags.of(ApplicationOptions.builder("spdk_nvme_perf"), options))
                    .parse(args.toArray(String[]::new), out, err));
            options.check();
            return new PerfApp(options, out, err);
        });
    }

    /// The I/Os that a row counts, which ran for `-d` I/Os: every load that has one has a row.
    private static long rows(ProgramRun run) {
        return run.output().lines().filter(line -> line.contains(" from core  0:") && line.contains(".")
                && !line.startsWith("Summary") && !line.startsWith("Latency")).count();
    }

    @Test
    void measuresAllSubsystemsThatADiscoveryControllerKnows() throws Exception {
        try (ProgramRun run = run("-q 8 -o 4096 -w randrw -M 50 -t 60 -d 100 -LL", target.address())) {
            assertEquals(0, run.status(), run::errors);
            String name = "TCP (addr:127.0.0.1 subnqn:" + ServedTarget.NQN + ")";
            assertTrue(run.output().startsWith("Initializing NVMe Controllers\nAttached to NVMeoF Controller at " + name
                    + "\n"), run::output);
            assertTrue(run.output().contains("Associating " + name + " NSID 2 with lcore 0\n"), run::output);
            assertTrue(run.output().contains("Initialization complete. Launching workers.\n====="), run::output);
            assertEquals(3, rows(run), run::output);
            assertTrue(run.output().contains("Total    "), run::output);
            assertTrue(run.output().contains("100.0000%  ("), run::output);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-q 1 -o 4096 -w read -d 50", "-q 200 -o 4096 -w randwrite -d 1000 -P 3",
            "-q 64 -o 4096 -w randread -d 1000 --io-queue-size 4", // more than the queue holds
            "-q 4 -o 512k -w write -d 20", // four commands each
            "-q 4 -o 512k -w randread -d 20 -O 4096", "-q 2 -o 8k -w randwrite -d 50 -O 512 -H -I",
            "-q 4 -o 4k -w randread -d 50 -F 1.1 -A 64", "-q 4 -o 4k -w rw -M 30 -d 1% -U 2 -E",
            "-q 4 -o 4k -w randread -d 50 --transport-stats -l -m"})
    void runsWithTheseFlags(String line) throws Exception {
        try (ProgramRun run = run(line + " -t 60", target.address(ServedTarget.NQN) + " ns:1")) {
            assertEquals(0, run.status(), () -> run.errors() + run.output());
            assertEquals(1, rows(run), run::output);
            assertEquals("", run.errors());
        }
    }

    @Test
    void countsAfterTheWarmUpOnly() throws Exception {
        try (ProgramRun run = run("-q 4 -o 4096 -w randread -t 1 -a 1", target.address(ServedTarget.NULL_NQN))) {
            assertEquals(0, run.status(), run::errors);
            assertEquals(1, rows(run), run::output);
        }
    }

    @Test
    void leavesOutNamespacesThatCannotBearTheLoad() throws Exception {
        try (ProgramRun run = run("-q 4 -o 512 -w randread -t 60 -d 50", target.address(ServedTarget.NQN))) {
            assertEquals(0, run.status(), run::errors);
            assertTrue(run.output().contains("NSID 2 is left out: -o 512 is no multiple of its block size, 4096\n"
                    + "WARNING: Some requested NVMe devices were skipped\n"), run::output);
            assertEquals(1, rows(run), run::output);
        }
    }

    @Test
    void printsTheReportSoFarWhenItIsStopped() throws Exception {
        try (ProgramRun run = run("-q 4 -o 4096 -w randread -t 600", target.address(ServedTarget.NULL_NQN))) {
            run.awaitPrinted();
            run.stop();
            assertEquals(0, run.status(), run::errors);
            assertTrue(run.output().contains("Device Information"), run::output);
        }
    }

    @Test
    void endsWithStatusOneWhenItsTargetGoes() throws Exception {
        ServedTarget other = new ServedTarget();
        try (ProgramRun run = run("-q 4 -o 4096 -w randread -t 600 -Q 1000", other.address(ServedTarget.NULL_NQN))) {
            run.awaitPrinted();
            other.close();
            assertEquals(1, run.status());
            assertTrue(run.errors().contains("NSID 1: "), run::errors);
            assertTrue(run.output().contains("Device Information"), run::output);
        } finally {
            other.close();
        }
    }

    @Test
    void tellsOfIoThatFailsAndEndsWithStatusOne() throws Exception {
        try (ServedTarget other = new ServedTarget();
                ProgramRun run = run("-q 4 -o 4096 -w randread -t 600", other.address(ServedTarget.NULL_NQN))) {
            run.awaitPrinted();
            other.call("nvmf_subsystem_remove_ns", "{'nqn': '" + ServedTarget.NULL_NQN + "', 'nsid': 1}");
            assertEquals(1, run.status());
            assertTrue(run.errors().contains("Read completed with error (sct=0, sc=11)"), run::errors);
            assertTrue(run.errors().endsWith("spdk_nvme_perf: errors occurred\n"), run::errors);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trtype:TCP traddr:127.0.0.1 trsvcid:1;connect to 127.0.0.1:1: Connection refused",
            "trtype:TCX traddr:127.0.0.1;trtype=TCX is no transport"})
    void saysWhatIsWrongWithAnAddress(String idAndSentence) throws Exception {
        String[] parts = idAndSentence.split(";");
        try (ProgramRun run = run("-q 1 -o 4096 -w read -t 1", parts[0])) {
            assertEquals(1, run.status());
            assertTrue(String.join("\n", run.log()).contains(parts[1]), run::errors);
            assertFalse(run.output().contains("Launching"));
        }
    }

    @Test
    void refusesANamespaceThatIsNotThere() throws Exception {
        try (ProgramRun run = run("-q 1 -o 4096 -w read -t 1", target.address(ServedTarget.NQN) + " ns:9")) {
            assertEquals(1, run.status());
            assertTrue(String.join("\n", run.log()).contains("ns:9: "), run::errors);
        }
    }
}
