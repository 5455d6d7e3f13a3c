package io.spindrift.sock;

/// Takes the connections of a [SockListener].
@FunctionalInterface
public interface Acceptor {
    /// A peer has connected; on the thread of the group that listens. The connection is the callee's: to add to a group,
    /// of this thread or, by a message, of another, or to close. If this throws, it is closed.
    void accepted(DetachedSock sock);
}
