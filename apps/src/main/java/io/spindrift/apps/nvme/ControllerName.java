package io.spindrift.apps.nvme;

import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.TransportId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// How reports call controllers and namespaces, as SPDK's do.
public final class ControllerName {
    private static final Path PCI_DEVICES = Path.of("/sys/bus/pci/devices");

    private ControllerName() {}

    /// `TCP (addr:192.0.2.1 subnqn:nqn...)`, `PCIE (0000:04:00.0) [144d:a808]`.
    public static String of(NvmeController controller) {
        TransportId id = controller.id();
        String transport = id.trtype().toUpperCase(Locale.ROOT);
        return id.isPcie()
                ? transport + " (" + id.traddr() + ")" + pciIds(id.traddr())
                : transport + " (addr:" + id.traddr() + " subnqn:" + id.subnqn() + ")";
    }

    /// As of its controller, with `NSID 1` behind it.
    public static String of(NvmeController controller, NvmeNamespace namespace) {
        return of(controller) + " NSID " + namespace.nsid();
    }

    private static String pciIds(String address) {
        try {
            Path device = PCI_DEVICES.resolve(address);
            return " [" + number(device.resolve("vendor")) + ":" + number(device.resolve("device")) + "]";
        } catch (IOException e) {
            return ""; // no device of this machine: a fake
        }
    }

    private static String number(Path file) throws IOException {
        return Files.readString(file).strip().replaceFirst("^0x", "");
    }
}
