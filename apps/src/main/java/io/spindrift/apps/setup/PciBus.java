package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The machine's PCI functions, as sysfs shows them (Documentation/ABI/testing/sysfs-bus-pci of the kernel).
final class PciBus {
    private final Machine machine;

    PciBus(Machine machine) {
        this.machine = machine;
    }

    /// All NVMe controllers, in the order of their addresses.
    List<PciFunction> nvmeControllers() throws IOException {
        List<PciFunction> found = new ArrayList<>();
        for (String name : Machine.names(machine.sys("bus/pci/devices"))) {
            find(name).filter(PciFunction::nvme).ifPresent(found::add);
        }
        found.sort(Comparator.comparing(PciFunction::address));
        return found;
    }

    /// The function at this address, if there is one.
    Optional<PciFunction> find(PciAddress address) {
        return find(address.text());
    }

    private Optional<PciFunction> find(String name) {
        Path folder = machine.sys("bus/pci/devices").resolve(name);
        Optional<String> classCode = Machine.text(folder.resolve("class"));
        if (classCode.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new PciFunction(new PciAddress(name),
                    id(folder, "vendor") + ":" + id(folder, "device"), Integer.decode(classCode.get()), node(folder),
                    Machine.linkName(folder.resolve("driver")),
                    Machine.text(folder.resolve("driver_override"))
                            .filter(text -> !text.isEmpty() && !text.equals("(null)")),
                    group(folder)));
        } catch (IllegalArgumentException _) { // no function of a bus that this program knows
            return Optional.empty();
        }
    }

    private static String id(Path folder, String file) {
        return Machine.text(folder.resolve(file)).map(text -> text.replaceFirst("^0x", "")).orElse("????");
    }

    private static OptionalInt node(Path folder) {
        return Machine.text(folder.resolve("numa_node")).map(Integer::parseInt).filter(node -> node >= 0)
                .map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    private static OptionalInt group(Path folder) {
        return Machine.linkName(folder.resolve("iommu_group")).map(name -> OptionalInt.of(Integer.parseInt(name)))
                .orElse(OptionalInt.empty());
    }

    /// The other functions of a function's IOMMU group.
    List<PciFunction> companions(PciFunction function) throws IOException {
        if (function.iommuGroup().isEmpty()) {
            return List.of();
        }
        Path members = machine.sys("kernel/iommu_groups/" + function.iommuGroup().getAsInt() + "/devices");
        return Machine.names(members).stream().filter(name -> !name.equals(function.address().text())).map(this::find)
                .flatMap(Optional::stream).toList();
    }

    /// The disks that the kernel's driver has made of a controller's namespaces: `nvme0n1`.
    List<String> disks(PciFunction function) throws IOException {
        List<String> disks = new ArrayList<>();
        Path controllers = machine.function(function.address()).resolve("nvme");
        for (String controller : Machine.names(controllers)) {
            for (String entry : Machine.names(controllers.resolve(controller))) {
                // A path of a disk with several (nvme0c1n1) is hidden; the disk itself is named without the controller.
                if (entry.matches("nvme\\d+(c\\d+)?n\\d+")) {
                    String disk = entry.replaceFirst("c\\d+", "");
                    if (!disks.contains(disk)) {
                        disks.add(disk);
                    }
                }
            }
        }
        return disks;
    }
}
