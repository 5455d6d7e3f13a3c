package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Check;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigLoaderTest {
    record Size(String name, long numBlocks) {
        Size {
            Check.range("num_blocks", numBlocks, 1, 1 << 20);
        }
    }

    private final RpcRegistry rpcs = new RpcRegistry();
    private final List<String> calls = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final Log log = new Log((_, line) -> logged.add(line), LogSink.discard(), Clock.systemUTC());

    @BeforeEach
    void register() {
        rpcs.register(RpcMethod.of("early", NoParams.class, RpcState.STARTUP), _ -> calls.add("early"));
        rpcs.register(RpcMethod.of("both", NoParams.class, RpcState.STARTUP, RpcState.RUNTIME),
                _ -> calls.add("both"));
        rpcs.register(RpcMethod.of("create", Size.class, RpcState.RUNTIME),
                size -> calls.add(size.name() + " " + size.numBlocks()));
        rpcs.register(RpcMethod.of("fail", NoParams.class, RpcState.RUNTIME), _ -> {
            throw RpcException.errno(17, "bdev Null0 exists");
        });
    }

    @AfterEach
    void close() {
        log.close();
    }

    private ConfigLoader loader(boolean ignoreErrors, String... entries) throws ConfigException {
        return loader("bdev", ignoreErrors, entries);
    }

    private ConfigLoader loader(String subsystem, boolean ignoreErrors, String... entries) throws ConfigException {
        String text = "{\"subsystems\":[{\"subsystem\":\"" + subsystem + "\",\"config\":[" + String.join(",", entries)
                + "]}]}";
        return new ConfigLoader(ConfigFile.parse("c.json", text.getBytes(StandardCharsets.UTF_8)), rpcs,
                Set.of("bdev"), ignoreErrors, log);
    }

    private static String call(String method) {
        return "{\"method\":\"" + method + "\"}";
    }

    private static String create(String params) {
        return "{\"method\":\"create\",\"params\":" + params + "}";
    }

    private String refusal(String params) throws ConfigException {
        rpcs.enter(RpcState.RUNTIME);
        ConfigLoader loader = loader(false, create(params));
        return assertThrows(ConfigException.class, () -> loader.run(() -> false, _ -> {})).getMessage();
    }

    @Test
    void makesEachCallOnceInTheFirstStateThatAllowsIt() throws Exception {
        ConfigLoader loader = loader(false, create("{\"name\":\"a\",\"num_blocks\":1}"), call("both"), call("early"));

        loader.run(() -> false, _ -> {});
        assertEquals(List.of("both", "early"), calls);

        rpcs.enter(RpcState.RUNTIME);
        loader.run(() -> false, _ -> {});
        assertEquals(List.of("both", "early", "a 1"), calls);
    }

    @Test
    void acceptsAWholeNumberWithAPointAndRefusesAFraction() throws Exception {
        rpcs.enter(RpcState.RUNTIME);
        loader(false, create("{\"name\":\"a\",\"num_blocks\":65536.0}")).run(() -> false, _ -> {});
        assertEquals(List.of("a 65536"), calls);

        assertEquals("c.json: subsystems[0].config[0].params.num_blocks: num_blocks=65536.5 must be a whole number "
                + "(create)", refusal("{\"name\":\"a\",\"num_blocks\":65536.5}"));
    }

    @Test
    void namesThePathOfARefusedParameter() throws Exception {
        assertEquals("c.json: subsystems[0].config[0].params.num_blocks: num_blocks=0 is outside 1..1048576 (create)",
                refusal("{\"name\":\"a\",\"num_blocks\":0}"));
        assertEquals("c.json: subsystems[0].config[0].params.num_blocks: num_blocks is missing (create)",
                refusal("{\"name\":\"a\"}"));
        assertTrue(refusal("{\"name\":\"a\",\"num_blocks\":1,\"nme\":2}")
                .startsWith("c.json: subsystems[0].config[0].params.nme: nme=2 is not a parameter"));
        assertTrue(calls.isEmpty());
    }

    @Test
    void namesTheEntryOfACallThatFails() throws Exception {
        rpcs.enter(RpcState.RUNTIME);
        ConfigLoader loader = loader(false, call("both"), call("fail"));

        assertEquals("c.json: subsystems[0].config[1]: bdev Null0 exists (fail)",
                assertThrows(ConfigException.class, () -> loader.run(() -> false, _ -> {})).getMessage());
    }

    @Test
    void refusesAnUnknownMethodBeforeTheFirstCall() throws Exception {
        ConfigLoader loader = loader(false, call("both"), call("nope"));

        assertEquals("c.json: subsystems[0].config[1].method: nope is no method of this program",
                assertThrows(ConfigException.class, loader::check).getMessage());
        assertTrue(calls.isEmpty());
    }

    @Test
    void refusesAMethodThatHasGoneSinceBecauseItsPluginDidNotStart() throws Exception {
        List<RpcBinding<?>> plugin = List.of(RpcMethod.of("zero", NoParams.class, RpcState.RUNTIME).bind(_ -> true));
        rpcs.register(plugin);
        ConfigLoader loader = loader(false, call("both"), call("zero"));
        loader.check();
        loader.run(() -> false, _ -> {});
        rpcs.unregister(plugin);
        rpcs.enter(RpcState.RUNTIME);

        assertEquals("c.json: subsystems[0].config[1].method: zero is no method of this program",
                assertThrows(ConfigException.class, () -> loader.run(() -> false, _ -> {})).getMessage());
    }

    @Test
    void goesOnAfterErrorsWhenToldTo() throws Exception {
        ConfigLoader loader = loader(true, call("nope"), call("fail"), create("{\"name\":\"a\",\"num_blocks\":1}"));
        loader.check();
        rpcs.enter(RpcState.RUNTIME);
        loader.run(() -> false, _ -> {});
        log.flush();

        assertEquals(List.of("a 1"), calls);
        assertEquals(2, logged.size());
        assertTrue(logged.getFirst().contains("subsystems[0].config[0].method: nope is no method of this program"));
        assertTrue(logged.getLast().contains("subsystems[0].config[1]: bdev Null0 exists (fail)"));
    }

    @Test
    void passesOverUnknownCallsOfASubsystemThatOnlyThePeerHas() throws Exception {
        ConfigLoader loader = loader("accel", false, call("accel_set_options"), call("both"));
        loader.check();
        loader.run(() -> false, _ -> {});
        log.flush();

        assertEquals(List.of("both"), calls);
        assertEquals(1, logged.size());
        assertTrue(logged.getFirst().contains("c.json: subsystems[0]: this program has no subsystem accel; 1 of its 2 "
                + "calls are unknown and passed over"), logged.getFirst());
    }

    @Test
    void passesOverTheOptionsOfAModuleThatOnlyThePeerHas() throws Exception {
        ConfigLoader loader = loader(false, call("bdev_raid_set_options"), call("both"));
        loader.check();
        loader.run(() -> false, _ -> {});
        log.flush();

        assertEquals(List.of("both"), calls);
        assertTrue(logged.getFirst().contains("subsystems[0].config[0]: bdev_raid_set_options is passed over"),
                logged.getFirst());
    }

    @Test
    void refusesAnUnknownMethodOfASubsystemThatNobodyHas() throws Exception {
        ConfigLoader loader = loader("bdve", false, call("nope"));

        assertThrows(ConfigException.class, loader::check);
    }

    @Test
    void stopsBetweenCallsWhenAsked() throws Exception {
        loader(false, call("both"), call("early")).run(() -> !calls.isEmpty(), _ -> {});

        assertEquals(List.of("both"), calls);
    }
}
