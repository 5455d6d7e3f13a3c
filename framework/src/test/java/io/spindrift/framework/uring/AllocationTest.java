package io.spindrift.framework.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs [RingLoop] in a virtual machine whose compiler hides no allocation.
class AllocationTest {
    @TempDir
    Path directory;

    @Test
    void allocatesNothingPerRequest() throws Exception {
        Process process = new ProcessBuilder(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "-cp", codeOf(IoUring.class) + java.io.File.pathSeparator + codeOf(RingLoop.class),
                RingLoop.class.getName(), directory.resolve("file").toString()))
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);
        assertEquals("allocated=0", output.strip());
    }

    private static String codeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
