/// Sockets by epoll, recv and sendmsg. First type to read: [io.spindrift.sock.posix.PosixGroup].
///
/// ```
///   a poll:  active sockets: recv each    idle ones: one epoll_wait for all    queued sends: one sendmsg for each socket
/// ```
package io.spindrift.sock.posix;
