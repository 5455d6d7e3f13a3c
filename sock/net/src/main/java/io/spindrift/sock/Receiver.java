package io.spindrift.sock;

import java.lang.foreign.MemorySegment;

/// Takes what arrives on a [Sock]. Both methods run on the group's thread; either may send on or close any socket.
///
/// An exception that they throw is reported once and costs this connection only: it ends with EIO.
public interface Receiver {
    /// `length` bytes, at least 1, have arrived: they are at `offset` of `buffer`, which is the group's again when this
    /// returns.
    ///
    /// Returns how many were consumed. With fewer than `length` the socket keeps the rest and receives nothing until
    /// [Sock#resumeReceiving()], which offers the rest again first: how a consumer without buffers holds its peer up.
    long received(MemorySegment buffer, long offset, long length);

    /// Nothing more arrives: the peer has ended its half in order (0: sending still works), or the connection has
    /// failed (a positive errno). Once at most, after all bytes were consumed, and never after [Sock#close()], which
    /// the owner still calls.
    void closed(int errno);
}
