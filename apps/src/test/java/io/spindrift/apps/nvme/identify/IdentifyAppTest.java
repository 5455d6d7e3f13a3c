package io.spindrift.apps.nvme.identify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.nvme.ProgramRun;
import io.spindrift.apps.nvme.ServedTarget;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the program prints against what SPDK's printed of the same target. It may differ in the spaces at the ends of lines,
/// which pad fields of fixed length there, and in nothing else.
@Timeout(60)
class IdentifyAppTest {
    private static ServedTarget target;

    @BeforeAll
    static void serve() throws Exception {
        target = new ServedTarget();
    }

    @AfterAll
    static void end() {
        target.close();
    }

    private static ProgramRun run(String... args) throws Exception {
        return new ProgramRun("Active Namespaces", (out, err) -> {
            IdentifyApp program = new IdentifyApp(out, err);
            assertEquals(OptionalInt.empty(), CommandLine.withoutVersion("spdk_nvme_identify", "-H/-h/--help",
                    program.flags(ApplicationOptions.builder("spdk_nvme_identify"))).parse(args, out, err));
            return program;
        });
    }

    private static String withoutPadding(String text) {
        return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }

    @Test
    void printsWhatThePeerPrintsOfAController() throws Exception {
        try (ProgramRun run = run("-r", target.address(ServedTarget.NQN))) {
            assertEquals(0, run.status());
            assertEquals(withoutPadding(ServedTarget.resource("peer-identify.txt")), withoutPadding(run.output()));
        }
    }

    @Test
    void printsWhatThePeerPrintsOfADiscoveryController() throws Exception {
        try (ProgramRun run = run("-r", target.address())) {
            assertEquals(0, run.status());
            assertEquals(withoutPadding(ServedTarget.resource("peer-identify-discovery.txt")
                    .replace(ServedTarget.PEERS_PORT, Integer.toString(target.port))), withoutPadding(run.output()));
        }
    }

    @Test
    void printsSeveralControllersInTurn() throws Exception {
        try (ProgramRun run = run("-r", target.address(ServedTarget.NULL_NQN), "-r",
                target.address(ServedTarget.NQN))) {
            assertEquals(0, run.status());
            assertTrue(run.output().indexOf("subnqn:" + ServedTarget.NULL_NQN) < run.output()
                    .indexOf("subnqn:" + ServedTarget.NQN), run::output);
        }
    }

    @Test
    void printsRawPagesIfAsked() throws Exception {
        try (ProgramRun run = run("-x", "-r", target.address(ServedTarget.NULL_NQN))) {
            assertEquals(0, run.status());
            // as the peer printed it: VID, SSVID, serial number, model number
            assertTrue(run.output().contains("""
                    00000000: 00 00 00 00 4E 55 4C 4C-31 20 20 20 20 20 20 20  ....NULL1.......
                    00000010: 20 20 20 20 20 20 20 20-4E 75 6C 6C 20 64 69 73  ........Null.dis
                    """), run::output);
        }
    }

    @Test
    void saysWhatIsWrongWithAnAddress() throws Exception {
        try (ProgramRun run = run("-r", "trtype:TCP traddr:127.0.0.1 trsvcid:1 subnqn:" + ServedTarget.NQN)) {
            assertEquals(1, run.status());
            assertTrue(run.log().stream().anyMatch(line -> line.contains("connect to 127.0.0.1:1: Connection refused")),
                    () -> String.join("\n", lines(run)));
        }
    }

    private static List<String> lines(ProgramRun run) {
        try {
            return run.log();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusesUnknownFlagsWithTheUsageAndStatus2() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        IdentifyApp program = new IdentifyApp(System.out, System.err);
        assertEquals(OptionalInt.of(2), CommandLine.withoutVersion("spdk_nvme_identify", "-H/-h/--help",
                program.flags(ApplicationOptions.builder("spdk_nvme_identify")))
                .parse(new String[]{"-q"}, System.out, new PrintStream(err, true)));
        assertTrue(err.toString().contains("Usage: spdk_nvme_identify"), err::toString);
    }
}
