package io.spindrift.apps.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcLog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcServer;
import io.spindrift.framework.rpc.RpcState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class RpcAppTest {
    record Named(String name) {}

    record Anything(Optional<JsonNode> value) {}

    private static final String CONFIG = """
            {"subsystems": [ // saved
              {"subsystem": "iobuf", "config": null},
              {"subsystem": "bdev", "config": [
                {"method": "bdev_make", "params": {"value": 1}},
                {"method": "bdev_options", "params": {"value": 2}},
                {"method": "bdev_make", "params": {"value": 3}}]}]}""";

    @TempDir
    Path directory;

    private final RpcRegistry registry = new RpcRegistry();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> made = Collections.synchronizedList(new ArrayList<>());
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private String input = "";
    private RpcServer server;
    private Path socket;

    @BeforeEach
    void serve() throws IOException {
        CoreRpcs.register(registry);
        registry.register(RpcMethod.of("framework_start_init", NoParams.class, RpcState.STARTUP), none -> {
            made.add("framework_start_init");
            registry.enter(RpcState.RUNTIME);
            return true;
        });
        registry.register(RpcMethod.of("framework_get_subsystems", NoParams.class, RpcState.RUNTIME),
                none -> List.of(Map.of("subsystem", "iobuf"), Map.of("subsystem", "bdev")));
        registry.register(RpcMethod.of("framework_get_config", Named.class, RpcState.RUNTIME),
                named -> Json.parseWithComments(CONFIG.getBytes(StandardCharsets.UTF_8)).get("subsystems")
                        .get(named.name().equals("bdev") ? 1 : 0).get("config"));
        registry.register(RpcMethod.of("bdev_options", Anything.class, RpcState.STARTUP),
                params -> made.add("bdev_options " + params.value().orElseThrow()));
        registry.register(RpcMethod.of("bdev_make", Anything.class, RpcState.RUNTIME),
                params -> made.add("bdev_make " + params.value().orElseThrow()));
        registry.register(RpcMethod.of("trace_probe_read", Named.class, RpcState.STARTUP, RpcState.RUNTIME), named -> {
            throw RpcException.errno(Errno.ENOENT, "there is no probe " + named.name());
        });
        socket = directory.resolve("rpc.sock");
        server = RpcServer.listen(new RpcAddress.Unix(socket), registry, RpcLog.NONE, threads);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        threads.close();
    }

    private int run(String... words) {
        List<String> all = new ArrayList<>(List.of("-s", socket.toString()));
        all.addAll(Arrays.asList(words));
        return runExactly(all.toArray(String[]::new));
    }

    private int runExactly(String... words) {
        out.reset();
        err.reset();
        return new RpcApp(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8))
                .execute(words);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void printsJsonIndentedByTwo() {
        assertEquals(0, run("spdk_get_version"));
        assertEquals("""
                {
                  "version": "Spindrift v0.1.0",
                  "fields": {
                    "major": 0,
                    "minor": 1,
                    "patch": 0,
                    "suffix": ""
                  }
                }
                """, out());
    }

    @Test
    void printsStringsAndBooleansBare() {
        assertEquals("text", Command.text(Json.parse("\"text\"")));
        assertEquals("true", Command.text(Json.parse("true")));
        assertEquals("[\n  1,\n  []\n]", Command.text(Json.parse("[1,[]]")));
    }

    @Test
    void showsTheRequestAndTheErrorAndFails() {
        assertEquals(1, run("trace_probe_read", "p"));
        assertEquals("", out());
        assertEquals("""
                request:
                {
                  "method": "trace_probe_read",
                  "params": {
                    "name": "p"
                  }
                }
                Got JSON-RPC error response
                response:
                {
                  "code": -2,
                  "message": "there is no probe p"
                }
                """, err());
    }

    @Test
    void failsWithAHintForAMethodThatIsTypedWrongly() {
        assertEquals(1, run("spdk_get_versoin"));
        assertEquals("rpc: error: there is no method spdk_get_versoin; did you mean spdk_get_version?\n", err());
    }

    @Test
    void failsWhenNobodyListens() {
        assertEquals(1, runExactly("-s", directory.resolve("none").toString(), "-r", "1", "spdk_get_version"));
        assertTrue(err().startsWith("rpc: error: cannot connect to " + directory.resolve("none") + ": "), err());
    }

    @Test
    void failsWhenTheAnswerIsLate() throws InterruptedException {
        registry.register(RpcMethod.of("trace_clear", NoParams.class, RpcState.STARTUP), none -> {
            Thread.sleep(Long.MAX_VALUE);
            return true;
        });
        assertEquals(1, run("-t", "0.05", "trace_clear"));
        assertEquals("rpc: error: no answer to trace_clear within 0.05 s\n", err());
        threads.shutdownNow();
    }

    @Test
    void failsForAnUnknownFlagAndShowsTheFlags() {
        assertEquals(1, run("--nonsense", "spdk_get_version"));
        assertTrue(err().startsWith("Usage: rpc "), err());
        assertTrue(err().contains("--server-addr"), err());
    }

    @Test
    void reachesAServerOnTcp() throws IOException {
        try (RpcServer tcp = RpcServer.listen(RpcAddress.parse("127.0.0.1:0"), registry, RpcLog.NONE, threads)) {
            int port = ((RpcAddress.Tcp) tcp.address()).port();
            assertEquals(0, runExactly("-s", "127.0.0.1", "-p", Integer.toString(port), "spdk_get_version"));
            assertEquals(0, runExactly("-s", "127.0.0.1:" + port, "spdk_get_version"));
        }
    }

    @Test
    void takesAnEmptyArgument() {
        assertEquals(1, run("trace_probe_read", ""));
        assertTrue(err().contains("\"name\": \"\""), err());
    }

    @Test
    void showsTheRequestWithoutSendingIt() {
        assertEquals(0, runExactly("-s", "/nowhere", "--dry-run", "rpc_get_methods", "-c"));
        assertEquals("""
                {
                  "method": "rpc_get_methods",
                  "params": {
                    "current": true
                  }
                }
                """, out());
    }

    @Test
    void runsTheLinesOfStandardInputUntilOneFails() {
        input = "# a comment\n\nspdk_get_version\ntrace_probe_read 'p q'\nrpc_get_methods\n";
        assertEquals(1, run());
        assertTrue(out().contains("Spindrift") && !out().contains("rpc_get_methods"), out());
        assertTrue(err().startsWith("trace_probe_read 'p q' <<<\nrequest:\n"), err());
        assertTrue(err().contains("there is no probe p q"), err());
    }

    @Test
    void listsAllMethodsAndExplainsEach() {
        assertEquals(0, runExactly("-h"));
        assertTrue(out().contains("\n  spdk_get_version  "), out());
        assertTrue(out().contains("\n  save_config  "), out());
        assertEquals(0, runExactly("rpc_get_methods", "--help"));
        assertTrue(out().contains("--include-aliases"), out());
    }

    @Test
    void savesTheConfigurationOfEverySubsystem() {
        registry.enter(RpcState.RUNTIME);
        assertEquals(0, run("save_config"));
        assertEquals(Json.parseWithComments(CONFIG.getBytes(StandardCharsets.UTF_8)), Json.parse(out()));
        assertTrue(out().startsWith("{\n  \"subsystems\": [\n    {\n"), out());
    }

    @Test
    void savesInOneLineAndOnlyTheSubsystemsAskedFor() {
        registry.enter(RpcState.RUNTIME);
        assertEquals(0, run("save_config", "-i", "-1", "-s", "iobuf"));
        assertEquals("{\"subsystems\":[{\"subsystem\":\"iobuf\",\"config\":null}]}\n", out());
        assertEquals(1, run("save_config", "-s", "iobuf,nonsense"));
        assertEquals(0, run("save_subsystem_config", "-n", "iobuf", "-i", "-1"));
        assertEquals("{\"subsystem\":\"iobuf\",\"config\":null}\n", out());
    }

    @Test
    void loadsStartupCallsThenStartsTheFrameworkThenLoadsTheRest() {
        input = CONFIG;
        assertEquals(0, run("load_config"));
        assertEquals(List.of("bdev_options 2", "framework_start_init", "bdev_make 1", "bdev_make 3"), made);
        assertEquals("", err());
    }

    @Test
    void loadsFromAFileAndSaysWhatComesTooLate() throws IOException {
        registry.enter(RpcState.RUNTIME);
        Path file = Files.writeString(directory.resolve("saved.json"), CONFIG);
        assertEquals(0, run("load_config", "-j", file.toString()));
        assertEquals(List.of("bdev_make 1", "bdev_make 3"), made);
        assertEquals(
                "subsystems[1].config[1]: bdev_options was left out: it can only be called before the framework is "
                        + "initialized\n",
                err());
    }

    @Test
    void startsTheFrameworkForAnEmptyConfiguration() {
        input = "{\"subsystems\": []}";
        assertEquals(0, run("load_config"));
        assertEquals(List.of("framework_start_init"), made);
    }

    @Test
    void makesNoCallIfTheConfigurationHasAnUnknownMethod() {
        input = CONFIG.replace("\"bdev_make\", \"params\": {\"value\": 3", "\"nonsense\", \"params\": {\"value\": 3");
        assertEquals(1, run("load_config"));
        assertEquals("rpc: error: subsystems[1].config[2].method is nonsense, which is no method of the application\n",
                err());
        assertEquals(List.of(), made);
    }

    @Test
    void saysWhichCallOfAConfigurationFailed() {
        registry.enter(RpcState.RUNTIME);
        input = "{\"subsystem\":\"x\",\"config\":[{\"method\":\"bdev_make\"}]}";
        assertEquals(1, run("load_subsystem_config"));
        assertTrue(err().startsWith("config[0]:\nrequest:\n"), err());
    }

    @Test
    void refusesAConfigurationThatIsNone() {
        input = "{\"subsystems\": 1111}";
        assertEquals(1, run("load_config"));
        assertEquals("rpc: error: subsystems must be an array of subsystems\n", err());
        input = "{";
        assertEquals(1, run("load_config"));
        assertTrue(err().startsWith("rpc: error: standard input: line 1"), err());
    }

    @Test
    void warnsOfAPlugInThatIsNoneAndGoesOn() throws IOException {
        Files.writeString(directory.resolve("broken.jar"), "no jar");
        assertEquals(0, run("--plugin-path", directory.toString(), "rpc_get_methods"));
        assertTrue(err().startsWith("rpc: warning: plug-in " + directory.resolve("broken.jar")), err());
    }

    @Test
    void printsACompletionScriptThatBashTakes() throws Exception {
        assertEquals(0, runExactly("--completion"));
        Path script = Files.writeString(directory.resolve("completion"),
                out() + "COMP_WORDS=(rpc -s x rpc_get_methods --inc) COMP_CWORD=4; _spindrift_rpc; echo ${COMPREPLY[*]}\n"
                        + "COMP_WORDS=(rpc spdk_get) COMP_CWORD=1; _spindrift_rpc; echo ${COMPREPLY[*]}\n");
        Process bash = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true).start();
        assertEquals("--include-aliases\nspdk_get_version\n",
                new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void printsTheManualAndTheSchema() {
        assertEquals(0, runExactly("--docs"));
        assertTrue(out().contains("\n## rpc_get_methods\n"), out());
        assertTrue(out().contains("| current | boolean | `false` | only those that can be called now |"), out());
        assertEquals(0, runExactly("--schema"));
        assertEquals("boolean", Json.parse(out()).at("/methods/rpc_get_methods/params/0/type").stringValue());
    }
}
