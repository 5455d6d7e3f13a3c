package io.spindrift.sock.uring;

import io.spindrift.framework.Errno;
import io.spindrift.framework.uring.BufferRing;
import io.spindrift.framework.uring.CompletionHandler;
import io.spindrift.framework.uring.Cqe;
import io.spindrift.framework.uring.IoUring;
import io.spindrift.framework.uring.IoUringOptions;
import io.spindrift.framework.uring.Opcode;
import io.spindrift.framework.uring.Sqe;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.Sock;
import io.spindrift.sock.SockCounter;
import io.spindrift.sock.SockGroup;
import io.spindrift.sock.internal.ffi.DataCalls;
import io.spindrift.sock.internal.ffi.MsgHdr;
import io.spindrift.sock.internal.ffi.SockAddr;
import io.spindrift.sock.internal.ffi.SocketCalls;
import io.spindrift.sock.spi.SockGroupContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Sockets on one ring. Each has a receive under way that takes the group's buffers as bytes arrive, and at most one send,
/// whose description is not touched until it is done.
///
/// A request is known by `number of the send << 32 | slot of the socket << 2 | kind`. A slot is used again only when all
/// requests of its socket have ended.
final class UringGroup extends SockGroup {
    private static final int ENTRIES = 512;
    private static final int COMPLETIONS = 4096;
    private static final int BUFFERS = 256;
    private static final int BUFFER_BYTES = 16384;
    private static final int BATCH = 128;
    private static final long SEND_BYTES = 1 << 20;
    private static final int SEND_FLAGS = DataCalls.MSG_NOSIGNAL | DataCalls.MSG_WAITALL;
    private static final long LINGER_NANOS = 1_000_000_000;
    private static final int LAST_ROUNDS = 1_000_000;
    private static final int RECEIVE = 0;
    private static final int SEND = 1;
    private static final int CANCEL = 2;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment noAddress = arena.allocate(SockAddr.SIZE_IN, 8); // AF_UNSPEC is 0
    private final IoUring ring;
    private final BufferRing buffers;
    private final boolean zeroCopyKnown;
    private final long threshold;
    private final ArrayDeque<UringSock> looks = new ArrayDeque<>();
    private final List<UringSock> leaving = new ArrayList<>();
    private final CompletionHandler completed = this::completed; // made once: each making allocates
    private UringSock[] slots = new UringSock[16];
    private int[] freeSlots = new int[16];
    private int freeCount;
    private int slotCount;
    private SendSlot freeSends;
    private boolean given;
    private long enters;

    private UringGroup(SockGroupContext context, IoUring ring, BufferRing buffers) {
        super(context);
        this.ring = ring;
        this.buffers = buffers;
        zeroCopyKnown = ring.supports(Opcode.SENDMSG_ZC);
        threshold = context.options().effectiveZerocopyThreshold();
    }

