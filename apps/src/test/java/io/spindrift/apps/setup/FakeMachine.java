package io.spindrift.apps.setup;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A tree like `/sys`, `/proc` and `/dev`, and a kernel that moves devices between drivers in it as they are written to.
final class FakeMachine implements Kernel {
    static final long DISK_BYTES = 1 << 20;

    final Path root;
    /// What was done, as [DryRun] prints it.
    final List<String> done = new ArrayList<>();
    boolean isRoot = true;
    /// The modules that modprobe can load.
    List<String> modules = List.of("vfio-pci", "nvme");
    /// Drivers that fail to take a device.
    List<String> failing = List.of();
    Optional<String> lockLimit = Optional.empty();

    FakeMachine(Path root) throws IOException {
        this.root = root;
        driver("nvme");
        driver("vfio-pci");
        write("proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
        write("proc/self/mountinfo", "22 1 252:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n");
        write("proc/sys/kernel/osrelease", "6.12.1-amd64\n");
        write("lib/modules/6.12.1-amd64/modules.dep", "kernel/drivers/net/e1000.ko.xz:\n");
        write("dev/vfio/vfio", "");
        write("sys/bus/pci/drivers_probe", "");
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    void driver(String name) throws IOException {
        Files.createDirectories(root.resolve("sys/bus/pci/drivers").resolve(name));
    }

    void removeDriver(String name) throws IOException {
        Files.delete(root.resolve("sys/bus/pci/drivers").resolve(name));
    }

    private Path folder(String address) {
        return root.resolve("sys/bus/pci/devices").resolve(address);
    }

    /// A function with this class, in an IOMMU group; without one if it is negative.
    void function(String address, String classCode, String driver, int group) throws IOException {
        String folder = "sys/bus/pci/devices/" + address + "/";
        write(folder + "class", classCode + "\n");
        write(folder + "vendor", "0x1b36\n");
        write(folder + "device", "0x0010\n");
        write(folder + "numa_node", "-1\n");
        write(folder + "driver_override", "(null)\n");
        if (!driver.isEmpty()) {
            link(folder(address).resolve("driver"), "../../../bus/pci/drivers/" + driver);
        }
        if (group >= 0) {
            link(folder(address).resolve("iommu_group"), "../../../kernel/iommu_groups/" + group);
            write("sys/kernel/iommu_groups/" + group + "/devices/" + address, "");
        }
    }

    /// An NVMe controller that the kernel's driver has, `nvmeN`, in group N + 10, with an empty disk `nvmeNn1`.
    String controller(int number) throws IOException {
        String address = "0000:0" + (number + 1) + ":00.0";
        function(address, "0x010802", "nvme", number + 10);
        disk(address, number, "nvme" + number + "n1", "nvme" + number + "n1");
        return address;
    }

    /// A disk, whose path through a controller is `entry`.
    void disk(String address, int controller, String entry, String disk) throws IOException {
        Files.createDirectories(folder(address).resolve("nvme/nvme" + controller).resolve(entry));
        write("sys/block/" + disk + "/dev", "259:" + controller + "\n");
        write("sys/block/" + disk + "/size", DISK_BYTES / 512 + "\n");
        Files.createDirectories(root.resolve("sys/block/" + disk + "/holders"));
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("dev/" + disk).toFile(), "rw")) {
            file.setLength(DISK_BYTES);
        }
    }

    void partition(String disk, int number, String numbers) throws IOException {
        String folder = "sys/block/" + disk + "/" + disk + "p" + number;
        write(folder + "/partition", number + "\n");
        write(folder + "/dev", numbers + "\n");
        Files.createDirectories(root.resolve(folder + "/holders"));
    }

    /// A process that has a file of a device open.
    void process(int pid, String name, String file) throws IOException {
        write("proc/" + pid + "/comm", name + "\n");
        Files.createDirectories(root.resolve("proc/" + pid + "/fd"));
        link(root.resolve("proc/" + pid + "/fd/7"), file);
    }

    String driverOf(String address) {
        return Machine.linkName(folder(address).resolve("driver")).orElse("");
    }

    String overrideOf(String address) throws IOException {
        return Files.readString(folder(address).resolve("driver_override")).strip();
    }

    /// All files and links with their contents.
    List<String> contents() throws IOException {
        List<String> contents = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                contents.add(file + (Files.isSymbolicLink(file)
                        ? " -> " + Files.readSymbolicLink(file)
                        : Files.isRegularFile(file) ? " " + Files.size(file) + Files.getLastModifiedTime(file) : ""));
            }
        }
        return contents;
    }

    private static void link(Path link, String target) throws IOException {
        Files.createDirectories(link.getParent());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, Path.of(target));
    }

    // ---- the kernel -------------------------------------------------------------------------------------------

    @Override
    public void write(Path file, String line) throws IOException {
        done.add((line.isEmpty() ? "echo" : "echo " + line) + " > /" + root.relativize(file));
        switch (file.getFileName().toString()) {
            case "driver_override" -> Files.writeString(file, (line.isEmpty() ? "(null)" : line) + "\n");
            case "unbind" -> Files.delete(folder(line).resolve("driver"));
            case "drivers_probe" -> probe(line);
            default -> throw new IOException(file + " is nothing to write to");
        }
    }

    private void probe(String address) throws IOException {
        String override = overrideOf(address);
        String taker = override.equals("(null)") ? "nvme" : override;
        if (failing.contains(taker)) {
            throw new IOException(root.resolve("sys/bus/pci/drivers_probe") + ": Invalid argument");
        }
        link(folder(address).resolve("driver"), "../../../bus/pci/drivers/" + taker);
    }

    @Override
    public void run(String... command) throws IOException {
        done.add(String.join(" ", command));
        if (!modules.contains(command[1])) {
            throw new IOException("modprobe: FATAL: Module " + command[1] + " not found");
        }
        driver(command[1]);
    }

    @Override
    public void give(Path file, String user) {
        done.add("chown " + user + " /" + root.relativize(file));
    }

    @Override
    public boolean hasUser(String name) {
        return name.equals("alice");
    }

    @Override
    public boolean isRoot() {
        return isRoot;
    }

    @Override
    public boolean acts() {
        return true;
    }

    @Override
    public Optional<String> lockedMemoryLimit(String user) {
        return lockLimit;
    }
}
