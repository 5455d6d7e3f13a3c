package io.spindrift.nvme.pcie;

import java.util.Objects;
import java.util.Optional;

/// A PCI function as sysfs shows it.
///
/// @param classCode base class, sub-class and programming interface: 0x010802 for NVMe
/// @param numaNode -1 if the machine does not say
/// @param driver the kernel's, if one has the device
/// @param iommuGroup the number of the group of devices that the IOMMU cannot tell apart, if there is an IOMMU
/// @param virtualFunction whether a token of the physical function's driver may be needed to open it
/// @param obstacle one sentence that says why this process cannot drive the device, if it cannot
public record PciDevice(PciAddress address, int vendor, int device, int classCode, int numaNode,
        Optional<String> driver, Optional<Integer> iommuGroup, boolean virtualFunction, Optional<String> obstacle) {
    /// The class of NVMe controllers with I/O queues (NVMe over PCIe transport specification, "Class Code").
    public static final int NVME_CLASS = 0x01_0802;

    public PciDevice {
        Objects.requireNonNull(address, "address");
    }

    /// Whether it is an NVMe I/O controller.
    public boolean isNvme() {
        return classCode == NVME_CLASS;
    }

    public boolean isUsable() {
        return obstacle.isEmpty();
    }
}
