package io.spindrift.framework.app;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/// The machine's PCI devices that are bound to a driver for user space, as sysfs shows them.
final class PciDevices {
    private static final Set<String> USER_SPACE_DRIVERS = Set.of("vfio-pci", "uio_pci_generic", "igb_uio");

    private final Path sys;
    private final PciFlags flags;

    /// Looks below `sys` (`/sys`) for devices that `flags` allow.
    PciDevices(Path sys, PciFlags flags) {
        this.sys = sys;
        this.flags = flags;
    }

    /// One device: its address, and its configuration space in hexadecimal as far as it may be read.
    record Device(String address, String configSpace) {}

    /// The devices, ordered by address.
    List<Device> list() throws IOException {
        List<Device> devices = new ArrayList<>();
        Path folder = sys.resolve("bus/pci/devices");
        if (flags.disabled() || !Files.isDirectory(folder)) {
            return devices;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String address = entry.getFileName().toString();
                if (flags.allows(address) && isForUserSpace(entry)) {
                    devices.add(new Device(address,
                            HexFormat.of().formatHex(Files.readAllBytes(entry.resolve("config")))));
                }
            }
        }
        devices.sort(Comparator.comparing(Device::address));
        return devices;
    }

    private static boolean isForUserSpace(Path device) throws IOException {
        Path driver = device.resolve("driver");
        return Files.exists(driver) && USER_SPACE_DRIVERS.contains(driver.toRealPath().getFileName().toString());
    }
}
