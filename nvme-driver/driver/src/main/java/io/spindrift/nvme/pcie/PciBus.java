package io.spindrift.nvme.pcie;

import io.spindrift.framework.app.PciFlags;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the machine's PCI functions in sysfs and says which of them this process can drive.
///
/// Control path, any thread; looks anew at each call.
public final class PciBus {
    private static final String VFIO_DRIVER = "vfio-pci";
    /// What the devices beside one in its group may have, or none, so that VFIO hands the group out (drivers/vfio).
    private static final Set<String> DRIVERS_IN_A_GROUP = Set.of("vfio-pci", "pci-stub", "pcieport");

    private final SystemPaths paths;
    private final PciFlags flags;

    public PciBus(SystemPaths paths, PciFlags flags) {
        this.paths = paths;
        this.flags = flags;
    }

    /// All NVMe controllers, ordered by address.
    public List<PciDevice> nvmeControllers() throws IOException {
        List<PciDevice> found = new ArrayList<>();
        if (!Files.isDirectory(devices())) {
            return found;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(devices())) {
            for (Path entry : entries) {
                if (hexadecimal(entry, "class") == PciDevice.NVME_CLASS) {
                    found.add(read(PciAddress.parse(entry.getFileName().toString())));
                }
            }
        }
        found.sort(Comparator.comparing(PciDevice::address));
        return found;
    }

    /// The device at `address`, if there is one.
    public Optional<PciDevice> find(PciAddress address) throws IOException {
        return Files.isDirectory(folder(address)) ? Optional.of(read(address)) : Optional.empty();
    }

    private Path devices() {
        return paths.sys().resolve("bus/pci/devices");
    }

    private Path folder(PciAddress address) {
        return devices().resolve(address.toString());
    }

    private PciDevice read(PciAddress address) throws IOException {
        Path folder = folder(address);
        int classCode = hexadecimal(folder, "class");
        Optional<String> driver = linkName(folder.resolve("driver"));
        Optional<Integer> group = linkName(folder.resolve("iommu_group")).map(Integer::parseInt);
        return new PciDevice(address, hexadecimal(folder, "vendor"), hexadecimal(folder, "device"), classCode,
                numaNode(folder), driver, group, Files.exists(folder.resolve("physfn")),
                obstacle(address, classCode, driver, group));
    }

    // ---- why not ----------------------------------------------------------------------------------------------

    private Optional<String> obstacle(PciAddress address, int classCode, Optional<String> driver,
            Optional<Integer> group) throws IOException {
        if (!flags.allows(address.toString())) {
            return Optional.of(address + " may not be touched: " + (flags.disabled()
                    ? "PCI devices are disabled (-u)"
                    : flags.allowed().isEmpty() ? "it is blocked (-B)" : "others are allowed (-A), it is not"));
        }
        if (classCode != PciDevice.NVME_CLASS) {
            return Optional.of(String.format("%s has class 0x%06x, an NVMe controller 0x%06x", address, classCode,
                    PciDevice.NVME_CLASS));
        }
        if (!driver.equals(Optional.of(VFIO_DRIVER))) {
            return Optional.of(address + driver.map(name -> " belongs to the kernel's driver " + name)
                    .orElse(" has no driver") + "; ./spindrift setup gives it to " + VFIO_DRIVER);
        }
        if (group.isEmpty()) {
            return Optional.of(address + " has no IOMMU group: enable the IOMMU in the firmware and on the kernel's "
                    + "command line (intel_iommu=on)");
        }
        return groupObstacle(address, group.get());
    }

    private Optional<String> groupObstacle(PciAddress address, int group) throws IOException {
        Path folder = folder(address).resolve("iommu_group");
        if (text(folder.resolve("name")).filter("vfio-noiommu"::equals).isPresent()) {
            return Optional.of(address + " is in VFIO's no-IOMMU mode, in which it could write anywhere in memory: "
                    + "enable the IOMMU in the firmware and on the kernel's command line (intel_iommu=on)");
        }
        try (DirectoryStream<Path> others = Files.newDirectoryStream(folder.resolve("devices"))) {
            for (Path other : others) {
                Optional<String> driver = linkName(other.resolve("driver"));
                if (driver.isPresent() && !DRIVERS_IN_A_GROUP.contains(driver.get())) {
                    return Optional.of(address + " shares IOMMU group " + group + " with " + other.getFileName()
                            + ", which belongs to the kernel's driver " + driver.get());
                }
            }
        }
        Path node = paths.dev().resolve("vfio").resolve(Integer.toString(group));
        return Files.isReadable(node) && Files.isWritable(node)
                ? Optional.empty()
                : Optional.of(node + " cannot be opened for reading and writing: its owner is who may drive "
                        + address);
    }

    // ---- sysfs ------------------------------------------------------------------------------------------------

    private static int numaNode(Path folder) throws IOException {
        return text(folder.resolve("numa_node")).map(Integer::parseInt).orElse(-1);
    }

    private static int hexadecimal(Path folder, String file) throws IOException {
        return text(folder.resolve(file)).map(Integer::decode).orElse(0);
    }

    /// What a small file holds, if it is there: a device can go while it is looked at.
    private static Optional<String> text(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    private static Optional<String> linkName(Path link) throws IOException {
        return Files.isSymbolicLink(link)
                ? Optional.of(Files.readSymbolicLink(link).getFileName().toString())
                : Optional.empty();
    }
}
