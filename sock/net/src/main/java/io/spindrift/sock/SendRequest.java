package io.spindrift.sock;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Bytes to send, in up to a fixed number of ranges of memory, and what happens when the kernel has them.
///
/// Made once and used again and again: [#clear()], [#add] for each range, [Sock#send], and after [#sent(int)] from the
/// start. Sending allocates nothing. From `send` to `sent` the bytes stay as they are and the memory mapped.
public abstract class SendRequest {
    final MemorySegment[] segments;
    final long[] offsets;
    final long[] lengths;
    int count;
    /// Of all ranges.
    long bytes;
    /// The first range that is not sent whole, and how much of it is.
    int range;
    long rangeDone;
    /// The number of the last zero-copy send that took some of its bytes, or -1.
    long zeroCopySend = -1;
    /// How it ends once the kernel has let go of its pages.
    int outcome;
    boolean queued;
    /// The kernel has been given some of it.
    boolean begun;
    SendRequest next;

    /// With room for `maxRanges`, at least 1.
    protected SendRequest(int maxRanges) {
        segments = new MemorySegment[maxRanges];
        offsets = new long[maxRanges];
        lengths = new long[maxRanges];
    }

    /// The kernel has taken all bytes (0), and if without a copy has let go of their pages; or it never will (a positive
    /// errno; ECANCELED after [Sock#close()]). Once for each [Sock#send], on the group's thread, never inside of `send`
    /// or `close`. The request may be sent again at once.
    protected abstract void sent(int errno);

    /// Forgets the ranges. [IllegalStateException] while the request is queued.
    public final void clear() {
        checkIdle();
        for (int i = 0; i < count; i++) {
            segments[i] = null;
        }
        count = 0;
        bytes = 0;
    }

    /// Adds the bytes `[offset, offset + length)` of the native memory `segment`; a length of 0 adds nothing.
    ///
    /// @throws IndexOutOfBoundsException if they are not inside of it
    /// @throws IllegalStateException if there is no room for another range, or the request is queued
    public final void add(MemorySegment segment, long offset, long length) {
        checkIdle();
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (length == 0) {
            return;
        }
        if (!segment.isNative()) {
            throw new IllegalArgumentException("segment=" + segment + " is not native memory");
        }
        if (count == segments.length) {
            throw new IllegalStateException("ranges=" + (count + 1) + " is more than the request's " + count);
        }
        segments[count] = segment;
        offsets[count] = offset;
        lengths[count] = length;
        bytes += length;
        count++;
    }

    /// Whether it is between [Sock#send] and [#sent(int)].
    public final boolean queued() {
        return queued;
    }

    /// Whether the peer may have seen some of it: the kernel has been given bytes of it since [Sock#send].
    public final boolean begun() {
        return begun;
    }

    private void checkIdle() {
        if (queued) {
            throw new IllegalStateException("the request is being sent");
        }
    }

    /// Begins to be sent.
    void enqueue() {
        checkIdle();
        queued = true;
        begun = false;
        range = 0;
        rangeDone = 0;
        zeroCopySend = -1;
        outcome = 0;
        next = null;
    }

    /// Takes note that up to `bytes` more were sent; returns how many of those were not its own.
    long advance(long bytes) {
        long left = bytes;
        while (range < count) {
            long rest = lengths[range] - rangeDone;
            if (left < rest) {
                rangeDone += left;
                return 0;
            }
            left -= rest;
            range++;
            rangeDone = 0;
        }
        return left;
    }

    boolean whole() {
        return range == count;
    }
}
