package io.spindrift.sock.posix;

import io.spindrift.framework.Errno;
import io.spindrift.sock.SockCounter;
import io.spindrift.sock.SockStats;
import io.spindrift.sock.internal.NumberedSends;
import io.spindrift.sock.internal.ffi.DataCalls;
import io.spindrift.sock.internal.ffi.ErrorQueueMessage;
import io.spindrift.sock.internal.ffi.MsgHdr;
import io.spindrift.sock.internal.ffi.SockAddr;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Where the kernel tells that it has let go of the pages of zero-copy sends.
///
/// Epoll reports it for sockets that it watches. The others are polled here: connections that are closed keep their
/// descriptor until their pages are free, in order for a second, then by a reset, which makes the kernel drop what the
/// peer has not acknowledged.
final class ErrorQueues {
    private static final int BATCH = 32;
    private static final long LINGER_NANOS = 1_000_000_000;

    private static final class Entry {
        final PosixSock sock;
        final boolean closed;
        final long resetAt;
        boolean reset;

        Entry(PosixSock sock, boolean closed, long resetAt) {
            this.sock = sock;
            this.closed = closed;
            this.resetAt = resetAt;
        }
    }

    private final MemorySegment control;
    private final MemorySegment message;
    private final MemorySegment noAddress;
    private final SockStats stats;
    private final List<Entry> polled = new ArrayList<>();

    ErrorQueues(Arena arena, SockStats stats) {
        this.stats = stats;
        control = arena.allocate(ErrorQueueMessage.ROOM, 8);
        message = arena.allocate(MsgHdr.SIZE, 8);
        noAddress = arena.allocate(SockAddr.SIZE_IN, 8); // AF_UNSPEC is 0
    }

    boolean isEmpty() {
        return polled.isEmpty();
    }

    /// Epoll does not watch `sock` any more, which goes on.
    void follow(PosixSock sock) {
        polled.add(new Entry(sock, false, Long.MAX_VALUE));
    }

    /// `sock` has been closed; closes its descriptor in the end.
    void linger(PosixSock sock, long now) {
        polled.removeIf(entry -> entry.sock == sock);
        polled.add(new Entry(sock, true, now + LINGER_NANOS));
    }

    int poll(long now) {
        int work = 0;
        for (int i = polled.size() - 1; i >= 0; i--) {
            Entry entry = polled.get(i);
            work += drain(entry.sock);
            if (!entry.sock.queue().awaiting()) {
                polled.remove(i);
                if (entry.closed) {
                    entry.sock.closeNow();
                }
            } else if (!entry.reset && now - entry.resetAt >= 0 && entry.closed) {
                entry.reset = true;
                reset(entry.sock);
            }
        }
        return work;
    }

    /// Takes what the error queue of `sock` has, and tells the requests that are over. Returns how many messages it was.
    int drain(PosixSock sock) {
        if (sock.zeroCopy == null) {
            return 0;
        }
        int messages = 0;
        while (messages < BATCH) {
            MsgHdr.setControl(message, 0, 0, control.address(), ErrorQueueMessage.ROOM);
            if (DataCalls.recvErrorQueue(sock.fd(), message.address()) < 0) {
                break;
            }
            messages++;
            if (ErrorQueueMessage.isZeroCopyEnd(control, MsgHdr.controlLength(message))) {
                note(sock.zeroCopy);
            }
        }
        if (messages > 0) {
            sock.queue().released(sock.zeroCopy.base());
        }
        return messages;
    }

    private void note(NumberedSends sends) {
        int ended = sends.end(ErrorQueueMessage.low(control), ErrorQueueMessage.high(control));
        stats.add(SockCounter.ZERO_COPY_ENDS, ended);
        if (ErrorQueueMessage.copied(control)) {
            stats.add(SockCounter.ZERO_COPY_COPIED, ended);
        }
    }

    /// connect(2) to no address: the kernel drops what is queued.
    private void reset(PosixSock sock) {
        SocketCalls.connect(sock.fd(), noAddress);
    }

    /// Resets and closes all that linger.
    void close() {
        for (Entry entry : polled) {
            if (entry.closed) {
                reset(entry.sock);
                drain(entry.sock);
                entry.sock.queue().failAwaiting(Errno.ECANCELED);
                entry.sock.closeNow();
            }
        }
        polled.clear();
    }
}
