package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.app.PciDevices.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PciDevicesTest {
    @TempDir
    Path sys;

    @BeforeEach
    void create() throws Exception {
        device("0000:02:00.0", "vfio-pci");
        device("0000:01:00.0", "vfio-pci");
        device("0000:03:00.0", "nvme");
        Files.createDirectories(sys.resolve("bus/pci/devices/0000:04:00.0"));
    }

    private void device(String address, String driver) throws Exception {
        Path folder = Files.createDirectories(sys.resolve("bus/pci/devices/" + address));
        Path target = Files.createDirectories(sys.resolve("bus/pci/drivers/" + driver));
        Files.createSymbolicLink(folder.resolve("driver"), target);
        Files.write(folder.resolve("config"), new byte[]{(byte) 0x86, (byte) 0x80});
    }

    private List<String> addresses(PciFlags flags) throws Exception {
        return new PciDevices(sys, flags).list().stream().map(Device::address).toList();
    }

    @Test
    void listsThoseThatAUserSpaceDriverHasByAddress() throws Exception {
        assertEquals(List.of(new Device("0000:01:00.0", "8680"), new Device("0000:02:00.0", "8680")),
                new PciDevices(sys, PciFlags.DEFAULT).list());
    }

    @Test
    void leavesOutWhatTheFlagsForbid() throws Exception {
        assertEquals(List.of("0000:02:00.0"), addresses(PciFlags.DEFAULT.withBlocked("01:00.0")));
        assertEquals(List.of("0000:01:00.0"), addresses(PciFlags.DEFAULT.withAllowed("0000:01:00.0")));
        assertEquals(List.of(), addresses(PciFlags.DEFAULT.withNone()));
    }

    @Test
    void listsNothingOnAMachineWithoutPci() throws Exception {
        assertEquals(List.of(), new PciDevices(sys.resolve("none"), PciFlags.DEFAULT).list());
    }
}
