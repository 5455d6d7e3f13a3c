package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.StartException;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The program on real reactors, in this JVM.
class BdevperfAppTest {
    private static final String CONFIGURATION = """
            {"subsystems": [{"subsystem": "bdev", "config": [
              {"method": "bdev_null_create", "params": {"name": "null0", "num_blocks": 2048000, "block_size": 512}},
              {"method": "bdev_malloc_create", "params": {"name": "malloc0", "num_blocks": 8192, "block_size": 512}},
              {"method": "bdev_wait_for_examine"}]}]}
            """;
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    Path folder;

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final Log log = new Log((_, line) -> lines.add(line), LogSink.discard(), Clock.systemUTC());
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    /// Opened when the program says that it runs I/O.
    private final CountDownLatch running = new CountDownLatch(1);
    private ApplicationOptions.Builder common;

    @BeforeEach
    void configure() throws Exception {
        Path file = Files.writeString(folder.resolve("config.json"), CONFIGURATION);
        common = ApplicationOptions.builder("bdevperf").noRpcServer().cpuLocks(false).traceEntries(0).configFile(file);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static BdevperfOptions load(String bdev, Workload workload, int seconds) {
        BdevperfOptions options = new BdevperfOptions();
        options.bdev(bdev);
        options.load(Load.NONE.withDepth(16).withIoSize(4096).withWorkload(workload).withSeconds(seconds));
        return options;
    }

    private Application start(BdevperfOptions... runs) throws Exception {
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8) {
            @Override
            public void print(String text) {
                super.print(text);
                if (text.startsWith("Running")) {
                    running.countDown();
                }
            }
        };
        Application application = Application.create(common.build(),
                new BdevperfApp(List.of(runs), out, "all is well\n"), log);
        application.start();
        return application;
    }

    private String printed() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode performTests(Application application, String params) {
        return application.rpcs().dispatch("perform_tests", Json.parse(params.replace('\'', '"')));
    }

    @Test
    void runsReportsAndEnds() throws Exception {
        Application application = start(load("null0", Workload.RANDREAD, 1));
        assertEquals(0, application.join());
        String[] report = printed().split("\n");
        assertEquals("Running I/O for 1 seconds...", report[0]);
        assertEquals("Job: null0 (Core Mask 0x1, workload: randread, depth: 16, IO size: 4096)", report[3]);
        assertTrue(report[4].matches(" {5}null0 {18}: +1\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d +0\\.00 +0\\.00 .*"),
                report[4]);
        assertTrue(report[6].startsWith("Total                       :            "), report[6]);
    }

    @Test
    void makesSeveralRunsInTurn() throws Exception {
        Application application = start(load("malloc0", Workload.VERIFY, 1), load("null0", Workload.RANDWRITE, 1));
        assertEquals(0, application.join());
        assertTrue(printed().indexOf("workload: verify") < printed().indexOf("workload: randwrite"), this::printed);
        assertTrue(printed().endsWith("all is well\n"), this::printed);
    }

    @Test
    void endsWithStatusOneIfDataIsWrong() throws Exception {
        Application application = start(load("null0", Workload.VERIFY, 30));
        assertEquals(1, application.join());
        log.flush();
        assertTrue(lines.stream().anyMatch(line -> line.contains("*ERROR*: job null0: block ")
                && line.contains("holds wrong data")), lines::toString);
        assertTrue(printed().contains("Job: null0 ended in about 0.0"), this::printed);
    }

    @Test
    void endsWithStatusOneIfItCannotRun() throws Exception {
        Application application = start(load("nulll", Workload.READ, 1));
        assertEquals(1, application.join());
        log.flush();
        assertTrue(lines.stream().anyMatch(line -> line.contains("-T nulll: there is no such bdev; there are null0,"
                + " malloc0")), lines::toString);
    }

