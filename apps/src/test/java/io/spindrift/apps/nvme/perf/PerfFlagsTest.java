package io.spindrift.apps.nvme.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.command.LbaCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfFlagsTest {
    private static final String LOAD = "-q 32 -o 4096 -w randread -t 5";

    private final ApplicationOptions.Builder common = ApplicationOptions.builder("spdk_nvme_perf");
    private final PerfOptions options = new PerfOptions();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private OptionalInt parse(String... args) {
        return CommandLine.withoutVersion("spdk_nvme_perf", "-h/--help/-v/--help-full", PerfFlags.of(common, options))
                .parse(args, new PrintStream(out, true), new PrintStream(err, true));
    }

    private PerfOptions accepted(String line) {
        assertEquals(OptionalInt.empty(), parse(line.split(" ")), err::toString);
        options.check();
        return options;
    }

    @Test
    void readsWhatBenchmarksPass() {
        accepted("--no-huge -s 256 -c 0x2 -q 128 -o 4k -w randrw -M 70 -t 2 -a 1 -L -H -I -P 2 -k 5000");
        assertEquals(OptionalInt.of(128), options.depth);
        assertEquals(OptionalInt.of(4096), options.ioSize);
        assertEquals(70, options.readPercent());
        assertEquals(64, options.tasksOfQueuePair());
        assertEquals(1, options.latencyLevel);
        assertEquals(5000, options.controllerOptions().timeouts().keepAliveMillis());
        assertTrue(options.fabrics.headerDigest() && options.fabrics.dataDigest());
        assertEquals("[1]", Arrays.toString(common.build().cpuMask().cores()));
    }

    @Test
    void takesThePeersLongNames() {
        accepted("--io-depth 4 --io-size=512 --io-pattern write --time 1 --number-ios 50% --continue-on-error 100");
        assertEquals(OptionalInt.of(50), options.iosPercent);
        assertEquals(100, options.errorInterval);
        assertTrue(options.goOn);
    }

    @ParameterizedTest
    @CsvSource({"-LL, 2", "-L, 1"})
    void countsL(String flag, int level) {
        assertEquals(level, accepted(LOAD + " " + flag).latencyLevel);
    }

    @ParameterizedTest
    @CsvSource({"1, 256", "255, 256", "256, 257", "65535, 65535"})
    void aQueueHasAPlaceForEachTask(int depth, int entries) {
        accepted("-o 4096 -w read -t 1 -q " + depth);
        assertEquals(entries, options.controllerOptions().queues().ioEntries());
    }

    @Test
    void theQueueSizeMayBeLessThanTheDepth() {
        accepted(LOAD + " --io-queue-size 16");
        assertEquals(16, options.controllerOptions().queues().ioEntries());
    }

    @Test
    void readsTransportIds() {
        assertEquals(OptionalInt.empty(), parse("-r",
                "trtype:TCP adrfam:IPv4 traddr:127.0.0.1 trsvcid:4420 hostnqn:nqn.2014-08.org.x:h ns:3", "-r",
                "trtype:PCIe", "-r", "trtype:PCIe traddr:0000:04:00.0"));
        assertEquals(TransportId.tcp("127.0.0.1", "4420", Nqn.DISCOVERY), options.targets.get(0).id().orElseThrow());
        assertEquals("nqn.2014-08.org.x:h", options.targets.get(0).hostnqn().orElseThrow());
        assertEquals(OptionalLong.of(3), options.targets.get(0).nsid());
        assertTrue(options.targets.get(1).id().isEmpty());
        assertEquals(TransportId.pcie("0000:04:00.0"), options.targets.get(2).id().orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"traddr:127.0.0.1 trtype:TCP nsid:1", "trtype:TCP", "trtype:TCP traddr:1.2.3.4 ns:0",
            "trtype:TCP traddr:1.2.3.4 ns:x", "trtype", "trtype:TCP adrfam:IPv5 traddr:1.2.3.4"})
    void refusesTransportIdsAndSaysWhy(String text) {
        assertEquals(OptionalInt.of(2), parse("-r", text));
        assertTrue(err.toString().startsWith("spdk_nvme_perf: -r " + text + ": "), err::toString);
    }

    @Test
    void withoutATransportIdItMeansAllLocalControllers() {
        assertTrue(accepted(LOAD).targets.getFirst().id().isEmpty());
    }

    @Test
    void readsMetadataFormats() {
        accepted(LOAD + " -e PRACT=1,PRCHK=GUARD|REFTAG");
        assertEquals(LbaCommand.PRACT | LbaCommand.PRCHK_GUARD | LbaCommand.PRCHK_REFERENCE_TAG,
                options.protectionFlags);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 4", "-D", "-N", "-V", "-g", "--iova-mode va", "--enforce-numa", "--env-context x",
            "--vfio-vf-token x", "--rdma-srq-size 16"})
    void acceptsWhatHasNoMeaningWithOneNotice(String flags) {
        assertEquals(1, accepted(LOAD + " " + flags).notices.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--psk-path f", "--psk-identity f", "--tls-version 13", "--dhchap-key f",
            "--dhchap-ctrlr-key f", "--enable-ktls", "--disable-ktls"})
    void refusesWhatWouldProtectAConnection(String flags) {
        assertEquals(OptionalInt.of(2), parse(flags.split(" ")));
        assertTrue(err.toString().contains("there is no TLS"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--no-such-flag", "-R", "-x 1", "kernel-device"})
    void refusesUnknownFlagsWithTheUsageAndStatus2(String flags) {
        assertEquals(OptionalInt.of(2), parse(flags.split(" ")));
        assertTrue(err.toString().contains("Usage: spdk_nvme_perf"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-q 0", "-q 65536", "-o 0", "-w verify", "-M 101", "-A 96", "-A 32", "-O 6", "-e PRACT=2",
            "-e PRCHK=ALL", "-e GUARD", "-Q 0", "-P 0", "-d 0%", "-F -1", "-t 0", "--log-level loud"})
    void refusesValuesAndNamesFlagAndValue(String flags) {
        assertEquals(OptionalInt.of(2), parse(flags.split(" ")));
        assertTrue(err.toString().startsWith("spdk_nvme_perf: " + flags), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"-o 4096 -w read -t 1;-q/--io-depth is missing",
            "-q 1 -w read -t 1;-o/--io-size is missing", "-q 1 -o 4096 -t 1;-w/--io-pattern is missing",
            "-q 1 -o 4096 -w read;-t/--time is missing", "-q 1 -o 4096 -w rw -t 1;-M/--rwmixread is needed",
            "-q 4 -o 4096 -w read -t 1 -d 3;-d/--number-ios 3 is less than -q/--io-depth 4",
            "-q 4 -o 4096 -w read -t 1 -d 9 -a 1;-d/--number-ios and -a/--warmup-time exclude each other",
            "-q 4 -o 4096 -w read -t 1 --zerocopy-threshold 4k;--zerocopy-threshold needs"})
    void refusesWhatDoesNotGoTogether(String line, String sentence) {
        assertEquals(OptionalInt.empty(), parse(line.split(" ")));
        String message = assertThrows(IllegalArgumentException.class, options::check).getMessage();
        assertTrue(message.startsWith(sentence), message);
    }

    @Test
    void pollsUnlessInterruptsAreWanted() {
        common.poll(true);
        assertTrue(common.build().poll());
        accepted(LOAD + " -E");
        assertFalse(common.build().poll());
    }

    @Test
    void printsTheUsageIfAsked() {
        assertEquals(OptionalInt.of(0), parse("-v"));
        assertTrue(out.toString().contains("--io-pattern"));
    }
}