    /// Throws [io.spindrift.framework.uring.IoUringException] if the kernel refuses.
    static UringGroup open(SockGroupContext context) {
        // Not bound to an OS thread: the IoThread may move.
        IoUring ring = IoUring.open(new IoUringOptions(ENTRIES, COMPLETIONS, false));
        try {
            return new UringGroup(context, ring, BufferRing.register(ring, 0, BUFFERS, BUFFER_BYTES));
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
    }

    // ---- members ----------------------------------------------------------------------------------------------

    @Override
    protected Sock open(DetachedSock connection, Receiver receiver) {
        UringSock sock = new UringSock(this, connection, receiver);
        if (freeCount == 0 && slotCount == slots.length) {
            slots = Arrays.copyOf(slots, slotCount * 2);
            freeSlots = Arrays.copyOf(freeSlots, slotCount * 2);
        }
        sock.slot = freeCount > 0 ? freeSlots[--freeCount] : slotCount++;
        slots[sock.slot] = sock;
        look(sock);
        return sock;
    }

    /// Has the requests of `sock` looked at in this poll or the next: begun or cancelled as it wants now.
    void look(UringSock sock) {
        if (!sock.queued && sock.slot >= 0) {
            sock.queued = true;
            looks.add(sock);
        }
    }

    void release(UringSock sock) {
        sock.released = true;
        if (sock.quiet()) {
            finish(sock);
            return;
        }
        SocketCalls.shutdown(sock.fd(), SocketCalls.SHUT_RDWR);
        sock.resetAt = thread().now() + LINGER_NANOS;
        leaving.add(sock);
        look(sock);
    }

    private void finish(UringSock sock) {
        sock.closeNow();
        slots[sock.slot] = null;
        freeSlots[freeCount++] = sock.slot;
        sock.slot = -1;
    }

    private void finishLeaving(long now) {
        for (int i = leaving.size() - 1; i >= 0; i--) {
            UringSock sock = leaving.get(i);
            if (sock.quiet()) {
                leaving.remove(i);
                finish(sock);
            } else if (!sock.reset && now - sock.resetAt >= 0) {
                reset(sock);
            }
        }
    }

    /// connect(2) to no address: the kernel drops what is queued, and lets go of its pages.
    private void reset(UringSock sock) {
        sock.reset = true;
        SocketCalls.connect(sock.fd(), noAddress);
    }

    // ---- requests ---------------------------------------------------------------------------------------------

    private static long id(UringSock sock, int kind, long number) {
        return number << 32 | (long) sock.slot << 2 | kind;
    }

    /// Begins or cancels what `sock` wants. False if the kernel takes no request now.
    private boolean arrange(UringSock sock) {
        boolean wanted = sock.wantsReceive();
        if (wanted && !sock.receiving) {
            long at = ring.nextSqe();
            if (at < 0) {
                return false;
            }
            Sqe.recvMultishot(ring.sqes(), at, sock.fd(), buffers.group(), id(sock, RECEIVE, 0));
            sock.receiving = true;
            sock.receiveCancelled = false;
        } else if (!wanted && sock.receiving && !sock.receiveCancelled) {
            if (!cancel(id(sock, RECEIVE, 0))) {
                return false;
            }
            sock.receiveCancelled = true;
        }
        if (sock.released && sock.send != null && !sock.sendCancelled) {
            sock.sendCancelled = cancel(id(sock, SEND, sock.sendNumber));
            return sock.sendCancelled;
        }
        return true;
    }

    private boolean cancel(long target) {
        long at = ring.nextSqe();
        if (at < 0) {
            return false;
        }
        Sqe.asyncCancel(ring.sqes(), at, target, 0, CANCEL);
        return true;
    }

    @Override
    protected int receive() {
        int work = ring.poll(completed, BATCH);
        if (given) {
            given = false;
            buffers.publish();
        }
        if (!leaving.isEmpty()) {
            finishLeaving(thread().now());
        }
        return work;
    }

    private void completed(long id, int result, int flags) {
        int kind = (int) id & 3;
        if (kind == CANCEL) {
            return;
        }
        UringSock sock = slots[(int) id >>> 2];
        if (kind == RECEIVE) {
            received(sock, result, flags);
        } else if ((flags & Cqe.F_NOTIF) != 0) {
            letGo(sock, (int) (id >>> 32), (result & Cqe.NOTIF_USAGE_ZC_COPIED) != 0);
        } else {
            sent(sock, result, (flags & Cqe.F_MORE) != 0);
        }
    }

    private void received(UringSock sock, int result, int flags) {
        boolean last = (flags & Cqe.F_MORE) == 0;
        if (last) {
            sock.receiving = false;
            look(sock);
        }
        if (result > 0) {
            stats().add(SockCounter.RECEIVES, 1);
            stats().add(SockCounter.RECEIVED_BYTES, result);
            sock.arrived(buffers.memory(), buffers.offset(flags >>> Cqe.BUFFER_SHIFT), result);
        } else if (last && ends(-result)) {
            sock.ends(-result);
        }
        if ((flags & Cqe.F_BUFFER) != 0) {
            buffers.give(flags >>> Cqe.BUFFER_SHIFT);
            given = true;
        }
    }

    /// Whether the end of a receive is that of the connection; else another receive follows, if it is wanted.
    private static boolean ends(int errno) {
        return switch (errno) {
            case Errno.ENOBUFS, Errno.ECANCELED, Errno.EINTR, Errno.EAGAIN, Errno.ENOMEM -> false;
            default -> true;
        };
    }

    // ---- sending ----------------------------------------------------------------------------------------------

    /// Begins to send what is queued, unless a send is under way: then what is queued follows it.
    int send(UringSock sock) {
        if (sock.send != null || !sock.numbers.available()) {
            return 0;
        }
        SendSlot slot = takeSend();
        int entries = sock.queue().gather(slot.vector, SendSlot.RANGES, SEND_BYTES);
        if (entries == 0) {
            giveSend(slot);
            sock.queue().taken(0, -1);
            return 1;
        }
        long at = ring.nextSqe();
        if (at < 0) {
            giveSend(slot);
            sock.flushLater();
            return 0;
        }
        prepare(sock, slot, entries, at);
        return 1;
    }

    private void prepare(UringSock sock, SendSlot slot, int entries, long at) {
        MsgHdr.set(slot.message, slot.vector.address(), entries);
        sock.send = slot;
        sock.sendNumber = sock.numbers.take();
        sock.sendCancelled = false;
        boolean zeroCopy = sock.zeroCopy && zeroCopyKnown && sock.queue().gatheredBytes() >= threshold;
        sock.queue().hold(sock.sendNumber);
        long id = id(sock, SEND, sock.sendNumber);
        if (zeroCopy) {
            Sqe.sendmsgZeroCopy(ring.sqes(), at, sock.fd(), slot.message.address(), SEND_FLAGS, id);
        } else {
            Sqe.sendmsg(ring.sqes(), at, sock.fd(), slot.message.address(), SEND_FLAGS, id);
        }
    }

    private SendSlot takeSend() {
        SendSlot slot = freeSends;
        if (slot == null) {
            return new SendSlot(arena);
        }
        freeSends = slot.next;
        return slot;
    }

    private void giveSend(SendSlot slot) {
        slot.next = freeSends;
        freeSends = slot;
    }

    /// The send is done; with `held` the kernel still holds its pages.
    private void sent(UringSock sock, int result, boolean held) {
        giveSend(sock.send);
        sock.send = null;
        if (held) { // even if it failed: its end is counted, too
            stats().add(SockCounter.ZERO_COPY_SENDS, 1);
        } else if (result > 0) {
            stats().add(SockCounter.COPIED_SENDS, 1);
        }
        if (result > 0) {
            stats().add(SockCounter.SENT_BYTES, result);
        }
        if (result >= 0 || !ends(-result)) {
            if (sock.queue().held()) {
                sock.queue().taken(Math.max(0, result), sock.sendNumber);
            }
        } else {
            sock.failSends(-result);
        }
        if (held) {
            sock.heldSends++;
        } else {
            over(sock, (int) sock.sendNumber);
        }
        goOn(sock);
    }

    /// The kernel has let go of the pages of a zero-copy send.
    private void letGo(UringSock sock, int number, boolean copied) {
        stats().add(SockCounter.ZERO_COPY_ENDS, 1);
        if (copied) {
            stats().add(SockCounter.ZERO_COPY_COPIED, 1);
        }
        sock.heldSends--;
        over(sock, number);
        goOn(sock);
    }

    private static void over(UringSock sock, int number) {
        sock.numbers.end(number, number);
        sock.queue().released(sock.numbers.base());
    }

    private static void goOn(UringSock sock) {
        if (!sock.released && !sock.queue().isEmpty()) {
            sock.flushLater();
        }
    }

    @Override
    protected int submit() {
        int work = 0;
        for (int i = looks.size(); i > 0; i--) {
            UringSock sock = looks.peek();
            if (sock.slot >= 0 && !arrange(sock)) {
                break;
            }
            looks.remove();
            sock.queued = false;
            work++;
        }
        ring.submit();
        if (ring.enters() != enters) {
            stats().add(SockCounter.WAITS, ring.enters() - enters);
            enters = ring.enters();
        }
        return work;
    }

    // ---- the group --------------------------------------------------------------------------------------------

    @Override
    protected boolean readyToSleep() {
        return looks.isEmpty() && leaving.isEmpty() && ring.armWakeup();
    }

    @Override
    protected int wakeDescriptor() {
        return ring.wakeFd();
    }

    @Override
    protected void woken() {
        ring.acknowledgeWake();
    }

    @Override
    protected void shutDown() {
        submit();
        receive();
        leaving.forEach(this::reset);
        for (int i = 0; i < LAST_ROUNDS && ring.inFlight() > 0; i++) {
            submit();
            receive();
        }
        for (UringSock sock : leaving) {
            sock.queue().failAwaiting(Errno.ECANCELED);
            sock.closeNow();
        }
        leaving.clear();
        ring.close();
        buffers.close();
        arena.close();
    }
}
