package io.spindrift.framework.memory;

import java.util.List;

/// All regions in order of address. One writer at a time ([Memory]'s lock); any thread looks up without waiting.
final class RegionTable {
    /// Replaced, never changed.
    private volatile MemoryRegion[] sorted = new MemoryRegion[0];

    /// The region that contains all of `[address, address + length)`, or null. Allocates nothing.
    MemoryRegion containing(long address, long length) {
        MemoryRegion[] regions = sorted;
        int at = lastStartingAtOrBefore(regions, address);
        if (at < 0) {
            return null;
        }
        MemoryRegion region = regions[at];
        long offset = address - region.address();
        return offset < region.byteLength() && length >= 0 && length <= region.byteLength() - offset ? region : null;
    }

    /// A region that shares a byte with `[address, address + length)`, or null.
    MemoryRegion overlapping(long address, long length) {
        MemoryRegion[] regions = sorted;
        int at = lastStartingAtOrBefore(regions, address + length - 1);
        return at >= 0 && regions[at].end() > address ? regions[at] : null;
    }

    void add(MemoryRegion region) {
        MemoryRegion[] old = sorted;
        int at = lastStartingAtOrBefore(old, region.address()) + 1;
        MemoryRegion[] next = new MemoryRegion[old.length + 1];
        System.arraycopy(old, 0, next, 0, at);
        next[at] = region;
        System.arraycopy(old, at, next, at + 1, old.length - at);
        sorted = next;
    }

    void remove(MemoryRegion region) {
        MemoryRegion[] old = sorted;
        int at = lastStartingAtOrBefore(old, region.address());
        MemoryRegion[] next = new MemoryRegion[old.length - 1];
        System.arraycopy(old, 0, next, 0, at);
        System.arraycopy(old, at + 1, next, at, next.length - at);
        sorted = next;
    }

    boolean contains(MemoryRegion region) {
        MemoryRegion[] regions = sorted;
        int at = lastStartingAtOrBefore(regions, region.address());
        return at >= 0 && regions[at] == region;
    }

    List<MemoryRegion> all() {
        return List.of(sorted);
    }

    private static int lastStartingAtOrBefore(MemoryRegion[] regions, long address) {
        int low = 0;
        int high = regions.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (regions[middle].address() <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
