/// Sockets by io_uring. First type to read: [io.spindrift.sock.uring.UringGroup].
///
/// ```
///   a poll:  completions: read from memory shared with the kernel, no system call when idle
///            sends, new receives: one system call for all
/// ```
package io.spindrift.sock.uring;