    @Test
    void givesTheFiguresSoFarWhenItIsStopped() throws Exception {
        Application application = start(load("null0", Workload.RANDREAD, 1000));
        assertTrue(running.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        application.stop(0);
        assertEquals(0, application.join());
        assertTrue(printed().contains("\n     null0                  :       "), this::printed);
        assertTrue(printed().contains("\nTotal  "), this::printed);
        assertFalse(printed().contains("all is well"), this::printed);
    }

    @Test
    void reportsMeanwhileIfToldTo() throws Exception {
        BdevperfOptions options = load("null0", Workload.RANDREAD, 3);
        options.reportSeconds(1);
        assertEquals(0, start(options).join());
        assertTrue(printed().split("\nTotal ").length >= 4, "two periods and the end: " + printed());
    }

    // ---- perform_tests ------------------------------------------------------------------------------------------

    private static BdevperfOptions waiting() {
        BdevperfOptions options = new BdevperfOptions();
        options.waitForTests(true);
        return options;
    }

    @Test
    void answersPerformTestsWithTheFigures() throws Exception {
        try (Application application = start(waiting())) {
            JsonNode result = performTests(application, "{'queue_depth': 4, 'io_size': '4k', 'time_in_sec': 1,"
                    + " 'workload_type': 'randrw', 'rw_percentage': 70}");
            assertEquals(1, result.get("core_count").asInt());
            assertEquals(2, result.get("results").size());
            JsonNode job = result.get("results").get(0);
            assertEquals(List.of("job", "core_mask", "workload", "percentage", "status", "queue_depth", "io_size",
                    "runtime", "iops", "mibps", "io_failed", "io_timeout", "avg_latency_us", "min_latency_us",
                    "max_latency_us"), List.copyOf(job.propertyNames()));
            assertEquals("null0", job.get("job").asString());
            assertEquals("0x1", job.get("core_mask").asString());
            assertEquals("randrw", job.get("workload").asString());
            assertEquals(70, job.get("percentage").asInt());
            assertEquals("finished", job.get("status").asString());
            assertEquals(4, job.get("queue_depth").asInt());
            assertEquals(4096, job.get("io_size").asInt());
            assertEquals(job.get("iops").asDouble() * 4096 / (1 << 20), job.get("mibps").asDouble(), 1e-6);
            assertTrue(job.get("iops").asDouble() > 0);
        }
    }

    @Test
    void takesWhatIsLeftOutFromTheFlags() throws Exception {
        BdevperfOptions options = load("malloc0", Workload.VERIFY, 1);
        options.waitForTests(true);
        try (Application application = start(options)) {
            JsonNode job = performTests(application, "{'queue_depth': 2}").get("results").get(0);
            assertEquals("verify", job.get("workload").asString());
            assertEquals(2, job.get("queue_depth").asInt());
            assertEquals(8192, job.get("verify_range").get("length").asInt());
        }
    }

    @Test
    void refusesParametersByName() throws Exception {
        try (Application application = start(waiting())) {
            for (String[] refused : new String[][]{
                    {"{}", "-q DEPTH is needed"},
                    {"{'queue_depth': 0}", "queue_depth=0 is outside 1..65535"},
                    {"{'io_size': '4q'}", "io_size=4q: a size is needed: a number, then nothing or k, M, G or T"},
                    {"{'workload_type': 'x'}", "workload_type=x: 'x' is no workload; there are " + Workload.names()},
                    {"{'rw_percentage': 101}", "rw_percentage=101 is outside 0..100"},
                    {"{'queue_depth': 1, 'io_size': '513', 'time_in_sec': 1, 'workload_type': 'read'}",
                            "-o 513: not a multiple of null0's block size, 512 bytes"}}) {
                RpcException exception = assertThrows(RpcException.class, () -> performTests(application, refused[0]));
                assertEquals(refused[1], exception.getMessage());
                assertEquals(RpcException.INVALID_PARAMS, exception.code());
            }
        }
    }

    @Test
    void runsOneTestAtATimeAndReportsATerminatedOne() throws Exception {
        BdevperfOptions options = load("null0", Workload.RANDREAD, 1000);
        options.waitForTests(true);
        Application application = start(options);
        Future<JsonNode> test = application.reactors().control().submit(() -> performTests(application, "{}"));
        assertTrue(running.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        RpcException refused = assertThrows(RpcException.class, () -> performTests(application, "{}"));
        assertEquals("another test is in progress; one runs at a time", refused.getMessage());
        assertNull(refused.getCause(), "what has a cause is logged as a bug, with its stack");
        application.stop(0);
        assertEquals("terminated", test.get().get("results").get(0).get("status").asString());
        assertEquals(0, application.join());
    }

    @Test
    void goesOnWhenTheClientThatAskedForTheTestGivesUp() throws Exception {
        BdevperfOptions options = load("null0", Workload.RANDREAD, 1000);
        options.waitForTests(true);
        Application application = start(options);
        FutureTask<JsonNode> test = new FutureTask<>(() -> performTests(application, "{}"));
        Thread client = Thread.ofVirtual().start(test);
        assertTrue(running.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        client.interrupt(); // what the server does to a call whose client has closed
        assertThrows(ExecutionException.class, test::get);
        assertEquals("another test is in progress; one runs at a time",
                assertThrows(RpcException.class, () -> performTests(application, "{}")).getMessage());
        application.stop(0);
        assertEquals(0, application.join());
        assertTrue(printed().contains("\nTotal  "), this::printed);
    }

    @Test
    @Timeout(LIMIT_SECONDS)
    void opensItsBdevsBeforeALaterRequestOfTheClientIsRun() throws Exception {
        Path socket = folder.resolve("rpc.sock");
        common.rpcAddress(socket.toString());
        BdevperfOptions options = load("null0", Workload.RANDREAD, 1000);
        options.waitForTests(true);
        Map<Integer, JsonNode> replies = new HashMap<>();
        try (Application application = start(options);
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            assertTrue(application.rpcAddress().isPresent());
            client.write(ByteBuffer.wrap("""
                    {"id": 1, "method": "perform_tests"}
                    {"id": 2, "method": "bdev_null_delete", "params": {"name": "null0"}}
                    """.getBytes(StandardCharsets.UTF_8)));
            BufferedReader answers = new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8));
            while (replies.size() < 2) {
                String line = answers.readLine();
                if (!line.isEmpty()) {
                    JsonNode reply = Json.parse(line);
                    replies.put(reply.get("id").intValue(), reply);
                }
            }
        }
        assertEquals("true", replies.get(2).get("result").toString());
        assertEquals("failed", replies.get(1).get("result").get("results").get(0).get("status").asString());
        log.flush();
        assertTrue(lines.stream().anyMatch(line -> line.contains("job null0: its bdev was removed")), lines::toString);
    }

    @Test
    void namesTheFileForRpcCallsThatCannotBeWritten() {
        BdevperfOptions options = waiting();
        Path calls = folder.resolve("none/calls");
        options.rpcLog(calls);
        assertEquals("-J " + calls + ": cannot be written: no such file or folder",
                assertThrows(StartException.class, () -> start(options)).getMessage());
    }

    @Test
    void appendsRpcCallsToAFile() throws Exception {
        Path socket = folder.resolve("rpc.sock");
        Path calls = Files.writeString(folder.resolve("calls"), "before\n");
        common.rpcAddress(socket.toString());
        BdevperfOptions options = waiting();
        options.rpcLog(calls);
        String request = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"spdk_get_version\"}";
        try (Application application = start(options);
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            assertTrue(application.rpcAddress().isPresent());
            client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            assertTrue(client.read(ByteBuffer.allocate(1 << 16)) > 0);
        }
        List<String> logged = Files.readAllLines(calls);
        assertEquals(List.of("before", "request: " + request), logged.subList(0, 2));
        assertTrue(logged.get(2).startsWith("reply: {") && logged.get(2).contains("\"id\":7"), logged::toString);
    }
}
