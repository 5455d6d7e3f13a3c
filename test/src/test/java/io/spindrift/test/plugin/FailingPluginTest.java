package io.spindrift.test.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.StartException;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.RpcProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A bdev module of a plug-in that fails is left out, and the program runs.
class FailingPluginTest {
    private static final String PREPARES = "device = new Device(context.reactors());";

    @TempDir
    Path folder;
    @TempDir
    Path work;

    /// Builds the example with a text of it replaced, and perhaps more, in pairs.
    private void build(String... replacements) throws Exception {
        PluginExample.build(folder, source -> {
            String edited = source;
            for (int i = 0; i < replacements.length; i += 2) {
                assertTrue(edited.contains(replacements[i]), "the example has changed");
                edited = edited.replace(replacements[i], replacements[i + 1]);
            }
            return edited;
        });
    }

    private EmbeddedTarget start(UnaryOperator<ApplicationOptions.Builder> more)
            throws Exception {
        return EmbeddedTarget.start("spdk_tgt", options -> more.apply(options.pluginPath(folder)));
    }

    private void leavesOut(String reason) throws Exception {
        leavesOut("zero", reason);
    }

    private void leavesOut(String module, String reason) throws Exception {
        try (EmbeddedTarget target = start(UnaryOperator.identity())) {
            List<String> complaints = target.log().stream().filter(line -> line.contains("plug-in")).toList();
            assertEquals(1, complaints.size(), complaints.toString());
            assertTrue(complaints.getFirst().contains(
                    "plug-in " + folder.resolve("zero.jar") + ": bdev module " + module + " is not used: " + reason),
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

    /// No LinkageError, and no Exception.
    @ParameterizedTest
    @ValueSource(strings = {"AssertionError", "ServiceConfigurationError", "StackOverflowError"})
    void whoseInitThrowsAnError(String type) throws Exception {
        build(PREPARES, "throw new " + type + "(\"no licence\");");
        leavesOut("no licence");
    }

    @Test
    void whoseMethodsCannotBeAskedFor() throws Exception {
        build("return List.of(CREATE.bind(this::create)",
                "if (device == null) { throw new AssertionError(\"no licence\"); }"
                        + " return List.of(CREATE.bind(this::create)");
        leavesOut("no licence");
    }

    @Test
    void whoseNameCannotBeAskedFor() throws Exception {
        build("return \"zero\";", "throw new IllegalStateException(\"nameless\");");
        leavesOut("org.example.zero.ZeroBdevModule", "nameless");
    }

    @Test
    void whoseNameCannotBeAskedForAfterItsInitHasThrown() throws Exception {
        build(PREPARES, "throw new IllegalStateException(\"no licence\");", "return \"zero\";",
                "if (context != null) { throw new IllegalStateException(\"nameless\"); } return \"zero\";");
        leavesOut("no licence");
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

    /// While its init runs, which asks for the configuration as any client may.
    @Test
    void isNotAskedForItsConfigurationBeforeItHasStarted() throws Exception {
        String property = "org.example.zero.init";
        build(PREPARES, PREPARES + " ((Runnable) System.getProperties().get(\"" + property + "\")).run();",
                "@Override public void close()", "@Override public List<ConfigEntry> config() {"
                        + " return List.of(new ConfigEntry(\"started \" + context.reactors().threads().size(), new Delete(\"\"))); }"
                        + " @Override public void close()");
        AtomicReference<Object> during = new AtomicReference<>();
        try (EmbeddedTarget target = start(
                options -> options.waitForRpc(true).rpcAddress(work.resolve("s").toString()))) {
            System.getProperties().put(property,
                    (Runnable) () -> during.set(target.call("framework_get_config", "{'name': 'bdev'}")));
            target.call("framework_start_init");
        } finally {
            System.getProperties().remove(property);
        }
        assertFalse(during.get().toString().contains("started"), during.get().toString());
        assertTrue(during.get().toString().contains("bdev_set_options"), during.get().toString());
    }

    @Test
    void whichHasNoName() throws Exception {
        for (String name : List.of("null", "\"\"")) {
            build("return \"zero\";", "return " + name + ";");
            leavesOut("org.example.zero.ZeroBdevModule", "name() must give a name");
        }
    }

    @Test
    void whoseNameFails() throws Exception {
        build("return \"zero\";", "throw new IllegalStateException(\"no licence\");");
        leavesOut("org.example.zero.ZeroBdevModule", "no licence");
    }

    @Test
    void whichHasTheNameOfAnother() throws Exception {
        build("return \"zero\";", "return \"malloc\";");
        leavesOut("org.example.zero.ZeroBdevModule", "its name, malloc, is that of another bdev module, "
                + "io.spindrift.bdev.malloc.MallocBdevModule");
    }

    @Test
    void whoseBdevsCannotBeSavedDoesNotKeepTheOthersFromIt() throws Exception {
        for (String failure : List.of("return null; }", "throw new IllegalStateException(\"no licence\"); }",
                "return List.of(new ConfigEntry(CREATE.name(), null)); }")) {
            build("return List.of(new ConfigEntry(CREATE.name(),\n"
                    + "                    new Create(bdev.name(), bdev.numBlocks(), Optional.of(bdev.uuid()))));\n"
                    + "        }", failure);
            try (EmbeddedTarget target = start(UnaryOperator.identity())) {
                target.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 8, 'block_size': 512}");
                target.call("bdev_zero_create", "{'name': 'Zero0', 'num_blocks': 8}");
                String saved = target.call("framework_get_config", "{'name': 'bdev'}").toString();
                assertTrue(saved.contains("Null0") && !saved.contains("Zero0"), saved);
                assertTrue(target.log().stream().anyMatch(line -> line.contains("bdev module zero does not say how to "
                        + "make bdev Zero0 again: the saved configuration lacks it")), target.log()::toString);
            }
        }
    }

    @Test
    void whoseCatalogSaysNothingDoesNotKeepRpcFromCallingTheOthers() throws Exception {
        for (String failure : List.of("null", "java.util.Arrays.asList(CREATE, null)")) {
            build("List.of(CREATE, DELETE)", failure);
            RpcProgram.Result call = RpcProgram.run("--plugin-path", folder.toString(), "--dry-run",
                    "spdk_get_version");
            assertEquals(0, call.status(), call.err());
            assertTrue(call.err().startsWith("rpc: warning: plug-in " + folder.resolve("zero.jar")
                    + ": RPC catalog org.example.zero.ZeroBdevModule is not used: "), call.err());
        }
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
