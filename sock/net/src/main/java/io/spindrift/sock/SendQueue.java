package io.spindrift.sock;

import io.spindrift.framework.uring.IoVec;
import java.lang.foreign.MemorySegment;

/// The requests of one socket in order: those with bytes to send, and those whose bytes were sent without a copy and are
/// still in the kernel's hands. For implementations; on the group's thread.
public final class SendQueue {
    /// Requests that are to go behind others wait for so many bytes of these at most, about: then the peer has a first part
    /// to go on with while the rest is sent.
    private static final long RUN_BYTES = 64 << 10;

    private final SockGroup group;
    private final DetachedSock origin;
    private SendRequest head;
    private SendRequest tail;
    private SendRequest behindHead;
    private SendRequest behindTail;
    /// Bytes that were queued since those before went behind theirs.
    private long run;
    private SendRequest awaitingHead;
    private SendRequest awaitingTail;
    private long gatheredBytes;
    private int gatheredRequests;
    private long releasedEnd;
    private boolean held;

    SendQueue(SockGroup group, DetachedSock origin) {
        this.group = group;
        this.origin = origin;
    }

    void add(SendRequest request) {
        if (run >= RUN_BYTES) {
            endRun();
        }
        request.enqueue();
        run += request.bytes;
        append(request, request);
    }

    private void append(SendRequest first, SendRequest last) {
        if (head == null) {
            head = first;
        } else {
            tail.next = first;
        }
        tail = last;
    }

    /// Adds `request` behind all that is added until the run ends.
    void addBehind(SendRequest request) {
        request.enqueue();
        if (behindHead == null) {
            behindHead = request;
        } else {
            behindTail.next = request;
        }
        behindTail = request;
        if (run >= RUN_BYTES) {
            endRun();
        }
    }

    /// What was to go behind goes here.
    void endRun() {
        run = 0;
        if (behindHead != null) {
            append(behindHead, behindTail);
            behindHead = null;
        }
    }

    /// Whether nothing is in line; what is to go behind is not, until the run ends.
    public boolean isEmpty() {
        return head == null;
    }

    /// Whether requests wait for the kernel to let go of their pages.
    public boolean awaiting() {
        return awaitingHead != null;
    }

    /// Describes what is to be sent next in at most `max` entries of `vector` and about `maxBytes` bytes; the number of
    /// entries. [#gatheredBytes()] has how many bytes these are.
    public int gather(MemorySegment vector, int max, long maxBytes) {
        int entries = 0;
        long bytes = 0;
        int requests = 0;
        for (SendRequest request = head; request != null && entries < max && bytes < maxBytes; request = request.next) {
            requests++;
            request.begun = true;
            for (int i = request.range; i < request.count && entries < max && bytes < maxBytes; i++) {
                long done = i == request.range ? request.rangeDone : 0;
                long length = Math.min(request.lengths[i] - done, maxBytes - bytes);
                IoVec.set(vector, (long) entries * IoVec.SIZE,
                        request.segments[i].address() + request.offsets[i] + done, length);
                entries++;
                bytes += length;
            }
        }
        gatheredBytes = bytes;
        gatheredRequests = requests;
        return entries;
    }

    public long gatheredBytes() {
        return gatheredBytes;
    }

    /// What was gathered last is in the kernel's hands from now on, as the send `number`: no request of it ends before
    /// [#released], whatever happens. Sends of one socket are held one at a time.
    public void hold(long number) {
        SendRequest request = head;
        for (int i = 0; i < gatheredRequests; i++) {
            request.zeroCopySend = number;
            request = request.next;
        }
        held = true;
    }

    /// Whether what was held is still at the head: then [#taken] follows when the kernel is done.
    public boolean held() {
        return held;
    }

    /// The kernel has taken the first `bytes` bytes: by copy (`zeroCopySend` -1), or by the zero-copy send of that
    /// number. Tells the requests that are over.
    public void taken(long bytes, long zeroCopySend) {
        held = false;
        long left = bytes;
        while (head != null) {
            SendRequest request = head;
            if (left > 0 && zeroCopySend >= 0) {
                request.zeroCopySend = zeroCopySend;
            }
            left = request.advance(left);
            if (!request.whole()) {
                return;
            }
            head = request.next;
            request.next = null;
            if (request.zeroCopySend >= releasedEnd) {
                await(request);
            } else {
                tell(request, 0);
            }
        }
    }

    private void await(SendRequest request) {
        if (awaitingHead == null) {
            awaitingHead = request;
        } else {
            awaitingTail.next = request;
        }
        awaitingTail = request;
    }

    /// The kernel has let go of the pages of all zero-copy sends with numbers below `end`.
    public void released(long end) {
        releasedEnd = end;
        while (awaitingHead != null && awaitingHead.zeroCopySend < end) {
            SendRequest request = awaitingHead;
            awaitingHead = request.next;
            request.next = null;
            tell(request, request.outcome);
        }
    }

    /// Ends all requests that have bytes to send; one of which the kernel still holds pages waits for these, and ends in
    /// error, too. What is sent from within the calls is not ended.
    public void fail(int errno) {
        held = false;
        endRun();
        SendRequest request = head;
        head = null;
        while (request != null) {
            SendRequest following = request.next;
            request.next = null;
            if (request.zeroCopySend >= releasedEnd) {
                request.outcome = errno;
                await(request);
            } else {
                tell(request, errno);
            }
            request = following;
        }
    }

    /// Ends all requests whose pages the kernel has not let go of, which it never will.
    public void failAwaiting(int errno) {
        SendRequest request = awaitingHead;
        awaitingHead = null;
        while (request != null) {
            SendRequest following = request.next;
            request.next = null;
            tell(request, errno);
            request = following;
        }
    }

    private void tell(SendRequest request, int errno) {
        request.queued = false;
        try {
            request.sent(errno);
        } catch (Throwable t) {
            group.contain("send request of " + origin, t);
        }
    }
}
