package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.app.KernelStatistics.Switches;
import io.spindrift.framework.app.KernelStatistics.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files' forms are those of proc(5).
class KernelStatisticsTest {
    @TempDir
    Path root;

    private KernelStatistics kernel;

    @BeforeEach
    void create() throws Exception {
        Files.createDirectories(root.resolve("proc/self/task/42"));
        Files.createDirectories(root.resolve("sys/devices/system/cpu/cpu3/node1"));
        kernel = new KernelStatistics(root.resolve("proc"), root.resolve("sys"));
    }

    @Test
    void readsAThreadsTimesBehindANameWithParenthesesAndSpaces() throws Exception {
        Files.writeString(root.resolve("proc/self/task/42/stat"),
                "42 (re) actor (0) S 1 42 1 0 -1 4194304 100 0 0 0 249 26 0 0 20 0 5 0 1000 0 0\n");

        assertEquals(new Times(249, 26), kernel.times(42));
    }

    @Test
    void readsContextSwitches() throws Exception {
        Files.writeString(root.resolve("proc/self/task/42/status"),
                "Name:\treactor\nvoluntary_ctxt_switches:\t100\nnonvoluntary_ctxt_switches:\t7\n");

        assertEquals(new Switches(100, 7), kernel.switches(42));
        assertEquals(new Switches(10, 2), kernel.switches(42).since(new Switches(90, 5)));
    }

    @Test
    void readsACoresInterruptTime() throws Exception {
        Files.writeString(root.resolve("proc/stat"), """
                cpu  1 2 3 4 5 6 7 8 9 10
                cpu3 11 12 13 14 15 16 17 18 19 20
                intr 99
                """);

        assertEquals(16, kernel.interruptTicks(3));
        assertEquals(0, kernel.interruptTicks(4));
    }

    @Test
    void readsACoresNode() throws Exception {
        assertEquals(1, kernel.numaNode(3));
        assertEquals(0, kernel.numaNode(4));
    }

    @Test
    void countsNothingForAThreadThatIsGone() throws Exception {
        assertEquals(new Times(0, 0), kernel.times(43));
        assertEquals(new Switches(0, 0), kernel.switches(43));
    }
}
