package io.spindrift.apps.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `setup config`: devices go to user space, and nothing is lost.
class ConfigTest extends SetupFixture {
    private static final List<String> BIND_FIRST = List.of(
            "echo vfio-pci > /sys/bus/pci/devices/0000:01:00.0/driver_override",
            "echo 0000:01:00.0 > /sys/bus/pci/drivers/nvme/unbind",
            "echo 0000:01:00.0 > /sys/bus/pci/drivers_probe");

    private String first;
    private String second;

    @BeforeEach
    void makeControllers() throws Exception {
        first = machine.controller(0);
        second = machine.controller(1);
    }

    private void mountSecond() throws Exception {
        machine.write("proc/self/mountinfo", "29 22 259:1 / /srv rw - ext4 /dev/nvme1n1 rw\n");
    }

    @Test
    void bindsADeviceSoThatNoOtherDriverTakesIt() throws Exception {
        assertEquals(0, setup("config", "01:00.0"), err);
        assertEquals(BIND_FIRST, machine.done);
        assertEquals("vfio-pci", machine.driverOf(first));
        assertEquals("vfio-pci", machine.overrideOf(first));
        assertEquals("nvme", machine.driverOf(second));
        assertEquals("0000:01:00.0 (1b36:0010): nvme -> vfio-pci\n", out);
    }

    @Test
    void bindsAllThatAreNotInUseIfNoneIsNamed() throws Exception {
        mountSecond();
        assertEquals(0, setup(), err);
        assertEquals("""
                0000:01:00.0 (1b36:0010): nvme -> vfio-pci
                0000:02:00.0 (1b36:0010): left alone: /dev/nvme1n1 is mounted at /srv
                """, out);
        assertEquals(BIND_FIRST, machine.done);
    }

    @Test
    void bindsNoneIfOneThatIsNamedIsInUse() throws Exception {
        mountSecond();
        List<String> before = machine.contents();
        assertEquals(1, setup(first, second));
        assertEquals("setup: 0000:02:00.0 (1b36:0010): /dev/nvme1n1 is mounted at /srv\n", err);
        assertEquals(List.of(), machine.done);
        assertEquals(before, machine.contents());
    }

    @Test
    void printsExactlyWhatItWouldDoAndDoesNothingInADryRun() throws Exception {
        machine.removeDriver("vfio-pci");
        machine.write("lib/modules/6.12.1-amd64/modules.builtin", "kernel/drivers/vfio/pci/vfio-pci.ko\n");
        machine.isRoot = false;
        List<String> before = machine.contents();
        assertEquals(0, setup("config", first, "--dry-run", "--user", "alice"), err);
        String would = out;
        assertEquals(List.of(), machine.done);
        assertEquals(before, machine.contents());

        machine.isRoot = true;
        assertEquals(0, setup("config", first, "--user", "alice"), err);
        assertEquals(machine.done, would.lines().filter(line -> line.matches("(echo|modprobe|chown) .*")).toList());
        assertEquals("modprobe vfio-pci", machine.done.getFirst());
        assertEquals("chown alice /dev/vfio/10", machine.done.getLast());
    }

    @Test
    void leavesADeviceThatItHasAlready() throws Exception {
        setup(first);
        machine.done.clear();
        assertEquals(0, setup(first), err);
        assertEquals("0000:01:00.0 (1b36:0010): has vfio-pci already\n", out);
        assertEquals(List.of(), machine.done);
    }

    @Test
    void bindsDevicesOfOneGroupTogether() throws Exception {
        machine.function(second, "0x010802", "nvme", 10);
        assertEquals(1, setup(first));
        assertEquals("setup: 0000:01:00.0 (1b36:0010): other devices of IOMMU group 10 have drivers of the kernel: "
                + "0000:02:00.0 (nvme)\n", err);
        assertEquals(0, setup(first, second), err);
        assertEquals("vfio-pci", machine.driverOf(first));
        assertEquals("vfio-pci", machine.driverOf(second));
    }

    @Test
    void leavesADeviceAloneWhoseCompanionStays() throws Exception {
        machine.function(second, "0x010802", "nvme", 10);
        mountSecond();
        assertEquals(0, setup());
        assertEquals(List.of(), machine.done);
        assertTrue(out.contains("0000:01:00.0 (1b36:0010): left alone: other devices of IOMMU group 10"), out);
    }

