package io.spindrift.nvme.pcie;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Memory of the transport's own for data that the device cannot reach where they are: pages, taken in rows.
///
/// On the queue's thread; allocates nothing.
final class BouncePages {
    private final MemorySegment memory;
    private final int count;
    private final BitSet used;

    /// Pages of all of `memory`.
    BouncePages(MemorySegment memory) {
        this.memory = memory;
        this.count = Math.toIntExact(memory.byteSize() / DataPointer.PAGE_BYTES);
        this.used = new BitSet(count);
    }

    MemorySegment memory() {
        return memory;
    }

    /// Where page `page` begins in the memory.
    static long at(int page) {
        return (long) page * DataPointer.PAGE_BYTES;
    }

    static int pagesOf(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + DataPointer.PAGE_BYTES - 1) / DataPointer.PAGE_BYTES);
    }

    /// Whether so many can ever be taken.
    boolean canHave(int pages) {
        return pages <= count;
    }

    /// The first of `pages` in a row, or -1 if there are none now.
    int take(int pages) {
        int first = used.nextClearBit(0);
        while (first + pages <= count) {
            int end = used.nextSetBit(first);
            if (end < 0 || end >= first + pages) {
                used.set(first, first + pages);
                return first;
            }
            first = used.nextClearBit(end);
        }
        return -1;
    }

    void free(int first, int pages) {
        used.clear(first, first + pages);
    }
}
