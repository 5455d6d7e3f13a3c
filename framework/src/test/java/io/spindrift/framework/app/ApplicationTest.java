package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import java.io.BufferedReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(30)
class ApplicationTest {
    @TempDir
    Path folder;

    private final RecordedLog log = new RecordedLog();
    private final FakeComponents components = new FakeComponents();

    @AfterEach
    void close() {
        log.close();
    }

    private ApplicationOptions.Builder options() {
        return ApplicationOptions.builder("tgt").cpuLocks(false).noRpcServer();
    }

    private ApplicationOptions.Builder serving() {
        return ApplicationOptions.builder("tgt").cpuLocks(false).rpcAddress(folder.resolve("rpc.sock").toString());
    }

    private Application create(ApplicationOptions.Builder options) throws StartException {
        return Application.create(options.build(), components, log.log());
    }

    private Application start(ApplicationOptions.Builder options) throws StartException {
        Application application = create(options);
        application.start();
        return application;
    }

    private String startRefusal(ApplicationOptions.Builder options) {
        return assertThrows(StartException.class, () -> start(options)).getMessage();
    }

    private ApplicationOptions.Builder configured(String text) throws Exception {
        return options().configFile(Files.writeString(folder.resolve("c.json"), text));
    }

    private static JsonNode call(Application application, String method) {
        return application.rpcs().dispatch(method, null);
    }

    @Test
    void startsSubsystemsInOrderAndStopsThemInTheOppositeOne() throws Exception {
        components.add("nvmf", "bdev");
        components.add("bdev");
        components.job = application -> application.stop(0);
        Application application = start(options());

        assertEquals(0, application.join());
        assertEquals(List.of("rpcs bdev", "rpcs nvmf", "init bdev", "init nvmf", "job", "end", "shutdown nvmf",
                "shutdown bdev"), components.journal);
    }

    @Test
    void returnsTheHighestStatusThatItWasStoppedWith() throws Exception {
        components.job = application -> {
            application.stop(3);
            application.stop(0);
        };

        assertEquals(3, start(options()).join());
    }

    @Test
    void endsWithStatusOneWhenItsJobFails() throws Exception {
        components.job = _ -> {
            throw new IllegalStateException("no bdev to use");
        };

        assertEquals(1, start(options()).join());
        assertTrue(log.contains("tgt ends, because its job failed"), log.toString());
        assertTrue(log.contains("no bdev to use"), log.toString());
    }

    @Test
    void endsWithStatusOneWhenAnErrorEndsItsJob() throws Exception {
        components.job = _ -> {
            throw new OutOfMemoryError("no room for a channel");
        };

        assertEquals(1, start(options()).join());
        assertTrue(log.contains("no room for a channel"), log.toString());
    }

    @Test
    void endsWithStatusOneWhenAShutdownFailsAndShutsTheRestDown() throws Exception {
        components.add("bdev");
        components.add("nvmf", "bdev").shutdown = _ -> {
            throw new IllegalStateException("stuck qpair");
        };
        components.job = application -> application.stop(0);

        assertEquals(1, start(options()).join());
        assertEquals("shutdown bdev", components.journal.getLast());
        assertTrue(log.contains("the stop of subsystem nvmf failed"), log.toString());
    }

    @Test
    void namesTheSubsystemThatDoesNotStartAndStopsTheOthers() throws Exception {
        components.add("bdev");
        components.add("nvmf", "bdev").init = _ -> {
            throw new IllegalStateException("no transport");
        };
        components.add("late", "nvmf");

        assertEquals("subsystem nvmf does not start: no transport", startRefusal(options()));
        assertEquals(List.of("init bdev", "init nvmf", "shutdown bdev"),
                components.journal.stream().filter(entry -> !entry.startsWith("rpcs")).toList());
    }

    @Test
    void stopsWhatHadStartedWhenAnErrorEndsTheStart() throws Exception {
        components.add("a");
        components.add("b", "a").init = _ -> {
            throw new AssertionError("a bug");
        };
        Application application = create(options());
        assertEquals("a bug", assertThrows(AssertionError.class, application::start).getMessage());
        assertEquals(List.of("rpcs a", "rpcs b", "init a", "init b", "shutdown a"), components.journal);
        assertEquals(1, application.join());
    }

    @Test
    void stopsWhenAnErrorEndsTheStartByRpc() throws Exception {
        components.add("a").init = _ -> {
            throw new AssertionError("a bug");
        };
        Application application = start(serving().waitForRpc(true));
        assertThrows(RpcException.class, () -> call(application, "framework_start_init"));
        assertEquals(1, application.join());
    }

