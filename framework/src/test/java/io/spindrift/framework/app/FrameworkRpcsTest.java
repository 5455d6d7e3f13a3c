package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Shapes and codes are those of a real peer's answers; texts are ours.
@Timeout(30)
class FrameworkRpcsTest {
    record Create(String name) {}

    private final RecordedLog log = new RecordedLog();
    private final FakeComponents components = new FakeComponents();
    private final List<KillSignal> signals = new ArrayList<>();
    private Application application;

    @BeforeEach
    void start() throws Exception {
        components.add("bdev").config = List.of(new ConfigEntry("bdev_null_create", new Create("Null0")),
                new ConfigEntry("bdev_wait_for_examine", new NoParams()));
        components.add("nvmf", "bdev");
        log.log().flag("bdev");
        application = Application.create(
                ApplicationOptions.builder("tgt").cpuLocks(false).noRpcServer().build(), components, log.log(),
                Optional.of(signals::add), Lifecycle.STOP_LIMIT_NANOS);
        application.start();
    }

    @AfterEach
    void stop() {
        application.close();
        log.close();
    }

    private JsonNode call(String method, String params) {
        return application.rpcs().dispatch(method, Json.parse(params));
    }

    private String text(String method, String params) {
        return Json.compact(call(method, params));
    }

    private RpcException refusal(String method, String params) {
        return assertThrows(RpcException.class, () -> call(method, params));
    }

    private static List<String> keys(JsonNode object) {
        return List.copyOf(object.propertyNames());
    }

    @Test
    void listsSubsystemsInStartingOrder() {
        assertEquals("[{\"subsystem\":\"scheduler\",\"depends_on\":[]},"
                + "{\"subsystem\":\"iobuf\",\"depends_on\":[]},{\"subsystem\":\"bdev\",\"depends_on\":[]},"
                + "{\"subsystem\":\"nvmf\",\"depends_on\":[\"bdev\"]}]", text("framework_get_subsystems", "{}"));
    }

    @Test
    void listsASubsystemsConfiguration() {
        String config = "[{\"method\":\"bdev_null_create\",\"params\":{\"name\":\"Null0\"}},"
                + "{\"method\":\"bdev_wait_for_examine\"}]";

        assertEquals(config, text("framework_get_config", "{\"name\":\"bdev\"}"));
        assertEquals(config, text("framework_get_config", "{\"name\":\"bdev\",\"with_batches\":true}"));
        assertEquals("[]", text("framework_get_config", "{\"name\":\"nvmf\"}"));
        assertEquals(-32602, refusal("framework_get_config", "{\"name\":\"none\"}").code());
    }

    @Test
    void describesReactorsAsThePeerDoes() {
        application.reactors().appThread().run(() -> {}); // the reactor runs
        JsonNode answer = call("framework_get_reactors", "{}");
        JsonNode reactor = answer.get("reactors").get(0);

        assertEquals(List.of("tick_rate", "pid", "reactors"), keys(answer));
        assertEquals(ProcessHandle.current().pid(), answer.get("pid").longValue());
        assertEquals(List.of("lcore", "numa_id", "tid", "busy", "idle", "in_interrupt", "irq", "sys", "usr",
                "lw_threads"), keys(reactor));
        assertEquals(List.of("name", "id", "cpumask", "elapsed"), keys(reactor.get("lw_threads").get(0)));
        assertTrue(reactor.get("tid").intValue() > 0);
    }

    @Test
    void describesThreadsAsThePeerDoes() {
        JsonNode thread = call("thread_get_stats", "{}").get("threads").get(0);

        assertEquals(List.of("name", "id", "cpumask", "busy", "idle", "active_pollers_count", "timed_pollers_count",
                "paused_pollers_count"), keys(thread));
        assertEquals("app_thread", thread.get("name").stringValue());
        assertEquals("1", thread.get("cpumask").stringValue());
    }

    @Test
    void describesPollersAsThePeerDoes() {
        IoThread thread = application.reactors().appThread();
        List<Poller> pollers = new ArrayList<>();
        thread.run(() -> {
            pollers.add(thread.addTimedPoller("waiting", () -> 0, 1_000_000_000));
            pollers.add(thread.addTimedPoller("asleep", () -> 0, 5_000_000));
            pollers.getLast().pause();
        });
        JsonNode answer = call("thread_get_pollers", "{}").get("threads").get(0);

        assertEquals(List.of("name", "id", "active_pollers", "timed_pollers", "paused_pollers"), keys(answer));
        assertEquals("{\"name\":\"waiting\",\"id\":1,\"state\":\"waiting\",\"run_count\":0,\"busy_count\":0,"
                + "\"period_ticks\":1000000000}", Json.compact(answer.get("timed_pollers").get(0)));
        assertEquals("paused", answer.get("paused_pollers").get(0).get("state").stringValue());
        assertEquals(1, call("thread_get_stats", "{}").get("threads").get(0).get("paused_pollers_count").intValue());
        thread.run(() -> pollers.forEach(Poller::unregister));
    }

