package io.spindrift.test.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.StartException;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A bdev module of a plug-in that fails is left out, and the program runs.
class FailingPluginTest {
    private static final String PREPARES = "device = new Device(context.reactors());";

    @TempDir
    Path folder;
    @TempDir
    Path work;

    private void build(String text, String replacement) throws Exception {
        PluginExample.build(folder, source -> {
            assertTrue(source.contains(text), "the example has changed");
            return source.replace(text, replacement);
        });
    }

    private EmbeddedTarget start(UnaryOperator<ApplicationOptions.Builder> more)
            throws Exception {
        return EmbeddedTarget.start("spdk_tgt", options -> more.apply(options.pluginPath(folder)));
    }

    private void leavesOut(String reason) throws Exception {
        try (EmbeddedTarget target = start(UnaryOperator.identity())) {
            List<String> complaints = target.log().stream().filter(line -> line.contains("plug-in")).toList();
            assertEquals(1, complaints.size(), complaints.toString());
            assertTrue(complaints.getFirst().contains(
                    "plug-in " + folder.resolve("zero.jar") + ": bdev module zero is not used: " + reason),
                    complaints.getFirst());
            assertFalse(target.call("rpc_get_methods").toString().contains("bdev_zero"));
            assertEquals(RpcException.METHOD_NOT_FOUND,
                    target.refusal("bdev_zero_create", "{'name': 'Zero0', 'num_blocks': 8}").code());
            assertEquals("[]", target.call("bdev_get_bdevs").toString());
            assertEquals("\"Null0\"", target.call("bdev_null_create",
                    "{'name': 'Null0', 'num_blocks': 8, 'block_size': 512}").toString());
            assertEquals(0, target.stop());
        }
    }

    @Test
    void whoseInitThrows() throws Exception {
        build(PREPARES, "throw new IllegalStateException(\"no licence\");");
        leavesOut("no licence");
    }

    @Test
    void whoseInitLacksAClass() throws Exception {
        build(PREPARES, "throw new NoClassDefFoundError(\"org/example/Missing\");");
        leavesOut("org/example/Missing");
    }

    @Test
    void whoseInitThrowsAfterItHasRegisteredABdev() throws Exception {
        build(PREPARES, PREPARES + " create(new Create(\"Zero0\", 8, Optional.empty())); device.unregister();"
                + " throw new IllegalStateException(\"no licence\");");
        leavesOut("no licence");
    }

    @Test
    void whoseMethodHasTheNameOfAnother() throws Exception {
        build("bdev_zero_delete", "bdev_null_delete");
        leavesOut("the RPC method bdev_null_delete is registered already");
    }

    @Test
    void isNamedByAConfigurationThatNeedsIt() throws Exception {
        build(PREPARES, "throw new IllegalStateException(\"no licence\");");
        Path config = Files.writeString(work.resolve("c.json"), """
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "bdev_zero_create", "params": {"name": "Zero0", "num_blocks": 8}}]}]}
                """);
        StartException refused = assertThrows(StartException.class, () -> start(o -> o.configFile(config)).close());

        assertEquals(config + ": subsystems[0].config[0].method: bdev_zero_create is no method of this program",
                refused.getMessage());
    }
}
