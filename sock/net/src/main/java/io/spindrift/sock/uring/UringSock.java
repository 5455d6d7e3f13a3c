package io.spindrift.sock.uring;

import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.SendQueue;
import io.spindrift.sock.Sock;
import io.spindrift.sock.internal.NumberedSends;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.MemorySegment;

/// A socket of a [UringGroup], which makes its requests: one receive that goes on, and one send at a time.
final class UringSock extends Sock {
    private final UringGroup group;
    final boolean zeroCopy;
    final NumberedSends numbers = new NumberedSends();
    /// What its requests are known by.
    int slot = -1;
    /// A receive is under way, and whether it was asked to stop.
    boolean receiving;
    boolean receiveCancelled;
    /// The receive has told the end of the connection.
    boolean over;
    /// The send that is under way, or null; its number; and whether it was asked to stop.
    SendSlot send;
    long sendNumber;
    boolean sendCancelled;
    /// Zero-copy sends that are done, and whose pages the kernel still holds.
    int heldSends;
    /// Its requests are to be looked at.
    boolean queued;
    boolean released;
    long resetAt;
    boolean reset;

    UringSock(UringGroup group, DetachedSock origin, Receiver receiver) {
        super(group, origin, receiver);
        this.group = group;
        this.zeroCopy = wantsZeroCopy();
        SocketCalls.fcntl(descriptor(), SocketCalls.F_SETFL, 0); // a non-blocking one would answer EAGAIN
    }

    int fd() {
        return descriptor();
    }

    SendQueue queue() {
        return sends();
    }

    /// Whether a receive should be under way.
    boolean wantsReceive() {
        return !released && !over && !deaf() && !receivingPaused();
    }

    /// Whether the kernel knows nothing of it any more.
    boolean quiet() {
        return !receiving && send == null && heldSends == 0;
    }

    void arrived(MemorySegment buffer, long offset, long length) {
        deliver(buffer, offset, length);
    }

    void ends(int errno) {
        over = true;
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
        return group.send(this);
    }

    @Override
    protected void pauseReceiving() {
        group.look(this);
    }

    @Override
    protected void continueReceiving() {
        group.look(this);
    }

    @Override
    protected void release() {
        group.release(this);
    }
}
