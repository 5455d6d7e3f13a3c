package io.spindrift.framework.app;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// What the kernel knows about this process's threads and the machine's cores (proc(5), sysfs).
///
/// Reads files that the kernel answers at once; control path. A thread or core that is gone counts nothing.
final class KernelStatistics {
    private final Path proc;
    private final Path sys;

    /// Reads below `proc` and `sys`: `/proc` and `/sys`, unless a test says otherwise.
    KernelStatistics(Path proc, Path sys) {
        this.proc = proc;
        this.sys = sys;
    }

    /// Time that a thread spent, in clock ticks (100 a second).
    record Times(long user, long system) {}

    /// How often a thread gave its core up, and how often it was taken from it.
    record Switches(long voluntary, long involuntary) {
        Switches since(Switches earlier) {
            return new Switches(voluntary - earlier.voluntary, involuntary - earlier.involuntary);
        }
    }

    /// The times of the thread with the kernel's id `tid`.
    Times times(int tid) throws IOException {
        for (String line : lines(proc.resolve("self/task/" + tid + "/stat"))) {
            // The second field, the name, may hold anything; the third is one character after the last parenthesis.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return new Times(Long.parseLong(fields[11]), Long.parseLong(fields[12])); // fields 14 and 15, from 1
        }
        return new Times(0, 0);
    }

    /// The context switches of the thread with the kernel's id `tid`.
    Switches switches(int tid) throws IOException {
        long voluntary = 0;
        long involuntary = 0;
        for (String line : lines(proc.resolve("self/task/" + tid + "/status"))) {
            if (line.startsWith("voluntary_ctxt_switches:")) {
                voluntary = Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
            } else if (line.startsWith("nonvoluntary_ctxt_switches:")) {
                involuntary = Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        return new Switches(voluntary, involuntary);
    }

    /// Clock ticks that `core` spent in interrupts since the machine started.
    long interruptTicks(int core) throws IOException {
        for (String line : lines(proc.resolve("stat"))) {
            String[] fields = line.split(" +");
            if (fields[0].equals("cpu" + core)) {
                return Long.parseLong(fields[6]); // user nice system idle iowait irq
            }
        }
        return 0;
    }

    /// The memory node that `core` belongs to; 0 where the kernel tells none.
    int numaNode(int core) throws IOException {
        Path folder = sys.resolve("devices/system/cpu/cpu" + core);
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(folder, "node[0-9]*")) {
            for (Path node : nodes) {
                return Integer.parseInt(node.getFileName().toString().substring("node".length()));
            }
        }
        return 0;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }
}
