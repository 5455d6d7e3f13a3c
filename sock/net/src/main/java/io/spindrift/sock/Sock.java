package io.spindrift.sock;

import io.spindrift.framework.Errno;
import io.spindrift.sock.internal.ffi.SocketCalls;
import java.lang.foreign.MemorySegment;

/// A connection in a [SockGroup]: bytes come by its [Receiver] and go by [SendRequest]s.
///
/// Everything on the group's thread. Nothing allocates, blocks or throws for what a peer does. Calls only take note of
/// what is wanted; the group's poll does it, so that any may be made from within any callback.
///
/// The `protected` methods are for implementations: what has happened is told by the final ones, what is to be done is
/// asked by the abstract ones.
public abstract class Sock {
    private final SockGroup group;
    private final DetachedSock origin;
    private final Receiver receiver;
    private final SendQueue sends;
    private final int descriptor;
    private KeptBytes kept;
    private boolean paused;
    private boolean offering;
    private boolean resumeAsked;
    private boolean resumeQueued;
    private boolean flushQueued;
    private boolean endReported;
    private boolean closing;
    private boolean released;
    private int pendingEnd = -1;
    private int broken;
    /// Its place among the group's sockets.
    int index = -1;

    /// Takes the descriptor of `origin` over.
    protected Sock(SockGroup group, DetachedSock origin, Receiver receiver) {
        this.group = group;
        this.origin = origin;
        this.receiver = receiver;
        this.sends = new SendQueue(group, origin);
        this.descriptor = origin.take();
    }

    // ---- for users --------------------------------------------------------------------------------------------

    public final SockAddress localAddress() {
        return origin.localAddress();
    }

    public final SockAddress peerAddress() {
        return origin.peerAddress();
    }

    public final SockGroup group() {
        return group;
    }

    /// Whether [#close()] has not been called.
    public final boolean open() {
        return !closing;
    }

    /// Queues `request`; in the group's next flush, at the start or the end of a poll, it goes out with all others that are
    /// queued by then. Its end is told by [SendRequest#sent(int)], later.
    public final void send(SendRequest request) {
        assert group.thread().isCurrent();
        sends.add(request);
        queued();
    }

    /// [#send], but the request goes behind those that go out in the same flush, as far as these are not more than about
    /// 64 KiB: a peer that takes bulk data in long runs need not look at what is between them. Requests that are sent so
    /// keep their order among themselves.
    public final void sendBehind(SendRequest request) {
        assert group.thread().isCurrent();
        sends.addBehind(request);
        queued();
    }

    private void queued() {
        if (!closing) {
            queueFlush();
        } else if (released) {
            group.end(this);
        }
    }

    /// Ends this half of the connection, in order: the peer reads the end after what was sent. For when nothing is queued and
    /// nothing is sent any more; receiving goes on.
    public final void endSending() {
        assert group.thread().isCurrent();
        if (!closing) {
            SocketCalls.shutdown(descriptor, SocketCalls.SHUT_WR); // if it fails, the connection has, which is told
        }
    }

    /// Goes on after a [Receiver] has not consumed all: the rest is offered again in the group's next poll, then
    /// receiving goes on. Does nothing if receiving is not paused.
    public final void resumeReceiving() {
        assert group.thread().isCurrent();
        if (offering) {
            resumeAsked = true;
        } else if (paused && !resumeQueued && !closing) {
            resumeQueued = true;
            group.queueResume(this);
        }
    }

    /// Whether a [Receiver] has not consumed all, and receiving waits for [#resumeReceiving()].
    public final boolean receivingPaused() {
        return paused;
    }

    /// Ends the connection: no [Receiver] method is called any more; queued requests end with ECANCELED in the group's
    /// next poll, where the descriptor is closed, too. What the kernel has taken is delivered. Does nothing the second
    /// time.
    public final void close() {
        assert group.thread().isCurrent();
        if (!closing) {
            closing = true;
            group.end(this);
        }
    }

    // ---- for implementations: what has happened ---------------------------------------------------------------

    protected final int descriptor() {
        return descriptor;
    }

    /// Whether its options want it to send without copies: on loopback, where the kernel copies all the same, only if it is
    /// forced to.
    protected final boolean wantsZeroCopy() {
        SockImplOptions options = group.options();
        boolean enabled = origin.accepted() ? options.enableZerocopySendServer() : options.enableZerocopySendClient();
        return enabled && (!origin.loopback() || origin.options().forceZeroCopy());
    }

