package io.spindrift.bdev.malloc;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Equal items (blocks, or their metadata) in one region of memory that the system backs as it is written.
///
/// It remembers which chunks were ever written, so that zeroing or reading a device that is empty neither costs time nor
/// makes it occupy its whole size: the system backs large pages that are only read, too. (What is lent counts as written;
/// and a copy of items of which some were.) Shared by the channels of all threads without locks; a range that is written
/// and zeroed at the same time holds either, or a mixture.
final class LazyMemory {
    /// A power of two: what the system backs at once at best, a large page.
    private static final int CHUNK_SHIFT = 21;
    /// What looking at a chunk that was never written counts as when zeroing, in bytes.
    private static final long SKIP_COST = 256;

    /// Read instead of chunks that were never written.
    private static final MemorySegment ZEROS = Arena.global().allocate(64 << 10, 4096).asReadOnly();

    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

    private final Memory memory;
    private final MemoryRegion region;
    private final MemorySegment segment;
    private final long itemSize;
    private final long byteLength;
    /// A bit for each chunk, set before its first byte is written and never cleared.
    private final long[] touched;

    /// Zeros, `count` items of `itemSize` bytes; [io.spindrift.framework.ErrnoException] if there is no memory.
    LazyMemory(Memory memory, String owner, long count, long itemSize) {
        this.memory = memory;
        this.itemSize = itemSize;
        this.byteLength = count * itemSize;
        this.region = memory.allocate(owner, byteLength);
        this.segment = region.segment();
        this.touched = new long[(int) ((byteLength >>> CHUNK_SHIFT + 6) + 1)];
    }

    /// Gives the memory back; no I/O uses it any more. Control threads only.
    void free() {
        memory.free(region);
    }

    /// Copies `count` items from `item` into `vector` at its byte `toByte`.
    void read(long item, long count, IoVector vector, long toByte) {
        long from = item * itemSize;
        long end = from + count * itemSize;
        for (long at = from; at < end;) {
            boolean written = isTouched(at >>> CHUNK_SHIFT);
            long next = pieceEnd(at, end, written);
            vector.copyFrom(written ? segment : ZEROS, written ? at : 0, toByte + at - from, next - at);
            at = next;
        }
    }

    /// Where the piece ends that begins at `at` and is within one chunk and, if that was never written, no longer than
    /// [#ZEROS].
    private static long pieceEnd(long at, long end, boolean written) {
        long chunkEnd = (at >>> CHUNK_SHIFT) + 1 << CHUNK_SHIFT;
        return Math.min(Math.min(end, chunkEnd), written ? end : at + ZEROS.byteSize());
    }

    /// Copies `count` items from `vector` at its byte `fromByte` to `item`.
    void write(long item, long count, IoVector vector, long fromByte) {
        touch(item, count);
        vector.copyTo(segment, item * itemSize, fromByte, count * itemSize);
    }

    /// Copies `count` items from `source` to `target`, which may overlap.
    void copy(long source, long target, long count) {
        boolean zeros = untouched(source, count);
        touch(target, count);
        if (zeros) {
            long end = (target + count) * itemSize;
            for (long at = target * itemSize; at < end; at += ZEROS.byteSize()) {
                MemorySegment.copy(ZEROS, 0, segment, at, Math.min(end - at, ZEROS.byteSize()));
            }
            return;
        }
        MemorySegment.copy(segment, source * itemSize, segment, target * itemSize, count * itemSize);
    }

    /// Whether `count` items from `item` are what `vector` holds from its byte `fromByte`.
    boolean matches(long item, long count, IoVector vector, long fromByte) {
        long from = item * itemSize;
        long end = from + count * itemSize;
        for (long at = from; at < end;) {
            boolean written = isTouched(at >>> CHUNK_SHIFT);
            long next = pieceEnd(at, end, written);
            if (vector.mismatch(written ? segment : ZEROS, written ? at : 0, fromByte + at - from, next - at) >= 0) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /// Appends `count` items from `item` to `vector`: the memory itself, which may then be written.
    void lend(long item, long count, IoVector vector) {
        touch(item, count);
        vector.add(region, item * itemSize, count * itemSize);
    }

    /// Zeroes bytes from `from` up to `end`, offsets in the whole memory, but at most `budget` bytes of what was ever
    /// written, and returns where to go on: `end` if all is done. Passing over the rest costs a little of the budget.
    /// `scratch` is overwritten.
    long zero(long from, long end, long budget, IoVector scratch) {
        long left = budget;
        long at = from;
        while (at < end && left > 0) {
            long chunk = at >>> CHUNK_SHIFT;
            long next = Math.min(end, chunk + 1 << CHUNK_SHIFT);
            if (isTouched(chunk)) {
                next = Math.min(next - at, left) + at;
                scratch.set(region, at, next - at);
                scratch.fill((byte) 0);
                left -= next - at;
            } else {
                left -= SKIP_COST;
            }
            at = next;
        }
        return at;
    }

    /// Size of `count` items, in bytes.
    long bytes(long count) {
        return count * itemSize;
    }

    private boolean untouched(long item, long count) {
        long last = (item + count) * itemSize - 1 >>> CHUNK_SHIFT;
        for (long chunk = item * itemSize >>> CHUNK_SHIFT; chunk <= last; chunk++) {
            if (isTouched(chunk)) {
                return false;
            }
        }
        return true;
    }

    /// Pairs with the write of [#touch]: whoever learns of a completed write, even through a host, sees its bits.
    private boolean isTouched(long chunk) {
        return ((long) WORDS.getAcquire(touched, (int) (chunk >>> 6)) & 1L << chunk) != 0;
    }

    private void touch(long item, long count) {
        long first = item * itemSize >>> CHUNK_SHIFT;
        long last = item * itemSize + count * itemSize - 1 >>> CHUNK_SHIFT;
        for (long chunk = first; chunk <= last; chunk++) {
            if (!isTouched(chunk)) {
                // Other threads set other bits of this word.
                long _ = (long) WORDS.getAndBitwiseOr(touched, (int) (chunk >>> 6), 1L << chunk);
            }
        }
    }
}
