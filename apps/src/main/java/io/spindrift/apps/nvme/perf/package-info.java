/// spdk_nvme_perf: measures NVMe controllers through the driver. First types to read: [io.spindrift.apps.nvme.perf.PerfRun],
/// then [io.spindrift.apps.nvme.perf.NamespaceLoad].
///
/// ```
///   flags -> PerfOptions -> Attachments -> PerfNamespace -> PerfRun -> NamespaceLoad -> PerfTask -> queue pair
///                                                              |
///                                                              +--> LoadResult -> PerfReport
/// ```
/// - A **load** is what one core does with one namespace; a **task** is one of the I/Os that it keeps on their way; a
///   **unit** is an I/O's worth of blocks.
/// - Loads and tasks live on the IoThread of their core and neither block nor allocate while I/O runs; all else is control
///   path.
package io.spindrift.apps.nvme.perf;
