package io.spindrift.nvme.pcie;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Pages of some memory, taken in rows and given back.
///
/// One thread at a time; allocates nothing.
final class PageRows {
    private final MemorySegment memory;
    private final int count;
    private final BitSet used;

    /// Pages of all of `memory`.
    PageRows(MemorySegment memory) {
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
