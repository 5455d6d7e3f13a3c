package io.spindrift.apps.setup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds the reasons why a device cannot be given to user space.
final class Obstacles {
    private final Machine machine;
    private final PciBus bus;
    private final AllowedDevices allowed;
    private final TargetDriver driver;
    private final BlockDevices blockDevices;
    private final OpenFiles openFiles;

    /// As the machine is now.
    Obstacles(SetupContext context) throws IOException {
        this.machine = context.machine();
        this.bus = context.bus();
        this.allowed = context.allowed();
        this.driver = context.driver();
        this.openFiles = new OpenFiles(machine);
        this.blockDevices = new BlockDevices(machine, openFiles);
    }

    /// Those of `functions` that cannot be bound together with the others, and why, in sentences. One that cannot stays with
    /// the kernel, which may speak against others of its group.
    Map<PciFunction, List<String>> refused(List<PciFunction> functions) throws IOException {
        Map<PciFunction, List<String>> refused = new LinkedHashMap<>();
        int before;
        do {
            before = refused.size();
            Set<PciAddress> together = functions.stream().filter(function -> !refused.containsKey(function))
                    .map(PciFunction::address).collect(Collectors.toSet());
            for (PciFunction function : functions) {
                List<String> reasons = refused.containsKey(function) ? List.of() : reasons(function, together);
                if (!reasons.isEmpty()) {
                    refused.put(function, reasons);
                }
            }
        } while (refused.size() > before);
        return refused;
    }

    private List<String> reasons(PciFunction function, Set<PciAddress> together) throws IOException {
        List<String> reasons = new ArrayList<>();
        allowed.obstacle(function.address()).ifPresent(reasons::add);
        for (String disk : bus.disks(function)) {
            reasons.addAll(blockDevices.obstacles(disk));
        }
        if (function.inUserSpace() && !function.isBoundTo(driver.name()) && function.iommuGroup().isPresent()) {
            openFiles.user(machine.vfioGroup(function.iommuGroup().getAsInt())).map(user -> user + " uses it")
                    .ifPresent(reasons::add);
        }
        if (driver.vfio()) {
            if (function.iommuGroup().isEmpty()) {
                reasons.add("there is no IOMMU for it (intel_iommu=on or amd_iommu=on on the kernel's command line, and"
                        + " VT-d or AMD-Vi in the firmware)");
            }
            companions(function, together).ifPresent(reasons::add);
        }
        if (!driver.none() && driver.module().isEmpty() && !machine.hasModule(driver.name())) {
            reasons.add(driver.name() + " is not loaded, and the kernel has no such module");
        }
        return reasons;
    }

    /// Whether devices that stay with the kernel keep `function`'s group from being given away.
    Optional<String> companions(PciFunction function, Set<PciAddress> together) throws IOException {
        List<String> kept = bus.companions(function).stream()
                .filter(other -> !together.contains(other.address()) && other.driver()
                        .filter(name -> !UserSpaceDriver.leavesGroupViable(name)).isPresent())
                .map(other -> other.address() + " (" + other.driver().orElseThrow() + ")").toList();
        return kept.isEmpty()
                ? Optional.empty()
                : Optional.of("other devices of IOMMU group " + function.iommuGroup().getAsInt()
                        + " have drivers of the kernel: " + String.join(", ", kept));
    }
}
