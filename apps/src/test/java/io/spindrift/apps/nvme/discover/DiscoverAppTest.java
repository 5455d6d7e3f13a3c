package io.spindrift.apps.nvme.discover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.nvme.ProgramRun;
import io.spindrift.apps.nvme.ServedTarget;
import io.spindrift.framework.app.ApplicationOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class DiscoverAppTest {
    private static ProgramRun run(String awaited, String... args) throws Exception {
        return new ProgramRun(awaited, (out, err) -> {
            DiscoverApp program = new DiscoverApp(out, err);
            assertEquals(OptionalInt.empty(), program.parse(ApplicationOptions.builder("spdk_nvme_discover"), args));
            return program;
        });
    }

    @Test
    void printsTheLogInThePeersFormAndAgainWhenItChanges() throws Exception {
        try (ServedTarget target = new ServedTarget();
                ProgramRun run = run("Number of Records:  2\n", "-r", target.address(), "-H",
                        "nqn.2014-08.org.nvmexpress:host")) {
            String entry = """
                    Discovery Log Entry 1
                    ----------------------
                    Transport Type:                        3 (TCP)
                    Address Family:                        1 (IPv4)
                    Subsystem Type:                        2 (NVM Subsystem)
                    Port ID:                               0 (0x0000)
                    Controller ID:                         65535 (0xffff)
                    Transport Service Identifier:          PORT
                    NVM Subsystem Qualified Name:          nqn.2016-06.io.spdk:cnode1
                    Transport Address:                     127.0.0.1
                    """.replace("PORT", Integer.toString(target.port));
            target.call("nvmf_delete_subsystem", "{'nqn': '" + ServedTarget.NULL_NQN + "'}");
            run.awaitPrinted();
            run.stop();
            assertEquals(0, run.status());
            assertTrue(run.output().startsWith("Discovery Log Page\n==================\nGeneration Counter: "),
                    run::output);
            assertTrue(run.output().contains(entry), run::output);
        }
    }

    @ParameterizedTest
    @CsvSource({"trtype:TCX traddr:127.0.0.1 trsvcid:4420, trtype=TCX is no transport; there are: ",
            "trtype:TCP traddr:127.0.0.1 trsvcid:1, connect to 127.0.0.1:1: Connection refused"})
    void saysWhatIsWrongWithAnAddress(String id, String sentence) throws Exception {
        try (ProgramRun run = run("nothing", "-r", id)) {
            assertEquals(1, run.status());
            assertTrue(String.join("\n", run.log()).contains(sentence), () -> run.output());
        }
    }

    @Test
    void refusesAControllerThatIsNoDiscoveryController() throws Exception {
        try (ServedTarget target = new ServedTarget();
                ProgramRun run = run("nothing", "-r", target.address(ServedTarget.NQN))) {
            assertEquals(1, run.status());
            assertTrue(String.join("\n", run.log()).contains("is no discovery controller"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"-T nvme|-r/--transport is missing",
            "-r traddr:0000:04:00.0|trtype:PCIe has no",
            "-x|Usage: spdk_nvme_discover"})
    void refusesWrongCommandLinesWithStatus2(String line, String sentence) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        assertEquals(OptionalInt.of(2), new DiscoverApp(System.out, new PrintStream(err, true))
                .parse(ApplicationOptions.builder("spdk_nvme_discover"), line.split(" ")));
        assertTrue(err.toString().contains(sentence), err::toString);
    }
}
