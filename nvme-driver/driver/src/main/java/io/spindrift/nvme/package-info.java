/// An NVMe host: what it takes to use a controller from an application. First type to read: [NvmeDriver].
///
/// ```
///   NvmeDriver --connect(TransportId)--> NvmeController --connectQueuePair(thread)--> QueuePair --acquire--> NvmeRequest
///                                          |  namespaces() --> NvmeNamespace              submit, completed
///                                          |  admin()      --> AdminCommands
///                                          v
///                                       ControllerListener: failed, events
/// ```
/// - **Queue pair**: a submission and a completion queue, of one IoThread. Queue pair 0 is the admin queue.
/// - **Request**: a command on its way: its 64 bytes, its data, what is called when it ends. Pooled by its queue pair.
/// - **Transport**: PCIe, TCP. What one implements is in [io.spindrift.nvme.spi].
///
/// **Threads.** Connecting, resetting and all of [NvmeController] and [AdminCommands] is for control threads, and waits. A
/// queue pair and its requests belong to their IoThread, block never, allocate nothing and throw nothing for what a
/// controller does.
///
/// **Errors.** A command's outcome is a status; a set-up failure is an [NvmeException] with a sentence; a controller that
/// fails later is told to its [ControllerListener], and every command that it had ends with a status.
package io.spindrift.nvme;
