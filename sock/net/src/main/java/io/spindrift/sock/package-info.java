/// TCP sockets of [IoThread][io.spindrift.framework.thread.IoThread]s. First type to read: [Sockets].
///
/// ```
///   Sockets --group(thread)--> SockGroup --add--> Sock ---- Receiver: bytes in the group's buffer
///      |                           |                  <---- SendRequest: ranges of memory, sent once a poll
///      | connect                   | listen
///      v                           v
///   DetachedSock <-- Acceptor -- SockListener
/// ```
/// - A **group** is one thread's sockets, polled together, asleep when nothing happens.
/// - A **detached sock** is a connection that has no group yet: it may be handed to any thread.
/// - **Back-pressure**: a receiver that does not consume all gets no more until it asks for it; a request is told when the
///   kernel has its bytes.
///
/// **Threads.** Sockets, groups and listeners belong to their IoThread; connecting, options and statistics are for any.
/// **Errors.** What a peer does is a value: an errno in [Receiver#closed] or [SendRequest#sent]. Set-up throws.
package io.spindrift.sock;
