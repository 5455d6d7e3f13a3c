package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Dataset Management and its ranges, 16 bytes each (NVM command set 1.0, 3.2.3).
public final class DatasetManagement {
    /// Ranges of one command.
    public static final int MAX_RANGES = 256;

    /// Attribute: Deallocate.
    public static final int AD = 1 << 2;
    /// Attribute: Integral Dataset for Write.
    public static final int IDW = 1 << 1;
    /// Attribute: Integral Dataset for Read.
    public static final int IDR = 1;

    /// Bytes of a range.
    public static final int RANGE_SIZE = 16;
    /// Context Attributes.
    public static final int RANGE_CATTR = 0;
    /// Length in logical blocks, not 0's based.
    public static final int RANGE_NLB = 4;
    /// Starting LBA.
    public static final int RANGE_SLBA = 8;

    private DatasetManagement() {}

    /// `ranges` is not 0's based, 1 to 256.
    public static void set(MemorySegment sqe, long at, int ranges, int attributes) {
        SubmissionQueueEntry.cdw10(sqe, at, ranges - 1 & 0xff);
        SubmissionQueueEntry.cdw11(sqe, at, attributes);
    }

    /// Number of Ranges, 1 to 256: NR + 1.
    public static int ranges(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & 0xff) + 1;
    }

    /// The attribute bits of this class.
    public static int attributes(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) & 7;
    }

    /// Writes a range without context attributes.
    public static void range(MemorySegment ranges, long at, long slba, long blocks) {
        LittleEndian.u32(ranges, at + RANGE_CATTR, 0);
        LittleEndian.u32(ranges, at + RANGE_NLB, blocks);
        LittleEndian.u64(ranges, at + RANGE_SLBA, slba);
    }

    public static int rangeAttributes(MemorySegment ranges, long at) {
        return LittleEndian.dword(ranges, at + RANGE_CATTR);
    }

    /// Logical blocks of a range, 0 to 2^32 - 1.
    public static long rangeBlocks(MemorySegment ranges, long at) {
        return LittleEndian.u32(ranges, at + RANGE_NLB);
    }

    public static long rangeSlba(MemorySegment ranges, long at) {
        return LittleEndian.u64(ranges, at + RANGE_SLBA);
    }
}
