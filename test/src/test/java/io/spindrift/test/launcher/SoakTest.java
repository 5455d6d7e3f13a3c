package io.spindrift.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.test.launcher.Command.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A minute of I/O makes no garbage to collect.
@Tag("long")
class SoakTest {
    private static final int SECONDS = 60;

    @TempDir
    Path scratch;

    @BeforeAll
    static void requireBuild() throws IOException {
        House.assumeBuilt();
    }

    /// A billion I/Os and more: one byte each would fill the young generation several times.
    @Test
    void runsWithoutCollectionOnNullMallocAndUring() throws Exception {
        Path disk = Files.write(scratch.resolve("disk"), new byte[16 << 20]);
        Path log = scratch.resolve("gc.log");
        Path config = Files.writeString(scratch.resolve("config.json"), """
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "bdev_null_create",
                   "params": {"name": "Null0", "num_blocks": 2048000, "block_size": 512}},
                  {"method": "bdev_malloc_create",
                   "params": {"name": "Malloc0", "num_blocks": 131072, "block_size": 512}},
                  {"method": "bdev_uring_create", "params": {"name": "Uring0", "filename": "%s"}},
                  {"method": "bdev_wait_for_examine"}]}]}
                """.formatted(disk));
        Result result = Command.run(scratch, Map.of("_JAVA_OPTIONS", "-Xlog:gc*:file=" + log + ":none"),
                House.path("build/bin/bdevperf").toString(), "--disable-cpumask-locks", "-c", config.toString(), "-q",
                "16", "-o", "4096", "-w", "randread", "-t", Integer.toString(SECONDS));
        assertEquals(0, result.status(), result.out() + result.err());
        for (String bdev : List.of("Null0", "Malloc0", "Uring0")) {
            assertTrue(rate(result, bdev) > 1000, result.out());
        }
        // The heap's layout, in the log's first and last lines, shows that something was logged at all.
        String logged = Files.readString(log);
        assertTrue(logged.contains("Using Serial"), logged);
        assertEquals(List.of(), logged.lines().filter(line -> line.contains("Pause")).toList());
    }

    private static double rate(Result result, String bdev) {
        String line = result.out().lines().filter(text -> text.strip().startsWith(bdev + " ")).findFirst()
                .orElseThrow(() -> new AssertionError("no line of " + bdev + " in " + result.out()));
        return Double.parseDouble(line.substring(line.indexOf(':') + 1).strip().split(" +")[1]);
    }
}
