/// NVMe over PCIe: devices that Linux's VFIO hands to this process, driven through rings in memory.
///
/// ```
///   PcieTransport --> PciBus (what is there, and may be used)     VfioContainer (the address space of devices)
///        |                                                             |
///   PcieController --> Registers (BAR0)                            VfioDevice (configuration space, interrupts)
///        |
///   PcieQueuePair --> SubmissionRing, CompletionRing, DataMapping, QueueInterrupt
/// ```
/// First type to read: [PcieQueuePair]. Needs no root and no hugepages: the device is bound to `vfio-pci`, its group's node in
/// `/dev/vfio` belongs to the user, and the limit of locked memory is as large as the program's memory.
///
/// - **BAR0**: the registers of a controller, mapped into this process.
/// - **IOVA**: an address as the device sees it; the IOMMU translates it to memory that was mapped for it, and to no other.
/// - **Container, group, device**: VFIO's address space, the smallest set of devices that it can be given to, one of them.
/// - **Doorbell**: the register that tells the device of a new tail or head.
///
/// **Interrupts.** A queue is polled while its reactor is awake, with its MSI-X vector masked in the device's table. A reactor
/// that wants to sleep unmasks it, looks once more, and sleeps; the interrupt wakes it through an eventfd. So a busy queue
/// takes neither interrupts nor system calls, and an idle one costs nothing.
package io.spindrift.nvme.pcie;