    @Test
    void givesTheDeviceBackIfTheDriverDoesNotTakeIt() throws Exception {
        machine.failing = List.of("vfio-pci");
        assertEquals(1, setup(first));
        assertEquals("setup: 0000:01:00.0 (1b36:0010): 0000:01:00.0 was not bound to vfio-pci: " + machine.root
                + "/sys/bus/pci/drivers_probe: Invalid argument (nvme has it again)\n", err);
        assertEquals("nvme", machine.driverOf(first));
        assertEquals("(null)", machine.overrideOf(first));
    }

    @Test
    void saysWhyTheDriverCannotBeLoaded() throws Exception {
        machine.removeDriver("vfio-pci");
        machine.write("lib/modules/6.12.1-amd64/modules.dep", "kernel/drivers/vfio/pci/vfio-pci.ko: \n");
        machine.modules = List.of();
        assertEquals(1, setup(first));
        assertEquals("setup: vfio-pci cannot be loaded: modprobe: FATAL: Module vfio-pci not found\n", err);
        assertEquals(List.of("modprobe vfio-pci"), machine.done);
    }

    @Test
    void givesTheGroupToAUserAndTellsHisLimit() throws Exception {
        machine.lockLimit = Optional.of("8192");
        environment.put("TARGET_USER", "alice");
        assertEquals(0, setup(first), err);
        assertEquals("chown alice /dev/vfio/10", machine.done.getLast());
        assertTrue(out.contains("/dev/vfio/10 is alice's\nWarning: alice may lock 8192 KiB of memory"), out);
        machine.lockLimit = Optional.of("unlimited");
        assertEquals(0, setup(first), err);
        assertTrue(out.endsWith("/dev/vfio/10 is alice's\n"), out);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--user bob   | 1 | setup: --user bob: there is no such user",
            "0000:09:00.0 | 1 | setup: there is no PCI device 0000:09:00.0",
            "0000:00:02.0 | 1 | setup: 0000:00:02.0 is no NVMe controller: its class is 020000, not 010802",
            "config 01:00 | 2 | setup: '01:00' is no PCI address: they are written as 0000:01:00.0",
            "cleanup      | 2 | setup: 'cleanup' is no command: there are config, reset and status",
            "--force      | 2 | setup: Unknown option: '--force'"})
    void refusesWhatCannotBeMeant(String words, int status, String sentence) throws Exception {
        machine.function("0000:00:02.0", "0x020000", "e1000", 3);
        assertEquals(status, setup(words.split(" ")));
        assertEquals(sentence, err.lines().findFirst().orElseThrow());
        assertEquals(List.of(), machine.done);
    }

    @Test
    void needsRootAndSaysForWhatNot() throws Exception {
        machine.isRoot = false;
        for (String action : List.of("config", "reset")) {
            assertEquals(1, setup(action));
            assertEquals("setup: binding a device needs root; status and --dry-run do not\n", err);
        }
        assertEquals(0, setup("status"));
        assertEquals(List.of(), machine.done);
    }

    @Test
    void takesADeviceFromItsDriverOnlyForDriverOverrideNone() throws Exception {
        environment.put("DRIVER_OVERRIDE", "none");
        assertEquals(0, setup(first), err);
        assertEquals(List.of("echo 0000:01:00.0 > /sys/bus/pci/drivers/nvme/unbind"), machine.done);
        assertEquals("0000:01:00.0 (1b36:0010): nvme -> no driver\n", out);
    }

    @Test
    void loadsTheModuleThatDriverOverrideNames() throws Exception {
        environment.put("DRIVER_OVERRIDE", "/opt/igb_uio.ko");
        machine.function(first, "0x010802", "nvme", -1);
        assertEquals(0, setup("-n", first), err);
        assertEquals("insmod /opt/igb_uio.ko", out.lines().findFirst().orElseThrow());
        assertTrue(out.contains("\necho igb_uio > /sys/bus/pci/devices/0000:01:00.0/driver_override\n"), out);
    }

    @Test
    void printsItsUsage() throws Exception {
        for (String word : List.of("help", "-h")) {
            assertEquals(0, setup(word));
            assertTrue(out.startsWith("Usage: setup"), out);
        }
    }
}
