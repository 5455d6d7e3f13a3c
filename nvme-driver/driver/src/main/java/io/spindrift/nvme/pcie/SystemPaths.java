package io.spindrift.nvme.pcie;

import java.nio.file.Path;

/// Where the kernel shows itself; a test shows its own.
public record SystemPaths(Path sys, Path proc, Path dev) {
    public static final SystemPaths LINUX = new SystemPaths(Path.of("/sys"), Path.of("/proc"), Path.of("/dev"));
}
