package io.spindrift.apps.setup;

import java.util.Set;

/// The kernel's drivers that give a device to user space.
final class UserSpaceDriver {
    /// The one that Spindrift uses: with an IOMMU, and without root once its group's file may be opened.
    static final String VFIO = "vfio-pci";

    private static final Set<String> OTHERS = Set.of("uio_pci_generic", "igb_uio");
    /// Drivers that may keep a device of a group that is given away: they do no DMA of their own.
    private static final Set<String> HARMLESS = Set.of("pcieport", "pci-stub");

    private UserSpaceDriver() {}

    static boolean is(String driver) {
        return isVfio(driver) || OTHERS.contains(driver);
    }

    /// `vfio-pci` or a vendor's variant of it.
    static boolean isVfio(String driver) {
        return driver.startsWith("vfio");
    }

    /// Whether a group with a device that is bound to `driver` can be given away all the same.
    static boolean leavesGroupViable(String driver) {
        return isVfio(driver) || HARMLESS.contains(driver);
    }
}
