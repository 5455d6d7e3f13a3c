package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;

/// The common completion queue entry, 16 bytes (base specification 2.0, 3.3.3.2).
///
/// A status here is the status field as in [Status], that is, without the phase tag, which is bit 0 of the word on the
/// wire and reserved on Fabrics.
public final class CompletionQueueEntry {
    public static final int SIZE = 16;

    /// Command specific.
    public static final int DW0 = 0;
    public static final int DW1 = 4;
    /// Submission Queue Head Pointer.
    public static final int SQHD = 8;
    /// Submission Queue Identifier; reserved on Fabrics.
    public static final int SQID = 10;
    public static final int CID = 12;
    /// Phase Tag in bit 0, status field in bits 15:1.
    public static final int STATUS = 14;

    private CompletionQueueEntry() {}

    /// Writes a whole entry with phase tag 0.
    public static void write(MemorySegment cqe, long at, int dw0, int dw1, int sqhd, int sqid, int cid, int status) {
        LittleEndian.dword(cqe, at + DW0, dw0);
        LittleEndian.dword(cqe, at + DW1, dw1);
        LittleEndian.u16(cqe, at + SQHD, sqhd);
        LittleEndian.u16(cqe, at + SQID, sqid);
        LittleEndian.u16(cqe, at + CID, cid);
        LittleEndian.u16(cqe, at + STATUS, status << 1);
    }

    public static int dw0(MemorySegment cqe, long at) {
        return LittleEndian.dword(cqe, at + DW0);
    }

    public static int dw1(MemorySegment cqe, long at) {
        return LittleEndian.dword(cqe, at + DW1);
    }

    /// Dwords 0 and 1 as one number, as Property Get returns it.
    public static long result(MemorySegment cqe, long at) {
        return LittleEndian.u64(cqe, at + DW0);
    }

    public static int sqhd(MemorySegment cqe, long at) {
        return LittleEndian.u16(cqe, at + SQHD);
    }

    public static int sqid(MemorySegment cqe, long at) {
        return LittleEndian.u16(cqe, at + SQID);
    }

    public static int cid(MemorySegment cqe, long at) {
        return LittleEndian.u16(cqe, at + CID);
    }

    /// Phase Tag, 0 or 1.
    public static int phase(MemorySegment cqe, long at) {
        return LittleEndian.u16(cqe, at + STATUS) & 1;
    }

    /// The status field, 0 for success.
    public static int status(MemorySegment cqe, long at) {
        return LittleEndian.u16(cqe, at + STATUS) >>> 1;
    }
}
