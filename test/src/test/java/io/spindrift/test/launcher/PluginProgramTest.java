package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.test.launcher.Command.Result;
import io.spindrift.test.plugin.PluginExample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A third party's bdev module with the programs in `build/bin`: the start-up cache is in use all the same.
@Timeout(60)
class PluginProgramTest {
    @TempDir
    Path plugins;
    @TempDir
    Path scratch;

    @BeforeEach
    void needsTheBuild() throws IOException {
        House.assumeBuilt();
    }

    @Test
    void addsAKindOfBdevToAProgramThatStartsFromTheCache() throws Exception {
        PluginExample.build(plugins);
        PluginExample.addBrokenJar(plugins);
        Path socket = scratch.resolve("rpc.sock");
        Path classes = scratch.resolve("classes");
        ProcessBuilder builder = new ProcessBuilder(House.path("build/bin/spdk_tgt").toString(),
                "--disable-cpumask-locks", "-r", socket.toString(), "--plugin-path", plugins.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(scratch.resolve("err").toFile());
        builder.environment().put("_JAVA_OPTIONS", "-Xlog:class+load:file=" + classes + ":none");
        Process target = builder.start();
        try {
            Result made = rpc(socket, "-r", "100", "bdev_zero_create", "Zero0", "1000");
            assertEquals(0, made.status(), made.err() + Files.readString(scratch.resolve("err")));
            assertEquals("Zero0\n", made.out());
            assertEquals("true\n", rpc(socket, "bdev_zero_delete", "Zero0").out());
        } finally {
            target.destroy();
            assertTrue(target.waitFor(20, TimeUnit.SECONDS));
        }
        assertTrue(Files.readString(scratch.resolve("err")).contains(
                "plug-in " + plugins.resolve("broken.jar") + " is not loaded"));
        String loaded = Files.readString(classes);
        assertTrue(loaded.contains("io.spindrift.apps.Main source: shared objects file"), "the cache is not in use");
        assertTrue(loaded.contains("org.example.zero.ZeroBdevModule source: "), "the plug-in is not loaded");
    }

    private Result rpc(Path socket, String... words) throws Exception {
        String[] command = new String[words.length + 5];
        command[0] = House.path("build/bin/rpc").toString();
        command[1] = "--plugin-path";
        command[2] = plugins.toString();
        command[3] = "-s";
        command[4] = socket.toString();
        System.arraycopy(words, 0, command, 5, words.length);
        return Command.run(scratch, Map.of(), command);
    }
}
