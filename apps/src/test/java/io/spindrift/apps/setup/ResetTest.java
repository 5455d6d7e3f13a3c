package io.spindrift.apps.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `setup reset`: the kernel has its devices again.
class ResetTest extends SetupFixture {
    private String first;
    private String second;

    @BeforeEach
    void bind() throws Exception {
        first = machine.controller(0);
        second = machine.controller(1);
        setup("config");
        machine.done.clear();
    }

    @Test
    void clearsTheOverrideAndHasTheKernelLookForADriver() throws Exception {
        assertEquals(0, setup("reset", first), err);
        assertEquals(List.of("echo > /sys/bus/pci/devices/0000:01:00.0/driver_override",
                "echo 0000:01:00.0 > /sys/bus/pci/drivers/vfio-pci/unbind",
                "echo 0000:01:00.0 > /sys/bus/pci/drivers_probe"), machine.done);
        assertEquals("nvme", machine.driverOf(first));
        assertEquals("vfio-pci", machine.driverOf(second));
        assertEquals("0000:01:00.0 (1b36:0010): vfio-pci -> nvme\n", out);
    }

    @Test
    void givesAllBackIfNoneIsNamed() throws Exception {
        assertEquals(0, setup("reset"), err);
        assertEquals("nvme", machine.driverOf(first));
        assertEquals("nvme", machine.driverOf(second));
        machine.done.clear();
        assertEquals(0, setup("reset"), err);
        assertEquals("0000:01:00.0 (1b36:0010): has nvme already\n0000:02:00.0 (1b36:0010): has nvme already\n", out);
        assertEquals(List.of(), machine.done);
    }

    @Test
    void loadsTheKernelsDriver() throws Exception {
        machine.removeDriver("nvme");
        assertEquals(0, setup("reset", first), err);
        assertEquals("modprobe nvme", machine.done.getFirst());
    }

    @Test
    void leavesADeviceThatAProgramUses() throws Exception {
        machine.process(4711, "nvmf_tgt", "/dev/vfio/10");
        assertEquals(1, setup("reset"));
        assertEquals("setup: 0000:01:00.0 (1b36:0010): left alone: process 4711 (nvmf_tgt) uses it\n", err);
        assertEquals("vfio-pci", machine.driverOf(first));
        assertEquals("nvme", machine.driverOf(second));
    }

    @Test
    void touchesOnlyWhatTheEnvironmentAllows() throws Exception {
        environment.put("PCI_ALLOWED", second);
        assertEquals(0, setup("reset"));
        assertEquals("vfio-pci", machine.driverOf(first));
        assertEquals("nvme", machine.driverOf(second));
        assertEquals(1, setup("reset", first), "one that was named");
        assertEquals("setup: 0000:01:00.0 (1b36:0010): left alone: PCI_ALLOWED does not have it\n", err);
    }

    @Test
    void takesADeviceThatHasNoDriver() throws Exception {
        environment.put("DRIVER_OVERRIDE", "none");
        setup("config", first);
        environment.clear();
        assertEquals("", machine.driverOf(first));
        assertEquals(0, setup("reset", first), err);
        assertEquals("nvme", machine.driverOf(first));
    }

    @Test
    void saysWhenNoDriverTakesIt() throws Exception {
        machine.failing = List.of("nvme");
        assertEquals(1, setup("reset", first));
        assertEquals("setup: 0000:01:00.0 (1b36:0010): 0000:01:00.0 was not given back: " + machine.root
                + "/sys/bus/pci/drivers_probe: Invalid argument\n", err);
    }

    @Test
    void printsWhatItWouldDo() throws Exception {
        List<String> before = machine.contents();
        assertEquals(0, setup("reset", first, "-n"), err);
        assertEquals("""
                echo > /sys/bus/pci/devices/0000:01:00.0/driver_override
                echo 0000:01:00.0 > /sys/bus/pci/drivers/vfio-pci/unbind
                echo 0000:01:00.0 > /sys/bus/pci/drivers_probe
                0000:01:00.0 (1b36:0010): vfio-pci -> the kernel's driver
                """, out);
        assertEquals(before, machine.contents());
    }
}
