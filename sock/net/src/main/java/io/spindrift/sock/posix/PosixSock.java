package io.spindrift.sock.posix;

import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.SendQueue;
import io.spindrift.sock.Sock;
import io.spindrift.sock.internal.NumberedSends;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.MemorySegment;

/// A socket of a [PosixGroup], which does its system calls.
final class PosixSock extends Sock {
    private final PosixGroup group;
    /// Null if nothing is sent without a copy.
    final NumberedSends zeroCopy;
    /// What epoll reports it by.
    int slot = -1;
    /// Whether epoll knows it, and the events that it was told.
    boolean watched;
    int interest;
    /// The socket's send buffer is full.
    boolean blocked;
    boolean active;
    /// Active, and epoll is not told that it is: see [PosixGroup].
    boolean direct;
    /// How often something arrived since it became active.
    int hits;
    /// Tries in a row that found nothing.
    int emptyTries;
    /// The poll in which it was tried last.
    long triedIn;

    PosixSock(PosixGroup group, DetachedSock origin, Receiver receiver) {
        super(group, origin, receiver);
        this.group = group;
        this.zeroCopy = wantsZeroCopy()
                && SocketCalls.setsockopt(descriptor(), SocketCalls.SOL_SOCKET, SocketCalls.SO_ZEROCOPY, 1) == 0
                        ? new NumberedSends()
                        : null;
    }

    int fd() {
        return descriptor();
    }

    SendQueue queue() {
        return sends();
    }

    boolean listening() {
        return !deaf() && !receivingPaused();
    }

    void arrived(MemorySegment buffer, long length) {
        deliver(buffer, 0, length);
    }

    void over(int errno) {
        ended(errno);
    }

    void failSends(int errno) {
        sendFailed(errno);
    }

    void flushLater() {
        queueFlush();
    }

    void closeNow() {
        closeDescriptor();
    }

    @Override
    protected int flush() {
        return blocked ? 0 : group.send(this);
    }

    @Override
    protected void pauseReceiving() {
        group.watch(this);
    }

    @Override
    protected void continueReceiving() {
        group.watch(this);
        group.activate(this);
    }

    @Override
    protected void release() {
        group.release(this);
    }
}