    @Test
    void describesChannelsAsThePeerDoes() {
        IoThread thread = application.reactors().appThread();
        var device = new IoDevice<IoChannel>(application.reactors(), "nvmf_tgt") {
            @Override
            protected IoChannel createChannel(IoThread owner) {
                return new IoChannel(this, owner) {};
            }
        };
        thread.run(() -> {
            device.channel();
            device.channel();
        });

        assertEquals("{\"tick_rate\":1000000000,\"threads\":[{\"name\":\"app_thread\",\"io_channels\":"
                + "[{\"name\":\"nvmf_tgt\",\"ref\":2}]}]}", text("thread_get_io_channels", "{}"));
        thread.run(() -> {
            IoChannel channel = device.channel();
            channel.release();
            channel.release();
            channel.release();
        });
    }

    @Test
    void setsAThreadsCores() {
        assertEquals("true", text("thread_set_cpumask", "{\"id\":1,\"cpumask\":\"0x1\"}"));
        assertEquals(-32603, refusal("thread_set_cpumask", "{\"id\":1,\"cpumask\":\"zz\"}").code());
        assertTrue(refusal("thread_set_cpumask", "{\"id\":1,\"cpumask\":\"zz\"}").getMessage()
                .startsWith("Invalid cpumask zz"));
        assertEquals(-32603, refusal("thread_set_cpumask", "{\"id\":99,\"cpumask\":\"1\"}").code());
        assertEquals(-32603, refusal("thread_set_cpumask", "{\"id\":1,\"cpumask\":\"0x80\"}").code());
    }

    @Test
    void setsLogLevelsAndFlags() {
        assertEquals("true", text("log_set_level", "{\"level\":\"INFO\"}"));
        assertEquals("\"INFO\"", text("log_get_level", "{}"));
        assertEquals("true", text("log_set_print_level", "{\"level\":\"ERROR\"}"));
        assertEquals("\"ERROR\"", text("log_get_print_level", "{}"));
        assertEquals("true", text("log_set_flag", "{\"flag\":\"bdev\"}"));
        assertTrue(call("log_get_flags", "{}").get("bdev").booleanValue());
        assertEquals("true", text("log_clear_flag", "{\"flag\":\"bdev\"}"));
        assertFalse(call("log_get_flags", "{}").get("bdev").booleanValue());
        assertEquals("true", text("log_enable_timestamps", "{\"enabled\":false}"));
    }

    @Test
    void refusesUnknownLogLevelsAndFlags() {
        assertEquals(-32602, refusal("log_set_flag", "{\"flag\":\"none\"}").code());
        assertEquals(-32602, refusal("log_set_level", "{\"level\":\"LOUD\"}").code());
    }

    @Test
    void listsNotifications() {
        application.notifications().registerType("bdev_register");
        application.notifications().send("bdev_register", "Null0");
        application.notifications().send("bdev_register", "N2");

        assertEquals("[\"bdev_register\"]", text("notify_get_types", "{}"));
        assertEquals("[{\"type\":\"bdev_register\",\"ctx\":\"Null0\",\"id\":0},"
                + "{\"type\":\"bdev_register\",\"ctx\":\"N2\",\"id\":1}]", text("notify_get_notifications", "{}"));
        assertEquals("[{\"type\":\"bdev_register\",\"ctx\":\"N2\",\"id\":1}]",
                text("notify_get_notifications", "{\"id\":1,\"max\":5}"));
    }

    @Test
    void handsSignalsToTheOwnerOfTheProcess() {
        assertEquals("true", text("spdk_kill_instance", "{\"sig_name\":\"SIGTERM\"}"));
        assertEquals(List.of(KillSignal.SIGTERM), signals);
        assertEquals(-32602, refusal("spdk_kill_instance", "{\"sig_name\":\"SIGFPE\"}").code());
    }

    /// On a virtual thread, as for a client, where closing a lock's file is asserted not to happen.
    @Test
    void leavesTheLocksOnCoresToThreadsThatMayBlock() throws Exception {
        assertEquals("true", application.reactors().control()
                .submit(() -> text("framework_disable_cpumask_locks", "{}")).get());
    }

    @Test
    void tellsWhetherItWatchesContextSwitches() {
        assertEquals("{\"enabled\":false}", text("framework_monitor_context_switch", "{}"));
        assertEquals("{\"enabled\":true}", text("framework_monitor_context_switch", "{\"enabled\":true}"));
        assertEquals("{\"enabled\":true}", text("framework_monitor_context_switch", "{}"));
        assertEquals("{\"enabled\":false}", text("framework_monitor_context_switch", "{\"enabled\":false}"));
    }

    @Test
    void declaresEveryMethodThatItAnswers() {
        List<String> declared = new FrameworkRpcs().methods().stream().map(method -> method.name()).toList();

        for (String name : declared) {
            assertTrue(application.rpcs().method(name).isPresent(), name);
        }
    }

    @Test
    void stopsAnEmbeddedApplicationInsteadOfTheProcess() throws Exception {
        try (RecordedLog otherLog = new RecordedLog()) {
            Application embedded = Application.create(
                    ApplicationOptions.builder("embedded").cpuLocks(false).noRpcServer().build(),
                    new FakeComponents(), otherLog.log());
            embedded.start();
            assertThrows(RpcException.class,
                    () -> embedded.rpcs().dispatch("spdk_kill_instance", Json.parse("{\"sig_name\":\"SIGKILL\"}")));
            embedded.rpcs().dispatch("spdk_kill_instance", Json.parse("{\"sig_name\":\"SIGINT\"}"));

            assertEquals(0, embedded.join());
        }
    }
}
