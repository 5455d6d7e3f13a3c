package io.spindrift.apps.setup;

import java.io.PrintStream;

/// What an action works with.
///
/// @param machine where the kernel's files are
/// @param bus     the machine's PCI functions
/// @param kernel  what makes changes
/// @param allowed which devices may be touched
/// @param driver  what devices are bound to
/// @param out     receives what was done
/// @param err     receives what was not
record SetupContext(Machine machine, PciBus bus, Kernel kernel, AllowedDevices allowed, TargetDriver driver,
        PrintStream out, PrintStream err) {
    /// A line about a device.
    void say(PciFunction function, String text) {
        out.println(title(function) + ": " + text);
    }

    /// A line about a device with which something is wrong.
    void complain(PciFunction function, String text) {
        err.println("setup: " + title(function) + ": " + text);
    }

    private static String title(PciFunction function) {
        return function.address() + " (" + function.id() + ")";
    }

    /// `nvme -> vfio-pci`.
    static String change(PciFunction function, String after) {
        return function.driver().orElse("no driver") + " -> " + after;
    }
}