    @Test
    void refusesSubsystemsThatDoNotFitTogether() {
        components.add("bdev", "accel");

        assertEquals("subsystem bdev depends on accel, which this program does not have", startRefusal(options()));
    }

    @Test
    void startsNoFurtherSubsystemAfterAStop() throws Exception {
        components.add("bdev").init = application -> application.stop(0);
        components.add("nvmf", "bdev");

        assertEquals(0, start(options()).join());
        assertFalse(components.journal.contains("init nvmf"), components.journal.toString());
        assertFalse(components.journal.contains("job"), components.journal.toString());
        assertFalse(components.journal.contains("end"), components.journal.toString());
    }

    @Test
    void namesWhatHoldsAStopThatTakesTooLong() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        components.add("stuck").shutdown = _ -> never.await();
        Application application = Application.create(options().build(), components, log.log(), Optional.empty(),
                Duration.ofMillis(100).toNanos());
        application.start();
        application.stop(0);

        assertEquals(1, application.join());
        assertTrue(log.contains("did not stop within 100 ms: it still waits for subsystem stuck; threads left: "
                + "[app_thread]"), log.toString());

        never.countDown();
        assertEquals(0, application.join());
    }

    @Test
    void namesTheStartThatHoldsAStop() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        components.add("stuck").init = _ -> {
            reached.countDown();
            never.await();
        };
        Application application = Application.create(options().build(), components, log.log(), Optional.empty(),
                Duration.ofMillis(100).toNanos());
        FutureTask<Void> starter = new FutureTask<>(() -> {
            application.start();
            return null;
        });
        Thread.ofPlatform().start(starter);
        reached.await();
        application.stop(0);

        assertEquals(1, application.join());
        assertTrue(log.contains("it still waits for the start of subsystem stuck"), log.toString());
        never.countDown();
        starter.get();
        assertEquals(0, application.join());
    }

    @Test
    void waitsForTheRpcThatStartsTheSubsystems() throws Exception {
        components.add("bdev");
        Application application = start(serving().waitForRpc(true));

        assertTrue(Files.exists(folder.resolve("rpc.sock")));
        assertFalse(components.journal.contains("init bdev"));
        assertEquals("[\"framework_start_init\"]", Json.compact(Json.tree(application.rpcs().names(true, false).stream()
                .filter(name -> name.equals("framework_start_init") || name.equals("thread_set_cpumask")).toList())));

        assertEquals("true", Json.compact(call(application, "framework_start_init")));
        assertEquals("true", Json.compact(call(application, "framework_wait_init")));
        assertTrue(components.journal.contains("init bdev"));
        assertEquals(-1, assertThrows(RpcException.class, () -> call(application, "framework_start_init")).code());
        application.close();
    }

    @Test
    void endsWhenTheRpcThatStartsTheSubsystemsFails() throws Exception {
        components.add("bdev").init = _ -> {
            throw new IllegalStateException("no memory");
        };
        Application application = start(serving().waitForRpc(true));
        RpcException refused = assertThrows(RpcException.class, () -> call(application, "framework_start_init"));

        assertEquals(-32603, refused.code());
        assertEquals("subsystem bdev does not start: no memory", refused.getMessage());
        assertEquals(1, application.join());
    }

    @Test
    void letsThoseWhoWaitForTheStartKnowThatThereWillBeNone() throws Exception {
        Application application = start(serving().waitForRpc(true));
        FutureTask<JsonNode> waiting = new FutureTask<>(() -> call(application, "framework_wait_init"));
        Thread.ofVirtual().start(waiting);
        application.stop(0);

        var refused = assertThrows(ExecutionException.class, waiting::get);
        assertEquals("the application is stopping", refused.getCause().getMessage());
        application.join();
    }

    @Test
    void servesRpcsOnItsSocketAndRemovesIt() throws Exception {
        Application application = start(serving());

        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"NOTICE\"}", request(folder.resolve("rpc.sock"),
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"log_get_level\"}"));
        application.close();
        assertFalse(Files.exists(folder.resolve("rpc.sock")));
    }

    @Test
    void startsWhenTheClientThatWaitsForTheStartAsksForItOnTheSameConnection() throws Exception {
        Application application = start(serving().waitForRpc(true));
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("rpc.sock")))) {
            channel.write(ByteBuffer.wrap(("{\"method\":\"framework_wait_init\",\"id\":1}"
                    + "{\"method\":\"framework_start_init\",\"id\":2}").getBytes(StandardCharsets.UTF_8)));
            BufferedReader replies = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));

            assertEquals(Set.of("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":true}"), Set.of(replies.readLine(), replies.readLine()));
        }
        application.close();
    }

    private static String request(Path socket, String json) throws Exception {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
            return new BufferedReader(Channels.newReader(channel,
                    StandardCharsets.UTF_8)).readLine();
        }
    }

    @Test
    void listensOnlyAfterTheConfigurationIsLoaded() throws Exception {
        components.add("bdev").init = _ -> assertFalse(Files.exists(folder.resolve("rpc.sock")));
        start(serving()).close();
    }

    @Test
    void refusesAnAddressWhereItCannotListen() {
        String message = startRefusal(ApplicationOptions.builder("tgt").cpuLocks(false)
                .rpcAddress(folder.resolve("none/rpc.sock").toString()));

        assertTrue(message.startsWith("no RPC server: ") && message.contains("none/rpc.sock"), message);
    }

    @Test
    void loadsStartUpCallsBeforeTheSubsystemsAndTheOthersAfter() throws Exception {
        components.add("bdev").init = application -> {
            assertEquals("\"ERROR\"", Json.compact(call(application, "log_get_level")));
            assertEquals("\"1\"", Json.compact(call(application, "thread_get_stats").get("threads").get(0)
                    .get("cpumask")));
        };
        Application application = start(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "thread_set_cpumask", "params": {"id": 1, "cpumask": "[0,1]"}},
                  {"method": "log_set_level", "params": {"level": "ERROR"}}]}]}
                """));

        assertEquals("\"3\"",
                Json.compact(call(application, "thread_get_stats").get("threads").get(0).get("cpumask")));
        application.close();
    }

    @Test
    void refusesAConfigurationWithThePathOfWhatIsWrong() throws Exception {
        components.add("bdev");
        String path = folder.resolve("c.json") + ": ";

        assertEquals(path + "subsystems: 1111 must be an array", startRefusal(configured("{\"subsystems\": 1111}")));
        assertEquals(
                path + "subsystems[0].config[0].params.level: level=\"LOUD\" must be one of ERROR, WARNING, NOTICE, "
                        + "INFO, DEBUG (log_set_level)",
                startRefusal(configured("""
                        {"subsystems": [{"subsystem": "bdev", "config": [
                          {"method": "log_set_level", "params": {"level": "LOUD"}}]}]}
                        """)));
        assertFalse(components.journal.contains("init bdev"), components.journal.toString());
    }

    @Test
    void refusesAConfigurationWithAnUnknownMethodBeforeAnythingStarts() throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "log_set_level", "params": {"level": "ERROR"}}, {"method": "nope"}]}]}
                """));

        assertEquals(folder.resolve("c.json") + ": subsystems[0].config[1].method: nope is no method of this program",
                message);
        assertFalse(components.journal.contains("init bdev"), components.journal.toString());
        assertEquals("NOTICE", log.log().level().name());
    }

    @Test
    void namesASubsystemWhoseMethodsCannotBeAdded() {
        components.add("bdev").rpcs = rpcs -> rpcs.register(RpcMethod.of("log_get_level", NoParams.class,
                RpcState.RUNTIME), _ -> true);

        assertEquals("subsystem bdev does not start: the RPC method log_get_level is registered already",
                startRefusal(options()));
    }

    @Test
    void stopsWhatHadStartedWhenALaterCallOfTheConfigurationFails() throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "thread_set_cpumask", "params": {"id": 99, "cpumask": "1"}}]}]}
                """));

        assertTrue(message.contains(": subsystems[0].config[0]: id=99: there is no such thread"), message);
        assertEquals("shutdown bdev", components.journal.getLast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"framework_start_init", "framework_wait_init"})
    @Timeout(30)
    void refusesAConfigurationThatStartsOrAwaitsItself(String method) throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("{\"subsystems\": [{\"subsystem\": \"bdev\", \"config\": "
                + "[{\"method\": \"" + method + "\"}]}]}"));
        assertTrue(message.contains(method + " has no place in a configuration"), message);
        assertFalse(log.contains("Exception"), log.toString());
    }

    @Test
    void goesOnAfterAFailedCallWhenToldTo() throws Exception {
        Application application = start(configured("""
                {"subsystems": [{"subsystem": "scheduler", "config": [{"method": "nope"}]}]}
                """).ignoreInitErrors(true));

        assertTrue(log.contains("nope is no method of this program"), log.toString());
        application.close();
    }

    @Test
    void refusesACoreThatTheMachineLacks() {
        assertEquals("core 1023 of the cpumask " + CpuMask.of(0, 1023) + " does not exist on this machine",
                startRefusal(options().cpuMask(CpuMask.of(0, 1023))));
        assertEquals("main core 2 (-p/--main-core) is not in the cpumask 0x3",
                startRefusal(options().cpuMask(CpuMask.of(0, 1)).mainCore(2)));
    }

    @Test
    void answersOnlyTheRpcsThatAreAllowed() throws Exception {
        Application application = start(options().allowRpcs(List.of("log_get_level")));

        assertEquals("\"NOTICE\"", Json.compact(call(application, "log_get_level")));
        assertEquals(-32601, assertThrows(RpcException.class, () -> call(application, "log_get_flags")).code());
        application.close();
    }

    @Test
    void turnsLogFlagsOnAndWarnsOfUnknownOnes() throws Exception {
        components.add("bdev").init = application -> application.log().flag("bdev");
        Application application = start(options().logFlags(List.of("bdev")));

        assertTrue(log.log().flagStates().get("bdev"));
        assertEquals("DEBUG", log.log().printLevel().name());
        application.close();
        start(options().logFlags(List.of("none"))).close();
        assertTrue(log.contains("*WARNING*: -L/--logflag none changes nothing"), log.toString());
    }

    @Test
    void tracesWhatItIsToldToFromTheStart() throws Exception {
        Application application = start(options().tracepoints("thread"));

        assertTrue(call(application, "trace_get_tpoint_group_mask").get("thread").get("enabled").booleanValue());
        Path file = application.trace().path();
        assertTrue(Files.exists(file));
        application.close();
        Files.deleteIfExists(file);
        assertTrue(startRefusal(options().tracepoints("none")).startsWith("-e none: "));
    }

    @Test
    void tellsItsProcessAndTheFlagsThatMeanNothing() throws Exception {
        start(options().notice("-n/--mem-channels has no meaning")).close();

        assertTrue(log.contains("process " + ProcessHandle.current().pid()), log.toString());
        assertTrue(log.contains("*NOTICE*: -n/--mem-channels has no meaning"), log.toString());
    }

    @Test
    void refusesToStartWithLessMemoryThanItsBuffersNeed() {
        String message = startRefusal(options().memory(MemoryFlags.DEFAULT.withoutHugePages().withMebibytes(1)));

        assertTrue(message.startsWith("subsystem iobuf does not start: ")
                && message.contains("the limit (-s/--mem-size) is 1048576 bytes"), message);
    }

    @Test
    void printsNoNoticesWhenSilenced() throws Exception {
        start(options().silenceNotices(true).notice("-n/--mem-channels has no meaning")).close();

        assertEquals("", log.toString());
    }

    @Test
    void containsAndLogsAnExceptionOnAReactor() throws Exception {
        Application application = start(options());
        application.reactors().appThread().send(() -> {
            throw new IllegalStateException("a bug in a message");
        });
        application.reactors().appThread().run(() -> {});

        assertTrue(log.contains("an exception was contained"), log.toString());
        assertTrue(log.contains("a bug in a message"), log.toString());
        application.close();
    }

    @Test
    void livesBesideAnotherInOneJvm() throws Exception {
        FakeComponents others = new FakeComponents();
        others.add("nvmf");
        components.add("bdev");
        try (RecordedLog otherLog = new RecordedLog()) {
            Application one = start(serving());
            Application two = Application.create(
                    ApplicationOptions.builder("other").cpuLocks(false)
                            .rpcAddress(folder.resolve("other.sock").toString()).cpuMask(CpuMask.of(0)).build(),
                    others, otherLog.log());
            two.start();
            one.log().printLevel(LogLevel.ERROR);
            one.notifications().registerType("bdev_register");

            assertEquals("NOTICE", two.log().printLevel().name());
            assertEquals(List.of(), two.notifications().types());
            assertEquals("[\"scheduler\",\"iobuf\",\"bdev\"]",
                    Json.compact(names(call(one, "framework_get_subsystems"))));
            assertEquals("[\"scheduler\",\"iobuf\",\"nvmf\"]",
                    Json.compact(names(call(two, "framework_get_subsystems"))));

            one.close();
            assertTrue(request(folder.resolve("other.sock"),
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"framework_wait_init\"}").contains("\"result\":true"));
            assertEquals("tgt", one.options().name());
            two.close();
        }
    }

    private static JsonNode names(JsonNode subsystems) {
        return Json.tree(subsystems.valueStream().map(subsystem -> subsystem.get("subsystem")).toList());
    }
}
