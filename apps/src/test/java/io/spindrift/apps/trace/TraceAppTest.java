package io.spindrift.apps.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.trace.ProbeOwner;
import io.spindrift.framework.trace.ReactorProbes;
import io.spindrift.framework.trace.Trace;
import io.spindrift.framework.trace.TraceArgument;
import io.spindrift.framework.trace.TraceCatalog;
import io.spindrift.framework.trace.TraceGroup;
import io.spindrift.framework.trace.TraceGroups;
import io.spindrift.framework.trace.TraceObject;
import io.spindrift.framework.trace.TraceOptions;
import io.spindrift.framework.trace.TraceSelection;
import io.spindrift.framework.trace.Tracepoint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TraceAppTest {
    private static final int START = Tracepoint.index(3, 0);
    private static final int DONE = Tracepoint.index(3, 1);
    private static final int GET = Tracepoint.index(10, 0);
    private static final int RING_TABLE_FIELD = 96;
    private static final TraceObject IO = new TraceObject("bdev_io", 'b');
    private static final TraceGroups GROUPS = TraceGroups.of(List.of(
            TraceGroup.of(3, "bdev",
                    Tracepoint.starts(START, "BDEV_IO_START", IO, TraceArgument.number("type")),
                    Tracepoint.of(DONE, "BDEV_IO_DONE", IO, TraceArgument.duration("latency"),
                            TraceArgument.hex("status"))),
            TraceGroup.of(10, "thread",
                    Tracepoint.of(GET, "THREAD_IOCH_GET", TraceObject.NONE, TraceArgument.number("refcnt")))));

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Reactor> reactors = List.of(new Reactor(0), new Reactor(3));
    private Trace trace;

    private record Reactor(int core, ReactorProbes probes) implements ProbeOwner {
        Reactor(int core) {
            this(core, new ReactorProbes());
        }

        @Override
        public void run(Runnable task) {
            task.run();
        }
    }

    @BeforeEach
    void open() throws IOException {
        trace = new Trace(TraceOptions.of("app").withDirectory(directory).withEntries(8), GROUPS, reactors);
        trace.enable(TraceSelection.group("all", GROUPS));
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private int run(String... args) {
        out.reset();
        err.reset();
        return new TraceApp(directory, new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)).start(args);
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private void fire(int reactor, int index, long object, long size, long arg0, long arg1) {
        reactors.get(reactor).probes().fire(index, 0, object, size, arg0, arg1, 0);
    }

    /// Ends the trace and gives its records the ticks of a script: the n-th written one to the n-th tick.
    private Path withTicks(long... ticks) throws IOException {
        Path path = trace.path();
        trace.close();
        byte[] bytes = Files.readAllBytes(path);
        ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> records = new ArrayList<>();
        for (int ring = 0; ring < 2; ring++) {
            int offset = (int) file.getLong((int) file.getLong(RING_TABLE_FIELD) + 128 * ring + 8);
            for (int slot = 0; slot < 8; slot++) {
                if (file.getLong(offset + 64 * slot) != 0) {
                    records.add(offset + 64 * slot);
                }
            }
        }
        records.sort((a, b) -> Long.compare(file.getLong(a + 8), file.getLong(b + 8)));
        for (int i = 0; i < ticks.length; i++) {
            file.putLong(records.get(i) + 8, ticks[i]);
        }
        return Files.write(directory.resolve("scripted"), bytes);
    }

    private Path script() throws IOException {
        reactors.get(0).probes().enterThread(1);
        fire(1, DONE, 99, 8, 0, 0);
        fire(0, START, 77, 8, 2, 0);
        fire(1, GET, 0xAB, 0, -1, 0);
        fire(0, DONE, 77, 8, 1500, 0x2A);
        fire(0, START, 77, 16, 1, 0);
        return withTicks(1_000_000, 1_002_000, 1_003_500, 1_004_250, 1_010_000);
    }

    /// The columns are those of SPDK's spdk_trace: "%2d: %10.3f ", an owner, the name in 24, "size: %6u ", "id:    %-17s",
    /// "%-7s" and "%-16..." for each argument.
    @Test
    void printsColumnsAsThePeer() throws IOException {
        assertEquals(0, run("-f", script().toString()), this::errors);
        assertEquals(
                """
                        TSC Rate: 1000000000
                        Trace Size of lcore (0): 3
                        Trace Size of lcore (3): 2
                         3:      0.000     BDEV_IO_DONE             size:      8 id:    N/A              latency: 0.000            \
                        status: 0x0
                         0:      2.000 t01 BDEV_IO_START            size:      8 id:    b0               type:  2
                         3:      3.500     THREAD_IOCH_GET                       object: 0xab             refcnt: -1
                         0:      4.250 t01 BDEV_IO_DONE             size:      8 id:    b0               time:  2.250            \
                        latency: 1.500            status: 0x2a
                         0:     10.000 t01 BDEV_IO_START            size:     16 id:    b1               type:  1
                        """
                        .lines().toList(),
                lines());
    }

    /// Masks and names as SPDK's spdk_tgt lists them.
    @Test
    void findsTheGroupsOfAllModules() {
        TraceGroups all = TraceCatalog.load(ModuleLayer.boot());
        assertEquals(0x8, all.group("bdev").orElseThrow().mask());
        assertEquals(List.of("BDEV_IO_START", "BDEV_IO_DONE", "BDEV_IOCH_CREATE", "BDEV_IOCH_DESTROY"),
                all.group("bdev").orElseThrow().tracepoints().stream().map(Tracepoint::name).toList());
        assertEquals(0x400, all.group("thread").orElseThrow().mask());
        assertEquals(List.of("THREAD_IOCH_GET", "THREAD_IOCH_PUT"),
                all.group("thread").orElseThrow().tracepoints().stream().map(Tracepoint::name).toList());
    }

    @Test
    void printsTicksAndDeltas() throws IOException {
        String file = script().toString();
        run("-t", "-f", file);
        assertTrue(lines().get(4).startsWith(" 0:      2.000 (     2000) t01 BDEV_IO_START"), lines().get(4));
        run("-T", "-f", file);
        assertTrue(lines().get(6).startsWith(" 0:      0.750 t01 BDEV_IO_DONE"), lines().get(6));
        run("-tT", "-f", file);
        assertTrue(lines().get(7).startsWith(" 0:      5.750 (     5750) t01"), lines().get(7));
    }

    @Test
    void printsOneCoreOnly() throws IOException {
        String file = script().toString();
        assertEquals(0, run("-c", "3", "-f", file));
        assertEquals(2 + 2, lines().size());
        assertEquals(1, run("-c", "1", "-f", file));
        assertEquals("spdk_trace: core 1 has no records in " + file + "; cores that have: [0, 3]\n", errors());
    }

    @Test
    void printsJsonWithThePeersProperties() throws IOException {
        assertEquals(0, run("-j", "-f", script().toString()));
        JsonNode json = Json.parse(out.toString(StandardCharsets.UTF_8));
        assertEquals(1_000_000_000, json.get("tsc_rate").longValue());
        assertEquals(Json.parse("""
                {"name": "BDEV_IO_DONE", "id": 193, "new_object": false, "args": [
                {"name": "latency", "type": 0, "size": 8}, {"name": "status", "type": 1, "size": 8}]}"""),
                json.get("tpoints").get(1));
        assertEquals(5, json.get("entries").size());
        assertEquals(Json.parse("""
                {"lcore": 3, "tpoint": 193, "tsc": 1000000, "size": 8, "object": {"value": 99}, "args": [0, 0]}"""),
                json.get("entries").get(0));
        assertEquals(Json.parse("""
                {"lcore": 3, "tpoint": 640, "tsc": 1003500, "object": {"value": 171}, "args": [-1]}"""),
                json.get("entries").get(2));
        assertEquals(Json.parse("""
                {"lcore": 0, "tpoint": 193, "tsc": 1004250, "poller": "t01", "size": 8,
                "object": {"id": "b0", "time": 2250, "value": 77}, "args": [1500, 42]}"""), json.get("entries").get(3));
    }

    @Test
    void leavesOutWhatPrecedesTheHoleOfAWrappedRing() throws IOException {
        fire(1, GET, 1, 0, 0, 0); // before what is left of core 0
        for (int i = 0; i < 9; i++) {
            fire(0, GET, i, 0, 0, 0);
        }
        fire(1, GET, 2, 0, 0, 0);
        assertEquals(0, run("-p", "" + ProcessHandle.current().pid()));
        assertEquals(3 + 8 + 1, lines().size(), out::toString);
        assertTrue(lines().get(3).startsWith(" 0:      0.000"), lines().get(3));
    }

    @Test
    void readsWhileTheProgramRuns() {
        fire(0, START, 1, 8, 0, 0);
        assertEquals(0, run("-s", "app"));
        assertEquals(3, lines().size());
        fire(0, DONE, 1, 8, 0, 0);
        assertEquals(0, run("-s", "app"));
        assertEquals(4, lines().size());
    }

    @Test
    void findsTheFileByNameIdAndPid() throws IOException {
        fire(0, GET, 0, 0, 0, 0);
        long pid = ProcessHandle.current().pid();
        for (String[] args : List.of(new String[]{}, new String[]{"-s", "app"}, new String[]{"-p", "" + pid},
                new String[]{"-s", "app", "-p", "" + pid})) {
            assertEquals(0, run(args), this::errors);
            assertEquals("Using trace file: " + trace.path() + "\n", errors());
        }
        assertEquals(1, run("-s", "app", "-p", "1"));
        assertTrue(errors().startsWith("spdk_trace: there is no trace file " + directory + "/app_trace.pid1: "),
                errors());
        assertEquals(1, run("-i", "0"));
        assertEquals(1, run("-s", "ap"));
    }

    @Test
    void takesTheNewestOfSeveral() throws IOException {
        try (Trace other = new Trace(TraceOptions.of("other").withDirectory(directory).withEntries(8).withShmId(2),
                GROUPS,
                reactors)) {
            Files.setLastModifiedTime(other.path(), FileTime.fromMillis(4_000_000_000_000L));
            assertEquals(0, run());
            assertEquals("Using trace file: " + other.path() + "\n", errors());
            assertEquals(0, run("-i", "2"));
            assertEquals(0, run("-s", "other", "-i", "2"));
        }
    }

    @Test
    void refusesWhatDoesNotGoTogether() {
        assertEquals(2, run("-f", "x", "-s", "app"));
        assertTrue(errors().startsWith("spdk_trace: -f names a file and excludes -s, -i and -p\n"), errors());
        assertEquals(2, run("-i", "1", "-p", "1"));
        assertEquals(2, run("-s", "../etc/x"));
        assertEquals(2, run("-p", "-5"));
        assertEquals(2, run("-c", "x"));
        assertEquals(2, run("--nonsense"));
        assertEquals(2, run("word"));
        assertTrue(errors().contains("Usage: spdk_trace"), errors());
        assertEquals(0, run("-h"));
    }

    @Test
    void saysInOneSentenceThatAFileIsNoTrace() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "x".repeat(1000));
        assertEquals(1, run("-f", file.toString()));
        assertEquals("spdk_trace: " + file + " is no trace file: it does not begin with SPNDTRCE\n", errors());
        assertEquals(1, run("-f", directory.toString()));
        assertEquals(1, run("-f", directory.resolve("none").toString()));
        assertEquals("spdk_trace: there is no trace file " + directory.resolve("none") + "\n", errors());
    }

    /// Whatever the file holds: a listing or one sentence, and plain text only.
    @Test
    void survivesDamagedFiles() throws IOException {
        byte[] good = Files.readAllBytes(script());
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            byte[] bytes = good.clone();
            for (int i = random.nextInt(12); i >= 0; i--) {
                bytes[random.nextInt(random.nextBoolean() ? 900 : bytes.length)] = (byte) random.nextInt(256);
            }
            Path file = directory.resolve("damaged");
            Files.deleteIfExists(file); // some file systems flush a file that was truncated before
            Files.write(file, bytes);
            int status = run(round % 2 == 0 ? "-j" : "-t", "-f", file.toString());
            assertTrue(status == 0 || status == 1 && errors().lines().count() == 1, this::errors);
            assertTrue((out.toString(StandardCharsets.UTF_8) + errors()).chars()
                    .allMatch(c -> c == '\n' || c >= 32 && c < 127));
        }
    }
}
