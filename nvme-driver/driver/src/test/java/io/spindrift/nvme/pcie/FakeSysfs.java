package io.spindrift.nvme.pcie;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A /sys, /proc and /dev below a folder, as the kernel lays them out.
final class FakeSysfs {
    private final Path root;

    FakeSysfs(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("dev/vfio"));
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/limits"), """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             95912                95912                processes
                Max locked memory         8388608              8388608              bytes
                """);
    }

    SystemPaths paths() {
        return new SystemPaths(root.resolve("sys"), root.resolve("proc"), root.resolve("dev"));
    }

    Path folder(String address) {
        return root.resolve("sys/bus/pci/devices/" + address);
    }

    /// Adds a device of a group; no driver for an empty one, no group for a negative one.
    void device(String address, int classCode, String driver, int group) throws IOException {
        Path folder = Files.createDirectories(folder(address));
        Files.writeString(folder.resolve("vendor"), "0x1b36\n");
        Files.writeString(folder.resolve("device"), "0x0010\n");
        Files.writeString(folder.resolve("class"), String.format("0x%06x%n", classCode));
        Files.writeString(folder.resolve("numa_node"), "-1\n");
        if (!driver.isEmpty()) {
            Path target = Files.createDirectories(root.resolve("sys/bus/pci/drivers/" + driver));
            Files.createSymbolicLink(folder.resolve("driver"), target);
        }
        if (group >= 0) {
            Path groupFolder = Files.createDirectories(root.resolve("sys/kernel/iommu_groups/" + group + "/devices"));
            Files.createSymbolicLink(groupFolder.resolve(address), folder);
            Files.createSymbolicLink(folder.resolve("iommu_group"), groupFolder.getParent());
            Path node = root.resolve("dev/vfio/" + group);
            if (Files.notExists(node)) {
                Files.createFile(node);
            }
        }
    }
}
