package io.spindrift.nvme.pcie;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where in the address space of devices (IOVA) each region of memory lies.
///
/// At its own virtual address if the IOMMU reaches so far, since then an address in a trace or a log means the same on
/// both sides; else at the lowest place that is free. An IOMMU of 39 bits is common, virtual addresses have 47. Any
/// thread.
final class IovaAllocator {
    /// An inclusive range of IOVAs that the IOMMU translates.
    record Range(long start, long last) {
        Range {
            if (start < 0 || last < start) {
                throw new IllegalArgumentException("IOVA range " + Long.toHexString(start) + "-"
                        + Long.toHexString(last));
            }
        }

        boolean contains(long iova, long byteLength) {
            return iova >= start && byteLength - 1 <= last - iova;
        }
    }

    /// The large page of an IOMMU, which places below are congruent to, so that it can be used.
    private static final long LARGE_PAGE = 1L << 21;
    /// IOVAs below are given to none: an address of 0, or a small one, is a mistake.
    private static final long LOWEST = 1L << 20;

    private final TreeMap<Long, Long> taken = new TreeMap<>();
    private List<Range> ranges = List.of();

    /// Sets which IOVAs there are; places given before stay.
    synchronized void ranges(List<Range> usable) {
        ranges = List.copyOf(usable);
    }

    /// Takes a place for `byteLength` bytes of this process from `address`: whole pages of 4096.
    ///
    /// @throws ErrnoException ENOSPC if none is left
    synchronized long take(long address, long byteLength) {
        if (isUsable(address, byteLength) && isFree(address, byteLength)) {
            taken.put(address, byteLength);
            return address;
        }
        return takeFirst(address, byteLength);
    }

    /// Takes a place for `byteLength` bytes that are not this process's, at a large page.
    synchronized long reserve(long byteLength) {
        return takeFirst(0, byteLength);
    }

    private long takeFirst(long address, long byteLength) {
        for (Range range : ranges) {
            long iova = firstFree(range, address, byteLength);
            if (iova >= 0) {
                taken.put(iova, byteLength);
                return iova;
            }
        }
        throw new ErrnoException(Errno.ENOSPC, "no IOVA is left for " + byteLength + " bytes: the IOMMU translates "
                + ranges);
    }

    /// Gives a place back.
    synchronized void free(long iova) {
        taken.remove(iova);
    }

    /// Gives all places back.
    synchronized void clear() {
        taken.clear();
    }

    /// The places given, by IOVA, with their lengths.
    synchronized Map<Long, Long> taken() {
        return Map.copyOf(taken);
    }

    private boolean isUsable(long iova, long byteLength) {
        for (Range range : ranges) {
            if (range.contains(iova, byteLength)) {
                return true;
            }
        }
        return false;
    }

    private boolean isFree(long iova, long byteLength) {
        Map.Entry<Long, Long> before = taken.lowerEntry(iova + byteLength);
        return before == null || before.getKey() + before.getValue() <= iova;
    }

    private long firstFree(Range range, long address, long byteLength) {
        long iova = congruent(Math.max(range.start(), LOWEST), address);
        while (range.contains(iova, byteLength)) {
            Map.Entry<Long, Long> before = taken.lowerEntry(iova + byteLength);
            if (before == null || before.getKey() + before.getValue() <= iova) {
                return iova;
            }
            iova = congruent(before.getKey() + before.getValue(), address);
        }
        return -1;
    }

    /// The first IOVA from `from` on that lies in its large page as `address` does.
    private static long congruent(long from, long address) {
        return from + (address - from & LARGE_PAGE - 1);
    }

    /// The ranges as the kernel says them, unsigned, cut to what a positive `long` holds.
    static List<Range> ofUnsigned(long[] starts, long[] lasts) {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i < starts.length; i++) {
            if (starts[i] >= 0 && Long.compareUnsigned(starts[i], lasts[i]) <= 0) {
                ranges.add(new Range(starts[i], lasts[i] < 0 ? Long.MAX_VALUE - 1 : lasts[i]));
            }
        }
        return ranges;
    }
}
