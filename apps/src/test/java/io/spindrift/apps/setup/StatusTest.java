package io.spindrift.apps.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `setup status`: what each device is, and whether it can be had.
class StatusTest extends SetupFixture {
    private List<String> before = List.of();

    @BeforeEach
    void makeControllers() throws Exception {
        machine.controller(0);
    }

    /// Runs the program, which changes nothing, and returns the last column of the first device.
    private String usable() throws Exception {
        before = machine.contents();
        assertEquals(0, setup("status"), err);
        assertEquals(before, machine.contents());
        String header = out.lines().findFirst().orElseThrow();
        return out.lines().skip(1).findFirst().orElseThrow().substring(header.indexOf("Usable"));
    }

    @AfterEach
    void assertNothingDone() {
        assertEquals(List.of(), machine.done);
        assertEquals("", err);
    }

    @Test
    void showsEachDeviceInTheOrderOfAddresses() throws Exception {
        machine.write("sys/bus/pci/devices/0000:01:00.0/numa_node", "1\n");
        machine.function("10000:00:01.0", "0x010802", "vfio-pci", 10);
        machine.function("0000:ff:00.0", "0x010802", "", -1);
        machine.function("0000:00:02.0", "0x020000", "e1000", 3);
        machine.disk("0000:01:00.0", 0, "nvme0n2", "nvme0n2");
        assertEquals(0, setup("status"));
        assertEquals("""
                Address        Vendor:Device  NUMA  Driver    Block devices    IOMMU group  Usable
                0000:01:00.0   1b36:0010      1     nvme      nvme0n1,nvme0n2  10           yes
                0000:ff:00.0   1b36:0010      -     -         -                -            NO IOMMU
                10000:00:01.0  1b36:0010      -     vfio-pci  -                10           NO GROUP
                """.replace("NO IOMMU", "no: there is no IOMMU for it (intel_iommu=on or amd_iommu=on on the kernel's "
                + "command line, and VT-d or AMD-Vi in the firmware)").replace("NO GROUP", "no: other devices of IOMMU "
                        + "group 10 have drivers of the kernel: 0000:01:00.0 (nvme)"),
                out);
    }

    @Test
    void saysThatThereIsNoController() throws Exception {
        machine.function("0000:01:00.0", "0x010601", "ahci", 10);
        assertEquals(0, setup("status"));
        assertEquals("There is no NVMe controller on the PCI bus.\n", out);
    }

    @Test
    void namesThePartitionThatIsMounted() throws Exception {
        machine.partition("nvme0n1", 1, "259:5");
        machine.write("proc/self/mountinfo", "29 22 259:5 / /srv/my\\040data rw shared:9 - ext4 /dev/root rw\n");
        assertEquals("no: /dev/nvme0n1p1 is mounted at /srv/my data", usable());
    }

    @Test
    void knowsAMountBySourceWhereItsNumbersAreTheFileSystemsOwn() throws Exception {
        machine.write("proc/self/mountinfo", "29 22 0:45 / /srv rw - btrfs /dev/nvme0n1 rw\n");
        assertEquals("no: /dev/nvme0n1 is mounted at /srv", usable());
    }

    @Test
    void seesWhatAContainerHasMounted() throws Exception {
        machine.write("proc/815/mountinfo", "29 22 259:0 / /data rw - xfs /dev/nvme0n1 rw\n");
        assertEquals("no: /dev/nvme0n1 is mounted at /data", usable());
    }

    @Test
    void namesTheSwapSpace() throws Exception {
        machine.partition("nvme0n1", 2, "259:6");
        machine.write("proc/swaps", "Filename Type Size Used Priority\n/dev/nvme0n1p2 partition 1024 0 -2\n");
        assertEquals("no: /dev/nvme0n1p2 is swapped to", usable());
    }

    @Test
    void namesTheVolumeOnIt() throws Exception {
        machine.write("sys/block/nvme0n1/holders/dm-3", "");
        machine.write("sys/block/dm-3/dm/name", "vg0-root\n");
        assertEquals("no: /dev/nvme0n1 is used by dm-3 (vg0-root)", usable());
    }

    @Test
    void namesTheArrayThatAPartitionIsIn() throws Exception {
        machine.partition("nvme0n1", 1, "259:5");
        machine.write("sys/block/nvme0n1/nvme0n1p1/holders/md127", "");
        assertEquals("no: /dev/nvme0n1p1 is used by md127", usable());
    }

    @Test
    void namesTheProgramThatHasItOpen() throws Exception {
        machine.process(4712, "qemu", "/dev/nvme0n1");
        assertEquals("no: /dev/nvme0n1 is open in process 4712 (qemu)", usable());
    }

    @Test
    void namesPartitionsThatNobodyUses() throws Exception {
        machine.partition("nvme0n1", 1, "259:5");
        machine.partition("nvme0n1", 2, "259:6");
        assertEquals("no: /dev/nvme0n1 has partitions: nvme0n1p1, nvme0n1p2", usable());
    }

