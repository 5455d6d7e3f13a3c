package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TestGroups.IO_DONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Shapes and codes are those that SPDK's spdk_tgt answered.
class TraceRpcsTest {
    @TempDir
    Path directory;

    private final TestReactor reactor = new TestReactor(0);
    private final RpcRegistry registry = new RpcRegistry();
    private Trace trace;

    @BeforeEach
    void open() {
        trace = new Trace(TraceOptions.of("spdk_tgt").withDirectory(directory), TestGroups.ALL, List.of(reactor));
        TraceRpcs.register(registry, trace);
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private JsonNode call(String method, String params) {
        return registry.dispatch(method, Json.parse(params));
    }

    private RpcException refusal(String method, String params) {
        return assertThrows(RpcException.class, () -> call(method, params));
    }

    private static List<String> keys(JsonNode object) {
        return new ArrayList<>(object.propertyNames());
    }

    @Test
    void registersWhatItDeclares() {
        assertEquals(new TraceRpcs().methods().stream().map(Object::toString).sorted().toList(),
                registry.names(false, false));
    }

    @Test
    void tellsFileAndMasks() {
        JsonNode info = call("trace_get_info", "{}");
        assertEquals(List.of("tpoint_shm_path", "tpoint_group_mask", "bdev", "thread", "last"), keys(info));
        assertEquals(directory + "/spdk_tgt_trace.pid" + ProcessHandle.current().pid(),
                info.get("tpoint_shm_path").stringValue());
        assertEquals("0x0", info.get("tpoint_group_mask").stringValue());
        assertEquals(Json.parse("{\"mask\":\"0x8\",\"tpoint_mask\":\"0x0\"}"), info.get("bdev"));
        assertEquals(Json.parse("{\"mask\":\"0x400\",\"tpoint_mask\":\"0x0\"}"), info.get("thread"));
    }

    @Test
    void listsGroupsAndTracepointsAsThePeer() {
        assertEquals(Json.parse("true"), call("trace_enable_tpoint_group", "{\"name\":\"bdev\"}"));
        JsonNode masks = call("trace_get_tpoint_group_mask", "{}");
        assertEquals("0x8", masks.get("tpoint_group_mask").stringValue());
        assertEquals(Json.parse("""
                {"enabled": true, "mask": "0x8", "tpoint_mask": "0xffffffffffffffff", "tpoints": [
                {"name": "BDEV_IO_START", "tpoint_id": 0, "enabled": true},
                {"name": "BDEV_IO_DONE", "tpoint_id": 1, "enabled": true},
                {"name": "BDEV_IOCH_CREATE", "tpoint_id": 2, "enabled": true}]}"""), masks.get("bdev"));
        assertEquals(Json.parse("""
                {"enabled": false, "mask": "0x400", "tpoint_mask": "0x0", "tpoints": [
                {"name": "THREAD_IOCH_GET", "tpoint_id": 0, "enabled": false}]}"""), masks.get("thread"));
    }

    @Test
    void setsAndClearsMasksOfAllSixtyFourBits() {
        call("trace_set_tpoint_mask", "{\"name\":\"bdev\",\"tpoint_mask\":18446744073709551615}");
        assertEquals("0xffffffffffffffff",
                call("trace_get_info", "{}").get("bdev").get("tpoint_mask").stringValue());
        call("trace_clear_tpoint_mask", "{\"name\":\"bdev\",\"tpoint_mask\":18446744073709551612}");
        assertEquals("0x3", call("trace_get_info", "{}").get("bdev").get("tpoint_mask").stringValue());
        assertTrue(reactor.probes().isOn(IO_DONE));
        assertEquals(Json.parse("true"), call("trace_disable_tpoint_group", "{\"name\":\"all\"}"));
        assertEquals("0x0", call("trace_get_info", "{}").get("tpoint_group_mask").stringValue());
        assertEquals(Json.parse("true"), call("trace_clear", "{}"));
    }

    @Test
    void refusesAsThePeerWithInvalidParameters() {
        assertEquals(-32602, refusal("trace_set_tpoint_mask", "{\"name\":\"bdev\"}").code());
        RpcException none = refusal("trace_enable_tpoint_group", "{\"name\":\"none\"}");
        assertEquals(-32602, none.code());
        assertTrue(none.getMessage().contains("bdev (0x8), thread (0x400)"), none.getMessage());
        for (String mask : List.of("-1", "18446744073709551616", "0.5", "\"0x1\"", "1e400", "null")) {
            RpcException refused = refusal("trace_set_tpoint_mask", "{\"name\":\"bdev\",\"tpoint_mask\":" + mask + "}");
            assertEquals(-32602, refused.code(), mask);
        }
    }

    @Test
    void refusesToTraceWhereThereIsNoRoomForRecords() {
        RpcRegistry other = new RpcRegistry();
        TraceRpcs.register(other, new Trace(TraceOptions.of("x").withEntries(0), TestGroups.ALL, List.of(reactor)));
        RpcException refused = assertThrows(RpcException.class,
                () -> other.dispatch("trace_enable_tpoint_group", Json.parse("{\"name\":\"bdev\"}")));
        assertEquals(-32602, refused.code());
        assertEquals("tracing is off: the application was started with --num-trace-entries 0", refused.getMessage());
    }

    @Test
    void typesMasksInHexadecimal() {
        assertEquals(0xFL, new TraceRpcs.MaskForm("bdev", "0xF").toParams().bits());
        assertEquals(-1L, new TraceRpcs.MaskForm("bdev", "ffffffffffffffff").toParams().bits());
        assertThrows(IllegalArgumentException.class, () -> new TraceRpcs.MaskForm("bdev", "x").toParams());
    }

    @Test
    void attachesReadsAndDetachesACount() {
        assertEquals(Json.parse("\"probe0\""), call("trace_probe_attach", "{\"tracepoint\":\"BDEV_IO_DONE\"}"));
        reactor.probes().fire(IO_DONE, 0, 0, 0, 0, 0, 0);
        assertEquals(Json.parse("[{\"name\":\"probe0\",\"tracepoint\":\"BDEV_IO_DONE\",\"kind\":\"count\"}]"),
                call("trace_probe_list", "{}"));
        JsonNode seen = Json
                .parse("{\"name\":\"probe0\",\"tracepoint\":\"BDEV_IO_DONE\",\"kind\":\"count\",\"count\":1,"
                        + "\"cores\":[{\"core\":0,\"count\":1}]}");
        assertEquals(Json.compact(seen), Json.compact(call("trace_probe_read", "{\"name\":\"probe0\"}")));
        assertEquals(Json.compact(seen), Json.compact(call("trace_probe_detach", "{\"name\":\"probe0\"}")));
        assertEquals(-2, refusal("trace_probe_read", "{\"name\":\"probe0\"}").code());
    }

    @Test
    void showsAHistogramInTicks() {
        call("trace_probe_attach", "{\"tracepoint\":\"BDEV_IO_DONE\",\"kind\":\"histogram\",\"name\":\"lat\"}");
        for (long latency = 1; latency <= 100; latency++) {
            reactor.probes().fire(IO_DONE, 0, 0, 0, latency, 0, 0);
        }
        JsonNode seen = call("trace_probe_read", "{\"name\":\"lat\"}");
        assertEquals("argument latency", seen.get("measures").stringValue());
        assertEquals("ticks", seen.get("unit").stringValue());
        assertEquals(1_000_000_000, seen.get("tick_rate").longValue());
        assertEquals(100, seen.get("count").longValue());
        assertEquals(1, seen.get("min").longValue());
        assertEquals(100, seen.get("max").longValue());
        assertEquals(50.5, seen.get("mean").doubleValue());
        assertEquals("{\"50\":50,\"90\":90,\"99\":99,\"99.9\":100,\"99.99\":100}",
                Json.compact(seen.get("percentiles")));
    }

    @Test
    void refusesProbesThatCannotBe() {
        for (String params : List.of("{\"tracepoint\":\"NONE\"}", "{\"tracepoint\":\"BDEV_IO_DONE\",\"kind\":\"sum\"}",
                "{\"tracepoint\":\"BDEV_IO_DONE\",\"argument\":\"qd\"}",
                "{\"tracepoint\":\"BDEV_IO_DONE\",\"name\":\"\"}",
                "{\"tracepoint\":\"BDEV_IO_DONE\",\"kind\":\"histogram\",\"argument\":\"x\"}", "{}")) {
            assertEquals(-32602, refusal("trace_probe_attach", params).code(), params);
        }
        assertEquals(-2, refusal("trace_probe_detach", "{\"name\":\"none\"}").code());
    }
}
