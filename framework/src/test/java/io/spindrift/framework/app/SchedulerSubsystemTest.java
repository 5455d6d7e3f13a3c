package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SchedulerSubsystemTest {
    private final Reactors reactors = Reactors.start(ReactorOptions.of("sched", CpuMask.of(0, 1)));
    private final SchedulerSubsystem scheduler = new SchedulerSubsystem(reactors, 0);
    private final RpcRegistry rpcs = new RpcRegistry();

    @BeforeEach
    void register() {
        scheduler.registerRpcs(rpcs);
    }

    @AfterEach
    void stop() {
        scheduler.shutdown();
        reactors.close();
    }

    private String call(String method, String params) {
        return Json.compact(rpcs.dispatch(method, Json.parse(params)));
    }

    private RpcException refusal(String method, String params) {
        return assertThrows(RpcException.class, () -> call(method, params));
    }

    @Test
    void isStaticAtFirstAsThePeerIs() {
        assertEquals("{\"scheduler_name\":\"static\",\"scheduler_period\":0,\"isolated_core_mask\":\"0\","
                + "\"scheduling_core\":0}", call("framework_get_scheduler", "{}"));
        assertEquals("{}", call("framework_get_governor", "{}"));
        assertEquals("[{\"method\":\"framework_set_scheduler\",\"params\":{\"name\":\"static\"}}]",
                Json.compact(Json.tree(scheduler.config())));
    }

    @Test
    void takesTheLimitsOfTheDynamicOne() {
        assertEquals("true", call("framework_set_scheduler", "{\"name\":\"dynamic\",\"load_limit\":10}"));
        assertEquals("{\"scheduler_name\":\"dynamic\",\"scheduler_period\":1000000,\"isolated_core_mask\":\"0\","
                + "\"scheduling_core\":0,\"load_limit\":10,\"core_limit\":80,\"core_busy\":95}",
                call("framework_get_scheduler", "{}"));
        assertEquals("[{\"method\":\"framework_set_scheduler\",\"params\":{\"name\":\"dynamic\",\"period\":1000000,"
                + "\"load_limit\":10,\"core_limit\":80,\"core_busy\":95}}]",
                Json.compact(Json.tree(scheduler.config())));
    }

    @Test
    void refusesAnUnknownScheduler() {
        RpcException refused = refusal("framework_set_scheduler", "{\"name\":\"none\"}");

        assertEquals(-32603, refused.code()); // as the peer
        assertEquals("name=none is no scheduler; there are static and dynamic", refused.getMessage());
    }

    @Test
    void refusesLimitsBeyondAHundredPercentAndBadMappings() {
        assertEquals("load_limit=101 is outside 0..100",
                refusal("framework_set_scheduler", "{\"name\":\"dynamic\",\"load_limit\":101}").getMessage());
        assertEquals("mappings=1:x: 1:x is not THREAD_ID:CORE",
                refusal("framework_set_scheduler", "{\"name\":\"static\",\"mappings\":\"1:x\"}").getMessage());
        assertEquals("mappings=1:7: core 7 is not in the cpumask 0x3",
                refusal("framework_set_scheduler", "{\"name\":\"static\",\"mappings\":\"1:7\"}").getMessage());
    }

    @Test
    void takesIsolatedCoresBeforeTheStartOnly() {
        assertEquals("true", call("scheduler_set_options", "{\"isolated_core_mask\":\"0x2\"}"));
        assertTrue(call("framework_get_scheduler", "{}").contains("\"isolated_core_mask\":\"2\""));
        assertTrue(Json.compact(Json.tree(scheduler.config())).startsWith("[{\"method\":\"scheduler_set_options\","
                + "\"params\":{\"scheduling_core\":0,\"isolated_core_mask\":\"0x2\"}}"));
        assertEquals("scheduling_core=1 is one of the isolated cores",
                refusal("scheduler_set_options", "{\"scheduling_core\":1}").getMessage());
        assertEquals("isolated_core_mask=0x4: core 2 is not in the cpumask 0x3",
                refusal("scheduler_set_options", "{\"isolated_core_mask\":\"0x4\"}").getMessage());

        rpcs.enter(RpcState.RUNTIME);
        assertEquals(-1, refusal("scheduler_set_options", "{\"scheduling_core\":0}").code());
    }

    @Test
    void movesThreadsAsMappedByHand() throws Exception {
        IoThread thread = reactors.createThread("mapped", CpuMask.of(0, 1));
        int other = thread.call(() -> thread.reactor().core()) == 0 ? 1 : 0;
        scheduler.init();
        call("framework_set_scheduler", "{\"name\":\"static\",\"mappings\":\"" + thread.id() + ":" + other + "\"}");

        awaitCore(thread, other);
    }

    @Test
    void gathersIdleThreadsWhenDynamic() throws Exception {
        IoThread idle = reactors.createThread("idle", CpuMask.of(0, 1));
        idle.moveTo(reactors.reactor(1));
        awaitCore(idle, 1);
        call("framework_set_scheduler", "{\"name\":\"dynamic\",\"period\":1000}");
        scheduler.init();

        awaitCore(idle, 0);
    }

    /// Asks the thread itself, each turn anew, until it says that it runs on `core`; the test's time limit ends it.
    private static void awaitCore(IoThread thread, int core) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(1);
        thread.send(new Runnable() {
            @Override
            public void run() {
                if (thread.reactor().core() == core) {
                    there.countDown();
                } else {
                    thread.send(this);
                }
            }
        });
        there.await();
    }
}