    @Test
    void namesWhatADiskHoldsThoughNobodyUsesIt() throws Exception {
        writeToDisk(0, "XFSB");
        assertEquals("no: /dev/nvme0n1 holds an XFS file system", usable());
    }

    @Test
    void looksAtADiskWithSeveralPathsUnderItsOwnName() throws Exception {
        machine.disk("0000:01:00.0", 0, "nvme3c0n1", "nvme3n1");
        machine.write("proc/self/mountinfo", "29 22 259:7 / /srv rw - ext4 /dev/nvme3n1 rw\n");
        assertEquals("no: /dev/nvme3n1 is mounted at /srv", usable());
    }

    @Test
    void doesNotTakeWhatItCannotReadForEmpty() throws Exception {
        Files.delete(machine.root.resolve("dev/nvme0n1"));
        assertEquals("no: what /dev/nvme0n1 holds is unknown: there is no such file", usable());
    }

    @Test
    void doesNotTakeADiskOfUnknownSizeForEmpty() throws Exception {
        Files.delete(machine.root.resolve("sys/block/nvme0n1/size"));
        assertEquals("no: what /dev/nvme0n1 holds is unknown: the kernel does not tell its size", usable());
    }

    @Test
    void namesTheCompanionsThatStayWithTheKernel() throws Exception {
        machine.function("0000:01:00.1", "0x020000", "e1000", 10);
        machine.function("0000:01:00.2", "0x060400", "pcieport", 10);
        machine.function("0000:01:00.3", "0x010802", "vfio-pci", 10);
        machine.function("0000:01:00.4", "0x020000", "", 10);
        assertEquals("no: other devices of IOMMU group 10 have drivers of the kernel: 0000:01:00.1 (e1000)", usable());
    }

    @Test
    void countsOnCompanionsThatCanBeHadToo() throws Exception {
        machine.controller(1);
        machine.function("0000:02:00.0", "0x010802", "nvme", 10);
        assertEquals("yes", usable());
        machine.partition("nvme1n1", 1, "259:5");
        assertEquals("no: other devices of IOMMU group 10 have drivers of the kernel: 0000:02:00.0 (nvme)", usable());
    }

    @Test
    void saysWhenTheEnvironmentForbidsIt() throws Exception {
        environment.put("PCI_BLOCKED", "0000:09:00.0 01:00.0");
        assertEquals("no: PCI_BLOCKED has it", usable());
        environment.put("PCI_ALLOWED", "0000:01:00.0");
        assertEquals("no: PCI_BLOCKED has it", usable());
        environment.clear();
        environment.put("PCI_ALLOWED", "none");
        assertEquals("no: PCI_ALLOWED does not have it", usable());
        environment.put("PCI_ALLOWED", " 0000:09:00.0\t0000:01:00.0 ");
        assertEquals("yes", usable());
    }

    @Test
    void saysWhenTheDriverIsNeitherLoadedNorThere() throws Exception {
        machine.removeDriver("vfio-pci");
        assertEquals("no: vfio-pci is not loaded, and the kernel has no such module", usable());
    }

    @Test
    void saysWhenTheDriverIsOnlyNotLoaded() throws Exception {
        machine.removeDriver("vfio-pci");
        machine.write("lib/modules/6.12.1-amd64/modules.dep", "kernel/drivers/vfio/pci/vfio-pci.ko.xz: a.ko.xz\n");
        assertEquals("yes", usable());
        assertTrue(out.endsWith("\nvfio-pci is not loaded; config loads it.\n"), out);
    }

    @Test
    void tellsAllReasonsAtOnce() throws Exception {
        environment.put("PCI_BLOCKED", "0000:01:00.0");
        writeToDisk(1024 + 56, "\u0053\u00ef");
        assertEquals("no: PCI_BLOCKED has it; /dev/nvme0n1 holds an ext2, ext3 or ext4 file system", usable());
    }

    @Test
    void namesTheProcessThatUsesABoundDevice() throws Exception {
        machine.function("0000:01:00.0", "0x010802", "vfio-pci", 10);
        assertEquals("yes", usable());
        machine.process(4711, "java", "/dev/vfio/10");
        assertEquals("yes, used by process 4711 (java)", usable());
    }

    @Test
    void doesNotCallADeviceUsableThatAnotherUserSpaceDriverHas() throws Exception {
        machine.function("0000:01:00.0", "0x010802", "uio_pci_generic", 10);
        assertEquals("no: it is bound to uio_pci_generic, which gives it to others than Spindrift", usable());
    }

    private void writeToDisk(long offset, String text) throws IOException {
        try (RandomAccessFile disk = new RandomAccessFile(machine.root.resolve("dev/nvme0n1").toFile(), "rw")) {
            disk.seek(offset);
            disk.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