    protected final SendQueue sends() {
        return sends;
    }

    /// Whether nothing that arrives is wanted any more.
    protected final boolean deaf() {
        return closing || endReported;
    }

    /// Has [#flush()] called in the group's next flush.
    protected final void queueFlush() {
        if (!flushQueued && !closing) {
            flushQueued = true;
            group.queueFlush(this);
        }
    }

    /// Bytes have arrived. They are consumed or kept when this returns.
    protected final void deliver(MemorySegment buffer, long offset, long length) {
        if (deaf()) {
            return;
        }
        if (paused) {
            keep(buffer, offset, length);
            return;
        }
        long consumed = offer(buffer, offset, length);
        if (consumed < length && !deaf()) {
            paused = true;
            pauseReceiving();
            keep(buffer, offset + consumed, length - consumed);
            if (resumeAsked) {
                resumeReceiving();
            }
        }
    }

    private long offer(MemorySegment buffer, long offset, long length) {
        resumeAsked = false;
        offering = true;
        try {
            long consumed = receiver.received(buffer, offset, length);
            if (consumed >= 0 && consumed <= length) {
                return consumed;
            }
            throw new IllegalStateException("consumed=" + consumed + " is outside 0.." + length);
        } catch (Throwable t) {
            group.contain("receiver of " + origin, t);
            fail(Errno.EIO);
            return length;
        } finally {
            offering = false;
        }
    }

    private void keep(MemorySegment buffer, long offset, long length) {
        if (kept == null) {
            kept = new KeptBytes(group.blocks());
        }
        if (!kept.append(buffer, offset, length)) {
            kept.clear();
            fail(Errno.ENOMEM);
        }
    }

    /// The peer has ended its half (0) or the connection has failed.
    protected final void ended(int errno) {
        if (paused && pendingEnd < 0) {
            pendingEnd = errno;
        } else if (!paused) {
            reportEnd(errno);
        }
    }

    private void reportEnd(int errno) {
        if (deaf()) {
            return;
        }
        endReported = true;
        try {
            receiver.closed(errno);
        } catch (Throwable t) {
            group.contain("receiver of " + origin, t);
        }
    }

    /// Sending has failed: what is queued, and what comes, ends with `errno`.
    protected final void sendFailed(int errno) {
        broken = errno;
        sends.fail(errno);
    }

    /// Ends both halves because of what happened here, not at the peer.
    private void fail(int errno) {
        broken = errno;
        queueFlush();
        reportEnd(errno);
    }

    // ---- for implementations: what is to be done --------------------------------------------------------------

    /// Hands queued requests to the kernel, once a poll if there are any. Returns how much work it was.
    protected abstract int flush();

    /// Receives nothing from now on.
    protected abstract void pauseReceiving();

    /// Receives again.
    protected abstract void continueReceiving();

    /// The socket has left the group; its queue is empty but for requests that await the end of a zero-copy send. Frees
    /// all it has, then or as soon as the kernel lets go, and the descriptor by [#closeDescriptor()].
    protected abstract void release();

    protected final void closeDescriptor() {
        SocketCalls.close(descriptor);
    }

    // ---- for the group ----------------------------------------------------------------------------------------

    int flushNow() {
        flushQueued = false;
        if (closing) {
            return 0;
        }
        if (broken != 0) {
            sends.fail(broken);
            return 1;
        }
        sends.endRun();
        return flush();
    }

    /// Offers what was kept; receives again once all of it is consumed.
    int resumeNow() {
        resumeQueued = false;
        int work = 1;
        while (kept != null && !kept.isEmpty()) {
            if (deaf()) {
                return work;
            }
            KeptBytes.Block block = kept.first();
            int length = block.end - block.start;
            long consumed = offer(block.memory, block.start, length);
            kept.consume(consumed);
            work++;
            if (consumed < length) {
                if (resumeAsked) {
                    resumeReceiving();
                }
                return work;
            }
        }
        goOn();
        return work;
    }

    private void goOn() {
        paused = false;
        if (pendingEnd >= 0) {
            reportEnd(pendingEnd);
        } else if (!deaf()) {
            continueReceiving();
        }
    }

    /// Leaves the group, or ends what was sent after it had.
    void endNow() {
        sends.fail(Errno.ECANCELED);
        if (!released) {
            released = true;
            if (kept != null) {
                kept.clear();
            }
            group.removed(this);
            release();
        }
    }

    @Override
    public String toString() {
        return origin.toString();
    }
}
