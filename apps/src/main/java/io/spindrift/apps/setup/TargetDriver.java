package io.spindrift.apps.setup;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The driver that devices are bound to.
///
/// @param name   its name on the PCI bus
/// @param module a file to load it from, where it is none of the kernel's own
record TargetDriver(String name, Optional<Path> module) {
    /// For devices that are only to be taken from their drivers.
    static final String NONE = "none";

    /// `vfio-pci`, or what the environment's `DRIVER_OVERRIDE` says: a name, the path of a module's file, or `none`.
    static TargetDriver of(Map<String, String> environment) {
        String given = environment.getOrDefault("DRIVER_OVERRIDE", "").strip();
        if (given.isEmpty()) {
            return new TargetDriver(UserSpaceDriver.VFIO, Optional.empty());
        }
        if (given.indexOf('/') < 0) {
            return new TargetDriver(given, Optional.empty());
        }
        Path file = Path.of(given);
        String name = file.getFileName().toString();
        return new TargetDriver(name.endsWith(".ko") ? name.substring(0, name.length() - 3) : name, Optional.of(file));
    }

    boolean none() {
        return name.equals(NONE);
    }

    /// Whether it needs an IOMMU.
    boolean vfio() {
        return UserSpaceDriver.isVfio(name);
    }
}
