/// bdevperf: measures and verifies block devices. First types to read: [io.spindrift.apps.bdevperf.TestRun], then
/// [io.spindrift.apps.bdevperf.PerfJob].
///
/// ```
///   flags, job file, perform_tests -> Planner -> Plan -> TestRun -> PerfJob -> PerfTask -> bdev
///                                                          |
///                                                          +--> JobResult -> Report
/// ```
/// - A **section** is what a user asks of one thread; a **job** is its work on one bdev; a **task** is one of the I/Os
///   that a job keeps on their way; a **unit** is an I/O's worth of blocks.
/// - Jobs and tasks live on their IoThread and neither block nor allocate while I/O runs; all else is control path.
package io.spindrift.apps.bdevperf;
