/// The program `setup`: gives PCI NVMe controllers to user space (`vfio-pci`) and back to the kernel.
///
/// [io.spindrift.apps.setup.SetupApp] reads the arguments. A [io.spindrift.apps.setup.PciFunction] is what sysfs says of a
/// device ([io.spindrift.apps.setup.PciBus]); [io.spindrift.apps.setup.Obstacles] finds the reasons why it cannot be had,
/// for which [io.spindrift.apps.setup.BlockDevices] looks for what its disks are used for and what is on them.
/// [io.spindrift.apps.setup.Binding] makes the changes, all of them by a [io.spindrift.apps.setup.Kernel], so that
/// `--dry-run` is one that prints. Files are looked for below a [io.spindrift.apps.setup.Machine]'s root, which tests
/// replace. The manual is `apps/setup.md`.
package io.spindrift.apps.setup;
