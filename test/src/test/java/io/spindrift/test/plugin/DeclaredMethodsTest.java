package io.spindrift.test.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.test.tgt.EmbeddedTarget;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The methods of bdev modules, the program's own and a plug-in's, while the program waits for `framework_start_init`.
class DeclaredMethodsTest {
    private static final String ZERO = "{'name': 'Zero0', 'num_blocks': 8}";
    private static final String NULL = "{'name': 'Null0', 'num_blocks': 8, 'block_size': 512}";

    @TempDir
    Path folder;

    @Test
    void areListedBeforeTheStartAndRefusedInTheWrongState() throws Exception {
        PluginExample.build(folder);
        try (EmbeddedTarget target = EmbeddedTarget.start("spdk_tgt",
                options -> options.pluginPath(folder).waitForRpc(true))) {
            String methods = target.call("rpc_get_methods").toString();
            assertTrue(methods.contains("bdev_zero_create") && methods.contains("bdev_null_create"), methods);
            assertEquals(-1, target.refusal("bdev_zero_create", ZERO).code());
            assertEquals(-1, target.refusal("bdev_null_create", NULL).code());

            target.call("framework_start_init");
            assertEquals("\"Zero0\"", target.call("bdev_zero_create", ZERO).toString());
            assertEquals("\"Null0\"", target.call("bdev_null_create", NULL).toString());
        }
    }

    @Test
    void forTheStartUpStateAreCalledBeforeTheModuleIsInitialised() throws Exception {
        PluginExample.build(folder, source -> source
                .replace("Create.class, RpcState.RUNTIME", "Create.class, RpcState.STARTUP")
                .replace("CREATE.bind(this::create)",
                        "CREATE.bind(params -> context == null ? \"before \" + params.name() : create(params))"));
        try (EmbeddedTarget target = EmbeddedTarget.start("spdk_tgt",
                options -> options.pluginPath(folder).waitForRpc(true))) {
            assertEquals("\"before Zero0\"", target.call("bdev_zero_create", ZERO).toString());
            target.call("framework_start_init");
            assertEquals(-1, target.refusal("bdev_zero_create", ZERO).code());
        }
    }
}
