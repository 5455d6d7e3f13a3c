/// The uring bdev: files and kernel block devices. First type to read: [UringBdevModule].
///
/// - An [OpenFile] is what a bdev stands on: a descriptor and what was found out about it when it was opened.
/// - A [UringChannel] is one IoThread's way to all uring bdevs: one ring, whose requests go to the kernel once a turn.
/// - A [UringRequest] is the module's part of a pooled I/O, found again by its slot in the [RequestTable].
/// - A [ChannelRing] keeps the ring usable when its IoThread moves to another core.
///
/// **Threads.** Files are opened, measured and closed by control threads, on the pool for blocking calls. Everything
/// of a channel belongs to its IoThread.
package io.spindrift.bdev.uring;
