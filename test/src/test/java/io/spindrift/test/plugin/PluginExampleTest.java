package io.spindrift.test.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.OpenBdev;
import io.spindrift.test.tgt.RpcProgram;
import io.spindrift.test.tgt.RpcProgram.Result;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginExampleTest {
    @TempDir
    Path folder;
    @TempDir
    Path work;

    @BeforeEach
    void build() throws Exception {
        PluginExample.build(folder);
        PluginExample.addBrokenJar(folder);
    }

    private EmbeddedTarget start(Path socket) throws Exception {
        return EmbeddedTarget.start("spdk_tgt", options -> options.rpcAddress(socket.toString()).pluginPath(folder));
    }

    @Test
    void addsAKindOfBdevWhoseMethodsRpcKnows() throws Exception {
        Path socket = work.resolve("rpc.sock");
        try (EmbeddedTarget target = start(socket); Arena arena = Arena.ofShared()) {
            Result made = RpcProgram.run("--plugin-path", folder.toString(), "-s", socket.toString(),
                    "bdev_zero_create", "Zero0", "1000");
            assertEquals(0, made.status(), made.err());
            assertEquals("Zero0\n", made.out());
            MemorySegment block = arena.allocate(4096).fill((byte) 7);
            IoVector vector = new IoVector(1);
            vector.add(block, 0, 4096);
            try (OpenBdev bdev = OpenBdev.open(target, "Zero0", target.application().reactors().appThread())) {
                assertEquals(0, bdev.run((channel, done) -> channel.write(vector, 999, 1, done)));
                assertEquals(0, bdev.run((channel, done) -> channel.read(vector, 999, 1, done)));
            }
            assertArrayEquals(new byte[4096], block.toArray(ValueLayout.JAVA_BYTE));
            String uuid = target.registry().get("Zero0").uuid().toString();
            assertTrue(target.call("framework_get_config", "{'name': 'bdev'}").toString()
                    .contains(("{'method':'bdev_zero_create','params':{'name':'Zero0','num_blocks':1000,'uuid':'" + uuid
                            + "'}}").replace('\'', '"')));
            target.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 8, 'block_size': 512}");
            assertEquals(-19, target.refusal("bdev_zero_delete", "{'name': 'Null0'}").code());
            assertEquals("Null0", target.registry().get("Null0").name());
            assertTrue(target.call("bdev_zero_delete", "{'name': 'Zero0'}").booleanValue());
        }
    }

    @Test
    void isLoadedBesideABrokenJarThatIsNamed() throws Exception {
        try (EmbeddedTarget target = start(work.resolve("rpc.sock"))) {
            List<String> complaints = target.log().stream().filter(line -> line.contains("plug-in")).toList();
            assertEquals(1, complaints.size(), complaints.toString());
            assertTrue(complaints.getFirst().contains("plug-in " + folder.resolve("broken.jar") + " is not loaded"),
                    complaints.toString());
            assertEquals("\"Null0\"", target.call("bdev_null_create",
                    "{'name': 'Null0', 'num_blocks': 8, 'block_size': 512}").toString());
        }
    }

    @Test
    void isWhatContributingShows() throws Exception {
        String text = Files.readString(Path.of(System.getProperty("spindrift.home"), "CONTRIBUTING.md"));
        List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(text).results()
                .map(match -> match.group(1)).toList();
        assertEquals(List.of(Files.readString(PluginExample.SOURCES.resolve("module-info.java")),
                Files.readString(PluginExample.SOURCES.resolve("org/example/zero/ZeroBdevModule.java"))), blocks);
    }
}
