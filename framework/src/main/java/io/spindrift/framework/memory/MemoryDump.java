package io.spindrift.framework.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The figures of [Memory#stats] in a file that people read; the newest one only. Control path.
final class MemoryDump {
    private final Memory memory;
    private Path file;

    MemoryDump(Memory memory) {
        this.memory = memory;
    }

    /// Writes the present figures to a new file, readable by its owner, and returns its path.
    synchronized Path write() throws IOException {
        Path next = Files.createTempFile("spindrift_mem_dump.", ".txt");
        Files.writeString(next, text(memory.stats()));
        delete();
        file = next;
        return next;
    }

    /// Removes the file, if there is one.
    synchronized void delete() throws IOException {
        if (file != null) {
            Files.deleteIfExists(file);
            file = null;
        }
    }

    private static String text(MemoryStats stats) {
        StringBuilder text = new StringBuilder();
        text.append("Total: ").append(stats.totalBytes()).append(" bytes in ").append(stats.regions().size())
                .append(" regions\n\nBy kind of page:\n");
        stats.bytesByKind().forEach((kind, bytes) -> text.append("  %-18s%16d%n".formatted(kind, bytes)));
        text.append("\nBy owner:\n");
        stats.bytesByOwner().forEach((owner, bytes) -> text.append("  %-18s%16d%n".formatted(owner, bytes)));
        text.append("\nRegions:\n");
        for (MemoryStats.Region region : stats.regions()) {
            text.append("  0x%012x %16d  %s, %s, %s, in flight: %d, mapped by: %s%n".formatted(region.address(),
                    region.byteLength(), region.owner(), region.kind(), region.domain(), region.holders(),
                    region.consumers()));
        }
        return text.toString();
    }
}
