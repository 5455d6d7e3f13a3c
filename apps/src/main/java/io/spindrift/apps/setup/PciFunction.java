package io.spindrift.apps.setup;

import java.util.Optional;
import java.util.OptionalInt;

/// A PCI function, as sysfs shows it at a moment.
///
/// @param address    where it is
/// @param id         vendor and device, `8086:0a54`
/// @param classCode  base class, subclass and programming interface
/// @param numaNode   the memory node near it; empty on a machine without nodes
/// @param driver     the driver that it is bound to
/// @param override   the only driver that may be bound to it
/// @param iommuGroup the functions that can be given away only together; empty without an IOMMU
record PciFunction(PciAddress address, String id, int classCode, OptionalInt numaNode, Optional<String> driver,
        Optional<String> override, OptionalInt iommuGroup) {
    /// Mass storage, non-volatile memory, NVM Express I/O controller (PCI Code and ID Assignment, 1.2).
    static final int NVME_CLASS = 0x01_08_02;

    boolean nvme() {
        return classCode == NVME_CLASS;
    }

    /// Whether a driver has it that gives it to user space.
    boolean inUserSpace() {
        return driver.filter(UserSpaceDriver::is).isPresent();
    }

    boolean isBoundTo(String name) {
        return driver.filter(name::equals).isPresent();
    }
}
