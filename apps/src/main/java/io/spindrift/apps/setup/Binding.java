package io.spindrift.apps.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Takes devices from drivers and gives them to others, by the files of sysfs that are there for it
/// (Documentation/ABI/testing/sysfs-bus-pci of the kernel: `driver_override`, `unbind`, `drivers_probe`).
final class Binding {
    private static final String KERNELS_DRIVER = "nvme";

    private final Machine machine;
    private final PciBus bus;
    private final Kernel kernel;

    Binding(Machine machine, PciBus bus, Kernel kernel) {
        this.machine = machine;
        this.bus = bus;
        this.kernel = kernel;
    }

    /// Loads a driver that is not there yet.
    void load(TargetDriver driver) throws SetupException, InterruptedException {
        if (driver.none() || Files.isDirectory(machine.driver(driver.name()))) {
            return;
        }
        try {
            if (driver.module().isPresent()) {
                kernel.run("insmod", driver.module().get().toString());
            } else {
                kernel.run("modprobe", driver.name());
            }
        } catch (IOException e) {
            throw new SetupException(driver.name() + " cannot be loaded: " + e.getMessage(), e);
        }
    }

    /// Binds a device to `driver`, which then is the only one that it may have. If that fails, the kernel's driver has it
    /// again.
    void bind(PciFunction function, TargetDriver driver) throws SetupException, InterruptedException {
        Path folder = machine.function(function.address());
        try {
            if (!driver.none()) {
                kernel.write(folder.resolve("driver_override"), driver.name());
            }
            unbind(function);
            if (driver.none()) {
                return;
            }
            probe(function);
            if (kernel.acts() && !now(function).isBoundTo(driver.name())) {
                throw new IOException(driver.name() + " did not take it; dmesg may say why");
            }
        } catch (IOException e) {
            String after = giveBack(function);
            throw new SetupException(function.address() + " was not bound to " + driver.name() + ": " + e.getMessage()
                    + after, e);
        }
    }

    private String giveBack(PciFunction function) throws InterruptedException {
        try {
            PciFunction current = now(function);
            release(current);
            return now(current).driver().map(name -> " (" + name + " has it again)").orElse("");
        } catch (IOException e) {
            return " (nor could it be given back: " + e.getMessage() + ")";
        }
    }

    /// Gives a device back to the kernel's driver.
    void reset(PciFunction function) throws SetupException, InterruptedException {
        try {
            release(function);
        } catch (IOException e) {
            throw new SetupException(function.address() + " was not given back: " + e.getMessage(), e);
        }
        if (kernel.acts() && now(function).driver().filter(name -> !UserSpaceDriver.is(name)).isEmpty()) {
            throw new SetupException(function.address() + " has been released, but no driver of the kernel took it");
        }
    }

    private void release(PciFunction function) throws IOException, InterruptedException {
        if (!Files.isDirectory(machine.driver(KERNELS_DRIVER))) {
            kernel.run("modprobe", KERNELS_DRIVER);
        }
        if (function.override().isPresent()) {
            kernel.write(machine.function(function.address()).resolve("driver_override"), "");
        }
        if (function.inUserSpace()) {
            unbind(function);
        }
        if (function.inUserSpace() || function.driver().isEmpty()) {
            probe(function);
        }
    }

    private void unbind(PciFunction function) throws IOException {
        if (function.driver().isPresent()) {
            kernel.write(machine.driver(function.driver().get()).resolve("unbind"), function.address().text());
        }
    }

    private void probe(PciFunction function) throws IOException {
        kernel.write(machine.sys("bus/pci/drivers_probe"), function.address().text());
    }

    /// The driver that a device has by now.
    Optional<String> driver(PciFunction function) {
        return now(function).driver();
    }

    private PciFunction now(PciFunction function) {
        return bus.find(function.address()).orElse(function);
    }
}
