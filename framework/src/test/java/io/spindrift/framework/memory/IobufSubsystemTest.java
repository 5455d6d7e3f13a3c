package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class IobufSubsystemTest {
    private final Reactors reactors = Reactors.start(ReactorOptions.of("iobuf-test", CpuMask.of(0)));
    private final Memory memory = new Memory(MemoryOptions.DEFAULT, reactors);
    private final IobufSubsystem iobuf = new IobufSubsystem(memory);
    private final RpcRegistry rpcs = new RpcRegistry();

    @BeforeEach
    void register() {
        iobuf.registerRpcs(rpcs);
    }

    @AfterEach
    void close() {
        reactors.close();
        memory.close();
    }

    private JsonNode call(String method, String params) {
        return rpcs.dispatch(method, Json.parse(params));
    }

    private String config() {
        return iobuf.config().stream().map(Json::tree).toList().toString();
    }

    @Test
    void savesTheDefaultsThatThePeerSaves() {
        // The peer's answer to framework_get_config {"name": "iobuf"}.
        assertEquals("[{\"method\":\"iobuf_set_options\",\"params\":{\"small_pool_count\":8192,"
                + "\"large_pool_count\":1024,\"small_bufsize\":8192,\"large_bufsize\":135168,\"enable_numa\":false}}]",
                config());
    }

    @Test
    void makesThePoolsThatWereAskedFor() throws IOException {
        assertTrue(call("iobuf_set_options", "{\"small_pool_count\": 100, \"large_bufsize\": 16384}").asBoolean());
        assertTrue(call("iobuf_set_options", "{\"enable_numa\": true}").asBoolean());
        BufferPoolOptions expected = new BufferPoolOptions(100, 1024, 8192, 16_384, true);
        assertEquals(List.of(new ConfigEntry("iobuf_set_options", expected)), iobuf.config());
        assertThrows(IllegalStateException.class, iobuf::pools);
        iobuf.init();
        assertEquals(expected, iobuf.pools().options());
        assertEquals(100 * 8192L, memory.stats().bytesByOwner().get("iobuf small"));
        assertEquals(1024 * 16_384L, memory.stats().bytesByOwner().get("iobuf large"));
        iobuf.shutdown();
        assertEquals(List.of(), memory.stats().regions());
    }

    @Test
    void refusesOptionsOutsideTheLimitsAndKeepsTheOldOnes() {
        String before = config();
        for (String params : List.of("{\"small_pool_count\": 63}", "{\"large_pool_count\": 7}",
                "{\"small_bufsize\": 4095}", "{\"large_bufsize\": 8191}", "{\"small_bufsize\": 4294967295}",
                "{\"small_pool_count\": 9223372036854775807}")) {
            assertEquals(-22, assertThrows(RpcException.class, () -> call("iobuf_set_options", params)).code(), params);
        }
        assertEquals("small_pool_count=63 is outside 64..16777216", assertThrows(RpcException.class,
                () -> call("iobuf_set_options", "{\"small_pool_count\": 63, \"large_pool_count\": 9}")).getMessage());
        for (String params : List.of("{\"small_pool_count\": -1}", "{\"small_pool_count\": \"64\"}", "{\"x\": 1}",
                "{\"enable_numa\": 1}", "{\"small_bufsize\": 4294967296}")) {
            assertEquals(-32602, assertThrows(RpcException.class, () -> call("iobuf_set_options", params)).code(),
                    params);
        }
        assertEquals(before, config());
    }

    @Test
    void setsOptionsBeforeTheStartOnly() {
        rpcs.enter(RpcState.RUNTIME);
        assertEquals(RpcException.INVALID_STATE,
                assertThrows(RpcException.class, () -> call("iobuf_set_options", "{}")).code());
    }

    @Test
    void showsStatisticsAsThePeerDoes() throws IOException {
        iobuf.init();
        rpcs.enter(RpcState.RUNTIME);
        iobuf.pools().registerModule("accel");
        var channel = reactors.appThread().call(() -> {
            BufferChannel opened = iobuf.pools().openChannel("bdev", 128, 16);
            // Two small buffers: the first takes 32 from the shared pool, the second is one of those.
            opened.release(opened.tryGet(512));
            opened.release(opened.tryGet(512));
            opened.release(opened.tryGet(100_000));
            return opened;
        });
        // Keys and their order as in the peer's answer to iobuf_get_stats.
        assertEquals("[{\"module\":\"accel\",\"small_pool\":{\"cache\":0,\"main\":0,\"retry\":0,\"cache_size\":0},"
                + "\"large_pool\":{\"cache\":0,\"main\":0,\"retry\":0,\"cache_size\":0}},"
                + "{\"module\":\"bdev\",\"small_pool\":{\"cache\":1,\"main\":1,\"retry\":0,\"cache_size\":128},"
                + "\"large_pool\":{\"cache\":0,\"main\":1,\"retry\":0,\"cache_size\":16}}]",
                call("iobuf_get_stats", "{}").toString());
        reactors.appThread().run(channel::close);
        assertEquals(0, call("iobuf_get_stats", "{}").get(1).get("small_pool").get("cache_size").asInt());
        iobuf.shutdown();
    }

    @Test
    void writesWhoHasWhatToAFile() throws IOException {
        iobuf.init();
        rpcs.enter(RpcState.RUNTIME);
        Path first = Path.of(call("env_dpdk_get_mem_stats", "{}").get("filename").asString());
        Path file = Path.of(call("env_dpdk_get_mem_stats", "{}").get("filename").asString());
        assertFalse(Files.exists(first), "only the newest is kept");
        String text = Files.readString(file);
        // 8192 x 8192 and 1024 x 135168 bytes.
        assertTrue(text.contains("Total: 205520896 bytes in 2 regions"), text);
        assertTrue(text.matches("(?s).*iobuf small +67108864\n.*iobuf large +138412032\n.*|"
                + "(?s).*iobuf large +138412032\n.*iobuf small +67108864\n.*"), text);
        iobuf.shutdown();
        assertFalse(Files.exists(file));
    }
}
