package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.app.PciFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PciBusTest {
    private static final String ADDRESS = "0000:01:00.0";

    @TempDir
    Path folder;
    private FakeSysfs sysfs;

    @BeforeEach
    void build() throws IOException {
        sysfs = new FakeSysfs(folder);
    }

    private PciDevice find(PciFlags flags) throws IOException {
        return new PciBus(sysfs.paths(), flags).find(PciAddress.parse(ADDRESS)).orElseThrow();
    }

    private String obstacle() throws IOException {
        return find(PciFlags.DEFAULT).obstacle().orElseThrow();
    }

    @Test
    void findsADeviceThatCanBeUsed() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);

        assertEquals(new PciDevice(new PciAddress(0, 1, 0, 0), 0x1b36, 0x10, 0x010802, -1, Optional.of("vfio-pci"),
                Optional.of(6), false, Optional.empty()), find(PciFlags.DEFAULT));
    }

    @Test
    void listsNvmeControllersByAddress() throws IOException {
        sysfs.device("0000:02:00.0", PciDevice.NVME_CLASS, "nvme", 7);
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);
        sysfs.device("0000:00:03.0", 0x020000, "virtio-pci", 3);

        assertEquals(List.of(ADDRESS, "0000:02:00.0"), new PciBus(sysfs.paths(), PciFlags.DEFAULT).nvmeControllers()
                .stream().map(device -> device.address().toString()).toList());
    }

    @Test
    void findsNothingOnAMachineWithoutPci() throws IOException {
        assertEquals(List.of(), new PciBus(sysfs.paths(), PciFlags.DEFAULT).nvmeControllers());
        assertTrue(new PciBus(sysfs.paths(), PciFlags.DEFAULT).find(new PciAddress(0, 1, 0, 0)).isEmpty());
    }

    @Test
    void namesTheDriverThatHasTheDevice() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "nvme", 6);

        assertEquals("0000:01:00.0 belongs to the kernel's driver nvme; ./spindrift setup gives it to vfio-pci",
                obstacle());
    }

    @Test
    void saysThatADeviceHasNoDriver() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "", 6);

        assertEquals("0000:01:00.0 has no driver; ./spindrift setup gives it to vfio-pci", obstacle());
    }

    @Test
    void saysThatADeviceIsNoController() throws IOException {
        sysfs.device(ADDRESS, 0x020000, "vfio-pci", 6);

        assertEquals("0000:01:00.0 has class 0x020000, an NVMe controller 0x010802", obstacle());
    }

    @Test
    void saysThatThereIsNoIommu() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", -1);

        assertEquals(
                "0000:01:00.0 has no IOMMU group: enable the IOMMU in the firmware and on the kernel's command line "
                        + "(intel_iommu=on)",
                obstacle());
    }

    @Test
    void refusesADeviceThatNoIommuHolds() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);
        Files.writeString(sysfs.folder(ADDRESS).resolve("iommu_group/name"), "vfio-noiommu\n");

        assertTrue(obstacle().startsWith("0000:01:00.0 is in VFIO's no-IOMMU mode, in which it could write anywhere"));
    }

    @Test
    void namesTheDeviceThatHoldsTheGroup() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);
        sysfs.device("0000:01:00.1", 0x020000, "e1000e", 6);
        sysfs.device("0000:00:01.0", 0x060400, "pcieport", 6);

        assertEquals("0000:01:00.0 shares IOMMU group 6 with 0000:01:00.1, which belongs to the kernel's driver e1000e",
                obstacle());
    }

    @Test
    void namesTheNodeThatIsMissing() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);
        Path node = sysfs.paths().dev().resolve("vfio/6");
        Files.delete(node);

        assertEquals(node + " cannot be opened for reading and writing: its owner is who may drive 0000:01:00.0",
                obstacle());
    }

    @Test
    void leavesAloneWhatTheFlagsForbid() throws IOException {
        sysfs.device(ADDRESS, PciDevice.NVME_CLASS, "vfio-pci", 6);

        assertEquals(Optional.of("0000:01:00.0 may not be touched: PCI devices are disabled (-u)"),
                find(PciFlags.DEFAULT.withNone()).obstacle());
        assertEquals(Optional.of("0000:01:00.0 may not be touched: it is blocked (-B)"),
                find(PciFlags.DEFAULT.withBlocked("01:00.0")).obstacle());
        assertEquals(Optional.of("0000:01:00.0 may not be touched: others are allowed (-A), it is not"),
                find(PciFlags.DEFAULT.withAllowed("0000:02:00.0")).obstacle());
    }

    @Test
    void readsAddressesInTheFormsThatAreInUse() {
        PciAddress address = new PciAddress(0x10000, 0xae, 0x1f, 7);

        assertEquals(address, PciAddress.parse("10000:ae:1f.7"));
        assertEquals(address, PciAddress.parse("10000:AE:1F:7"));
        assertEquals(address, PciAddress.parse("10000.ae.1f.7"));
        assertEquals("10000:ae:1f.7", address.toString());
        assertEquals("0000:04:00.0", PciAddress.parse("04:00.0").toString());
        assertEquals("traddr=nvme0 is no PCI address such as 0000:01:00.0 (domain:bus:device.function)",
                assertThrows(IllegalArgumentException.class, () -> PciAddress.parse("nvme0")).getMessage());
        assertThrows(IllegalArgumentException.class, () -> PciAddress.parse("0000:01:20.0"));
    }
}
