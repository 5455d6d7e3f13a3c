package io.spindrift.bdev.malloc;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Which blocks of a protected device hold data: a bit for each, in memory that is itself backed as it is used.
///
/// A block that was never written, or was deallocated, has no guard that fits, so it is not read from memory at all.
/// Any thread; allocates nothing once made.
final class WrittenBlocks {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final Memory memory;
    private final MemoryRegion region;
    private final MemorySegment words;

    /// No block of `count` is written.
    WrittenBlocks(Memory memory, String owner, long count) {
        this.memory = memory;
        this.region = memory.allocate(owner, Math.ceilDiv(count, Long.SIZE) * Long.BYTES);
        this.words = region.segment();
    }

    void free() {
        memory.free(region);
    }

    /// The blocks have been stored.
    void set(long first, long count) {
        for (long at = first, end = first + count; at < end; at = (at | 63) + 1) {
            long bits = bits(at, end);
            long offset = offset(at);
            if (((long) WORD.getAcquire(words, offset) & bits) != bits) {
                // Release: who sees the bit (acquire in word) sees the block.
                long _ = (long) WORD.getAndBitwiseOrRelease(words, offset, bits);
            }
        }
    }

    /// The blocks hold nothing any more.
    void clear(long first, long count) {
        for (long at = first, end = first + count; at < end; at = (at | 63) + 1) {
            long bits = bits(at, end);
            long offset = offset(at);
            if (((long) WORD.getAcquire(words, offset) & bits) != 0) {
                // Release, as in set: pairs with the acquire in word.
                long _ = (long) WORD.getAndBitwiseAndRelease(words, offset, ~bits);
            }
        }
    }

    /// How many blocks from `first`, at most `max` (at least 1), are like it: positive if they are written, negative if
    /// they are not.
    long runLength(long first, long max) {
        long end = first + max;
        boolean written = (word(first) >>> first & 1) != 0;
        for (long at = first; at < end; at = (at | 63) + 1) {
            long different = (written ? ~word(at) : word(at)) & bits(at, end);
            if (different != 0) {
                end = (at & ~63L) + Long.numberOfTrailingZeros(different);
            }
        }
        return written ? end - first : first - end;
    }

    private long word(long block) {
        // Acquire: pairs with the release in set.
        return (long) WORD.getAcquire(words, offset(block));
    }

    private static long offset(long block) {
        return block >>> 6 << 3;
    }

    /// The bits of the word of block `at`, from its own on, that are of blocks before `end`.
    private static long bits(long at, long end) {
        long bits = -1L << at;
        return (at | 63) < end ? bits : bits & -1L >>> -end;
    }
}
