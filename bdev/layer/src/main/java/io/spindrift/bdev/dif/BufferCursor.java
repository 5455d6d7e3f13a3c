package io.spindrift.bdev.dif;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Walks the bytes of an [IoVector] as if they were contiguous.
///
/// Running past the end is an `IndexOutOfBoundsException`: the caller's vector is shorter than its blocks. Owned by one
/// thread, reused; allocates nothing.
final class BufferCursor {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private IoVector vector;
    private int nextEntry;
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long remaining;

    /// Starts at the first byte of `vector`, which the caller keeps unchanged until the walk is over.
    void walk(IoVector vector) {
        this.vector = vector;
        nextEntry = 0;
        remaining = 0;
    }

    /// Starts where `other` is now; each then goes its own way.
    void from(BufferCursor other) {
        vector = other.vector;
        nextEntry = other.nextEntry;
        segment = other.segment;
        offset = other.offset;
        remaining = other.remaining;
    }

    /// Forgets the buffers, so that a pooled object keeps no segment reachable.
    void release() {
        vector = null;
        segment = MemorySegment.NULL;
        remaining = 0;
    }

    /// Adds the next `length` bytes to `guard`.
    void feed(GuardCrc guard, long length) {
        while (length > 0) {
            long portion = Math.min(length, available());
            guard.add(segment, offset, portion);
            take(portion);
            length -= portion;
        }
    }

    void skip(long length) {
        while (length > 0) {
            long portion = Math.min(length, available());
            take(portion);
            length -= portion;
        }
    }

    /// The next eight bytes, big-endian.
    long word() {
        if (available() >= Long.BYTES) {
            long word = segment.get(WORD, offset);
            take(Long.BYTES);
            return word;
        }
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            available();
            word = word << Byte.SIZE | (segment.get(ValueLayout.JAVA_BYTE, offset) & 0xFF);
            take(1);
        }
        return word;
    }

    /// Stores `word` into the next eight bytes, big-endian.
    void putWord(long word) {
        if (available() >= Long.BYTES) {
            segment.set(WORD, offset, word);
            take(Long.BYTES);
            return;
        }
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            available();
            segment.set(ValueLayout.JAVA_BYTE, offset, (byte) (word >>> shift));
            take(1);
        }
    }

    /// Bytes left in the current entry, at least one: moves to the next entry that has any.
    private long available() {
        while (remaining == 0) {
            if (vector == null || nextEntry == vector.count()) {
                throw new IndexOutOfBoundsException("the buffers are shorter than the blocks of the request");
            }
            segment = vector.segment(nextEntry);
            offset = vector.offset(nextEntry);
            remaining = vector.length(nextEntry);
            nextEntry++;
        }
        return remaining;
    }

    private void take(long length) {
        offset += length;
        remaining -= length;
    }
}
