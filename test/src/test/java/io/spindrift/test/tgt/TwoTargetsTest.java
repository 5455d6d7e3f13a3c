package io.spindrift.test.tgt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.test.tgt.RpcProgram.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two complete targets of one name in one JVM.
@Timeout(60)
class TwoTargetsTest {
    @TempDir
    Path folder;

    private EmbeddedTarget start(String socket) throws Exception {
        return EmbeddedTarget.start("spdk_tgt", options -> options.rpcAddress(folder.resolve(socket).toString()));
    }

    private String rpc(String socket, String... words) throws Exception {
        String[] arguments = new String[words.length + 2];
        arguments[0] = "-s";
        arguments[1] = folder.resolve(socket).toString();
        System.arraycopy(words, 0, arguments, 2, words.length);
        Result result = RpcProgram.run(arguments);
        assertEquals(0, result.status(), result.err());
        return result.out();
    }

    @Test
    void shareNothing() throws Exception {
        try (EmbeddedTarget one = start("one"); EmbeddedTarget two = start("two")) {
            assertEquals("Same\n", rpc("one", "bdev_null_create", "Same", "100", "512"));
            assertEquals("Same\n", rpc("two", "bdev_malloc_create", "-b", "Same", "8", "4096"));
            assertEquals("Null disk", one.call("bdev_get_bdevs").get(0).get("product_name").stringValue());
            assertEquals("Malloc disk", two.call("bdev_get_bdevs").get(0).get("product_name").stringValue());
            assertEquals(1, two.call("notify_get_notifications").size());

            rpc("one", "log_set_print_level", "ERROR");
            assertEquals("ERROR\n", rpc("one", "log_get_print_level"));
            assertEquals("NOTICE\n", rpc("two", "log_get_print_level"));
            two.application().log().notice("a line of two");
            assertTrue(two.log().stream().anyMatch(line -> line.contains("a line of two")));
            assertFalse(one.log().stream().anyMatch(line -> line.contains("a line of two")));

            rpc("one", "trace_enable_tpoint_group", "bdev");
            assertEquals("0x8", one.call("trace_get_info").get("tpoint_group_mask").stringValue());
            assertEquals("0x0", two.call("trace_get_info").get("tpoint_group_mask").stringValue());
            Path traceOfOne = Path.of(one.call("trace_get_info").get("tpoint_shm_path").stringValue());
            Path traceOfTwo = Path.of(two.call("trace_get_info").get("tpoint_shm_path").stringValue());
            assertNotEquals(traceOfOne, traceOfTwo);
            assertTrue(Files.exists(traceOfOne), traceOfOne.toString());
        }
    }

    @Test
    void endIndependently() throws Exception {
        try (EmbeddedTarget two = start("two")) {
            try (EmbeddedTarget one = start("one")) {
                rpc("one", "bdev_null_create", "Same", "100", "512");
                rpc("two", "bdev_null_create", "Same", "200", "512");
                assertEquals(0, one.stop());
            }
            assertFalse(Files.exists(folder.resolve("one")));
            assertEquals(409600, two.call("bdev_get_bdevs").get(0).get("num_blocks").intValue());
            assertEquals("Other\n", rpc("two", "bdev_malloc_create", "-b", "Other", "8", "512"));
            try (EmbeddedTarget again = start("one")) {
                assertEquals(0, again.call("bdev_get_bdevs").size());
            }
        }
    }

    @Test
    void refuseOneSocket() throws Exception {
        try (EmbeddedTarget one = start("one")) {
            Exception refusal = assertThrows(Exception.class, () -> start("one"));
            assertTrue(refusal.getMessage().contains(folder.resolve("one").toString()), refusal.getMessage());
            assertEquals(0, one.call("bdev_get_bdevs").size());
        }
    }
}
