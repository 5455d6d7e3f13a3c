package io.spindrift.sock;

/// What a group counts.
public enum SockCounter {
    /// Receives that brought bytes.
    RECEIVES,
    /// Bytes that they brought.
    RECEIVED_BYTES,
    /// Receives that were tried and found nothing.
    EMPTY_RECEIVES,
    /// System calls that asked about all sockets at once (epoll_wait), or submitted and reaped a ring's work.
    WAITS,
    /// Sends by copy that the kernel took bytes from.
    COPIED_SENDS,
    /// Sends without a copy that the kernel took bytes from.
    ZERO_COPY_SENDS,
    /// Sends without a copy that the kernel has told the end of.
    ZERO_COPY_ENDS,
    /// Those of them of which it said that it copied after all.
    ZERO_COPY_COPIED,
    /// Bytes that all sends took.
    SENT_BYTES,
    /// Sends that had to wait because the socket's buffer was full.
    BLOCKED_SENDS,
    /// Connections that were added to the group.
    ADDED,
    /// Connections that have left it.
    REMOVED
}
