package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Another process writes as fast as it can, is read, is killed, and is read again.
class KilledWriterTest {
    private static final int ENTRIES = 1024;

    @TempDir
    Path directory;

    @Test
    void isReadableWhileItRunsAndAfterItWasKilled() throws Exception {
        String classPath = String.join(File.pathSeparator, Path.of("target", "classes").toString(),
                Path.of("target", "test-classes").toString());
        Process child = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-cp", classPath, Writer.class.getName(), directory.toString())
                .redirectErrorStream(true).start();
        try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
            Path path = Path.of(output.readLine());
            assertTrue(TraceFileReader.writerLives(path));
            long before = check(path);
            long after = before;
            while (after < before + 10 * ENTRIES) { // it writes on while it is read
                after = check(path);
            }
            child.destroyForcibly().waitFor();
            assertTrue(check(path) >= after);
            assertTrue(check(path) == check(path));
            assertEquals(false, TraceFileReader.writerLives(path));
        } finally {
            child.destroyForcibly();
        }
    }

    /// Returns the count of records written; every record copied must be whole.
    private static long check(Path path) throws IOException {
        try (TraceFileReader reader = TraceFileReader.open(path)) {
            TraceRingSnapshot ring = reader.snapshot(List.of(0)).getFirst();
            for (int i = 0; i < ring.size(); i++) {
                TraceRecord record = ring.record(i);
                long n = record.number();
                assertEquals(new TraceRecord(0, n, n, TestGroups.IO_DONE, 1, n, n, n, -n, n + 3), record);
            }
            return ring.written();
        }
    }

    /// The forked program.
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) throws IOException {
            TraceFile file = TraceFile.create(
                    TraceOptions.of("writer").withDirectory(Path.of(args[0])).withEntries(ENTRIES),
                    TestGroups.ALL, List.of(0));
            TraceRing ring = file.ring(0);
            System.out.println(file.path());
            for (long n = 0;; n++) {
                ring.write(n, TestGroups.IO_DONE, 1, n, n, n, -n, n + 3);
            }
        }
    }
}
