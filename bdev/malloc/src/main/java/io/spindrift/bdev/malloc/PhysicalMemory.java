package io.spindrift.bdev.malloc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How much memory the machine has (proc_meminfo(5)).
final class PhysicalMemory {
    private static final Path MEMINFO = Path.of("/proc/meminfo");
    private static final String TOTAL = "MemTotal:";

    private PhysicalMemory() {}

    /// All usable memory, free or not, in bytes. On a control thread.
    static long totalBytes() throws IOException {
        for (String line : Files.readAllLines(MEMINFO)) {
            if (line.startsWith(TOTAL)) {
                return Long.parseLong(line.substring(TOTAL.length()).replace("kB", "").strip()) * 1024;
            }
        }
        throw new IOException(MEMINFO + " has no line " + TOTAL);
    }
}
