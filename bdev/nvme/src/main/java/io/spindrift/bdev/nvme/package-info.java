/// NVMe namespaces as bdevs. First type to read: [io.spindrift.bdev.nvme.NvmeBdevModule].
///
/// ```
///   control:   NvmeBdevModule --> AttachedSubsystems --> AttachedSubsystem (a name)
///                                                          |-- ControllerPath (a controller, and how it recovers)
///                                                          `-- NvmeBdev (NAMEn1) -- NamespacePath (it, through one controller)
///
///   a thread:  BdevChannel --> NvmeBdevChannel --> IoPath --> ControllerChannel --> QueuePair
///                                   |                             (one for all namespaces of the controller)
///                              RetryQueue: I/O that waits for a path
/// ```
/// - **Path**: a controller through which a namespace is reached. A namespace that several controllers have is one bdev.
/// - **Usable**: a path whose queue pair is connected, and whose ANA state lets I/O through.
/// - **Hopeless**: a path that will not become usable, or not soon enough: I/O does not wait for it.
///
/// **Threads.** Channels and I/O belong to their IoThread and never wait. Everything else is on control threads: attaching,
/// recovering and removing are straight-line code there, and publish to the channels what these read.
package io.spindrift.bdev.nvme;
