package io.spindrift.sock.posix;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.uring.IoVec;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.Sock;
import io.spindrift.sock.SockCounter;
import io.spindrift.sock.SockGroup;
import io.spindrift.sock.internal.NumberedSends;
import io.spindrift.sock.internal.ffi.DataCalls;
import io.spindrift.sock.internal.ffi.EpollEvent;
import io.spindrift.sock.internal.ffi.MsgHdr;
import io.spindrift.sock.internal.ffi.SocketCalls;
import io.spindrift.sock.spi.SockGroupContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Sockets watched by one epoll descriptor, level-triggered, with one buffer to receive into.
///
/// A socket on which bytes keep coming is tried in each poll, and epoll is not told of it meanwhile: what arrives then wakes
/// nobody, neither here nor in the kernel, where each wake goes through the epoll descriptors of group, thread and reactor.
final class PosixGroup extends SockGroup {
    private static final int BUFFER_BYTES = 65536;
    private static final int EVENTS = 64;
    /// An active socket that brought nothing so often in a row is left to epoll: after about 0.1 ms.
    private static final int EMPTY_TRIES = 256;
    /// An active socket that brought something so often since it became active is taken out of epoll.
    private static final int DIRECT_AFTER = 8;
    /// While there are active sockets, epoll is asked at least once in so many polls without work.
    private static final int IDLE_POLLS_A_WAIT = 16;
    /// And in so many with work.
    private static final int BUSY_POLLS_A_WAIT = 4;
    /// What one socket sends in one poll, about: others have their turn.
    private static final long SEND_BYTES = 1 << 20;
    private static final int SEND_FLAGS = DataCalls.MSG_NOSIGNAL | DataCalls.MSG_DONTWAIT;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 4096);
    private final MemorySegment events = arena.allocate((long) EVENTS * EpollEvent.SIZE, 8);
    private final MemorySegment change = arena.allocate(EpollEvent.SIZE, 8);
    private final MemorySegment vector = arena.allocate((long) IoVec.MAX * IoVec.SIZE, 8);
    private final MemorySegment message = arena.allocate(MsgHdr.SIZE, 8);
    private final int epoll;
    private final long threshold;
    private final ActiveSocks active = new ActiveSocks();
    private final ErrorQueues errors;
    private PosixSock[] slots = new PosixSock[16];
    private int[] freeSlots = new int[16];
    private int freeCount;
    private int slotCount;
    private long polls;
    /// Polls with work and without since epoll was asked last.
    private int busyPolls;
    private int idlePolls;
    /// Sockets that epoll knows.
    private int watched;

    PosixGroup(SockGroupContext context) {
        super(context);
        threshold = context.options().effectiveZerocopyThreshold();
        errors = new ErrorQueues(arena, context.stats());
        int rc = DataCalls.epoll_create1(DataCalls.EPOLL_CLOEXEC);
        if (rc < 0) {
            arena.close();
            throw new ErrnoException("epoll_create1", -rc);
        }
        epoll = rc;
    }

    // ---- members ----------------------------------------------------------------------------------------------

    @Override
    protected Sock open(DetachedSock connection, Receiver receiver) {
        PosixSock sock = new PosixSock(this, connection, receiver);
        sock.slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        slots[sock.slot] = sock;
        watch(sock);
        if (!sock.watched) {
            freeSlot(sock);
            sock.closeNow();
            throw new ErrnoException("epoll_ctl for " + connection, Errno.ENOMEM);
        }
        return sock;
    }

    private int newSlot() {
        if (slotCount == slots.length) {
            slots = Arrays.copyOf(slots, slotCount * 2);
            freeSlots = Arrays.copyOf(freeSlots, slotCount * 2);
        }
        return slotCount++;
    }

    private void freeSlot(PosixSock sock) {
        slots[sock.slot] = null;
        freeSlots[freeCount++] = sock.slot;
        sock.slot = -1;
    }

    /// Tells epoll what is of interest about `sock` now.
    void watch(PosixSock sock) {
        int wanted = (sock.listening() && !sock.direct ? EpollEvent.IN : 0) | (sock.blocked ? EpollEvent.OUT : 0);
        if (sock.watched && sock.interest == wanted || sock.slot < 0) {
            return;
        }
        EpollEvent.set(change, wanted, sock.slot);
        int op = sock.watched ? DataCalls.EPOLL_CTL_MOD : DataCalls.EPOLL_CTL_ADD;
        if (DataCalls.epoll_ctl(epoll, op, sock.fd(), change.address()) == 0) {
            watched += sock.watched ? 0 : 1;
            sock.watched = true;
            sock.interest = wanted;
        }
    }

    private void forget(PosixSock sock) {
        if (sock.watched) {
            DataCalls.epoll_ctl(epoll, DataCalls.EPOLL_CTL_DEL, sock.fd(), change.address());
            sock.watched = false;
            watched--;
        }
    }

    /// Receives from `sock` without epoll from now on. Not if it sends without copies: epoll tells of their ends.
    private void direct(PosixSock sock) {
        if (sock.zeroCopy == null && !sock.blocked) {
            sock.direct = true;
            forget(sock);
        }
    }

    /// Leaves `sock` to epoll, which reports at once what it has.
    private void undirect(PosixSock sock) {
        if (sock.direct) {
            sock.direct = false;
            watch(sock);
        }
    }

    /// The connection is broken, which epoll would report for ever, and nobody wants to hear it now.
    private void unwatch(PosixSock sock) {
        if (sock.watched) {
            forget(sock);
            if (sock.queue().awaiting()) {
                errors.follow(sock);
            }
        }
    }

    void activate(PosixSock sock) {
        sock.emptyTries = 0;
        if (!active.add(sock)) {
            while (active.count() > 0) {
                deactivate(active.count() - 1);
            }
        }
    }

    private void deactivate(int index) {
        PosixSock sock = active.get(index);
        active.remove(index);
        undirect(sock);
    }

    void release(PosixSock sock) {
        forget(sock);
        freeSlot(sock);
        if (sock.queue().awaiting()) {
            SocketCalls.shutdown(sock.fd(), SocketCalls.SHUT_RDWR);
            errors.linger(sock, thread().now());
        } else {
            sock.closeNow();
        }
    }

    // ---- receiving --------------------------------------------------------------------------------------------

    @Override
    protected int receive() {
        polls++;
        int work = errors.isEmpty() ? 0 : errors.poll(thread().now());
        active.polled();
        for (int i = active.count() - 1; i >= 0; i--) {
            PosixSock sock = active.get(i);
            if (sock.listening()) {
                work += receive(sock);
            }
            if (!sock.listening() || sock.emptyTries >= EMPTY_TRIES) {
                deactivate(i);
            } else if (sock.hits >= DIRECT_AFTER && !sock.direct) {
                direct(sock);
            }
        }
        return watched > 0 && mayWait(work > 0) ? work + receiveReported() : work;
    }

    /// Whether it is time to ask epoll: with active sockets, these are served first, and the others a little later.
    private boolean mayWait(boolean worked) {
        if (active.count() > 0 && (worked ? ++busyPolls < BUSY_POLLS_A_WAIT : ++idlePolls < IDLE_POLLS_A_WAIT)) {
            return false;
        }
        busyPolls = 0;
        idlePolls = 0;
        return true;
    }

    private int receiveReported() {
        stats().add(SockCounter.WAITS, 1);
        int ready = DataCalls.epoll_wait(epoll, events.address(), EVENTS);
        int work = 0;
        for (int i = 0; i < ready; i++) {
            PosixSock sock = slots[(int) EpollEvent.data(events, i)];
            if (sock != null) {
                work += reported(sock, EpollEvent.events(events, i));
            }
        }
        return work;
    }

    private int reported(PosixSock sock, int what) {
        boolean broken = (what & (EpollEvent.ERR | EpollEvent.HUP)) != 0;
        int ended = (what & EpollEvent.ERR) != 0 && sock.zeroCopy != null ? errors.drain(sock) : 0;
        if (sock.blocked && (broken || (what & EpollEvent.OUT) != 0)) {
            sock.blocked = false;
            sock.flushLater();
            watch(sock);
        }
        if (!sock.listening()) {
            if (broken && ended == 0) {
                unwatch(sock);
            } else {
                watch(sock);
            }
            return ended;
        }
        boolean readable = (what & (EpollEvent.IN | EpollEvent.HUP)) != 0 || broken && ended == 0;
        if (!readable || sock.triedIn == polls) {
            return ended;
        }
        int received = receive(sock);
        if (received > 0 && sock.listening()) {
            activate(sock);
        }
        return ended + received;
    }

    private int receive(PosixSock sock) {
        sock.triedIn = polls;
        long rc = DataCalls.recv(sock.fd(), buffer.address(), BUFFER_BYTES, DataCalls.MSG_DONTWAIT);
        if (rc > 0) {
            sock.emptyTries = 0;
            sock.hits++;
            stats().add(SockCounter.RECEIVES, 1);
            stats().add(SockCounter.RECEIVED_BYTES, rc);
            sock.arrived(buffer, rc);
            return 1;
        }
        if (rc == -Errno.EAGAIN || rc == -Errno.EINTR || rc == -Errno.ENOMEM) {
            sock.emptyTries++;
            stats().add(SockCounter.EMPTY_RECEIVES, 1);
            return 0;
        }
        sock.over((int) -rc);
        watch(sock);
        return 1;
    }

    // ---- sending ----------------------------------------------------------------------------------------------

    /// Sends what is queued until that is all, the socket is full, or it is the turn of others.
    int send(PosixSock sock) {
        long budget = SEND_BYTES;
        int work = 0;
        while (!sock.queue().isEmpty()) {
            if (budget <= 0) {
                sock.flushLater();
                break;
            }
            long rc = sendOnce(sock, budget);
            work++;
            if (rc < 0) {
                break;
            }
            budget -= rc;
        }
        return work;
    }

    /// One sendmsg; returns the bytes it took, or -1 if this is all for now.
    private long sendOnce(PosixSock sock, long budget) {
        int entries = sock.queue().gather(vector, IoVec.MAX, budget);
        if (entries == 0) {
            sock.queue().taken(0, -1);
            return 0;
        }
        long bytes = sock.queue().gatheredBytes();
        MsgHdr.set(message, vector.address(), entries);
        NumberedSends zeroCopy = bytes >= threshold && sock.zeroCopy != null && sock.zeroCopy.available()
                ? sock.zeroCopy
                : null;
        long rc = DataCalls.sendmsg(sock.fd(), message.address(),
                zeroCopy == null ? SEND_FLAGS : SEND_FLAGS | DataCalls.MSG_ZEROCOPY);
        if (rc == -Errno.ENOBUFS && zeroCopy != null) { // too many notifications outstanding (net.core.optmem_max)
            zeroCopy = null;
            rc = DataCalls.sendmsg(sock.fd(), message.address(), SEND_FLAGS);
        }
        return rc > 0 ? took(sock, rc, bytes, zeroCopy) : refused(sock, (int) -rc);
    }

    private long took(PosixSock sock, long taken, long offered, NumberedSends zeroCopy) {
        stats().add(zeroCopy == null ? SockCounter.COPIED_SENDS : SockCounter.ZERO_COPY_SENDS, 1);
        stats().add(SockCounter.SENT_BYTES, taken);
        sock.queue().taken(taken, zeroCopy == null ? -1 : zeroCopy.take());
        if (taken < offered) {
            block(sock);
            return -1;
        }
        return taken;
    }

    private long refused(PosixSock sock, int errno) {
        if (errno == Errno.EAGAIN || errno == Errno.ENOBUFS || errno == Errno.ENOMEM || errno == Errno.EINTR) {
            block(sock);
        } else {
            sock.failSends(errno);
        }
        return -1;
    }

    private void block(PosixSock sock) {
        stats().add(SockCounter.BLOCKED_SENDS, 1);
        sock.blocked = true;
        watch(sock);
    }

    @Override
    protected int submit() {
        return 0;
    }

    // ---- the group --------------------------------------------------------------------------------------------

    @Override
    protected boolean readyToSleep() {
        for (int i = active.count() - 1; i >= 0; i--) {
            undirect(active.get(i));
            active.get(i).hits = 0;
        }
        return errors.isEmpty();
    }

    @Override
    protected int wakeDescriptor() {
        return epoll;
    }

    @Override
    protected void woken() {
        // level-triggered: the poll that follows finds why
    }

    @Override
    protected void shutDown() {
        errors.close();
        SocketCalls.close(epoll);
        arena.close();
    }
}
