package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of commands for a range of logical blocks: Read, Write, Compare, Verify, Write Zeroes and Write
/// Uncorrectable (NVM command set 1.0, 3.2.1 and 3.2.4 to 3.2.8).
///
/// ```
///   CDW10-11  SLBA
///   CDW12     LR 31 | FUA 30 | PRACT 29 | PRCHK 28:26 | DEAC 25 | STC 24 | DTYPE 23:20 | NLB 15:0
///   CDW13     DSPEC 31:16 | DSM 7:0
///   CDW14     ILBRT or EILBRT
///   CDW15     LBATM 31:16 | LBAT 15:0
/// ```
public final class LbaCommand {
    private static final int SLBA = SubmissionQueueEntry.CDW10;

    /// Limited Retry.
    public static final int LR = 1 << 31;
    /// Force Unit Access.
    public static final int FUA = 1 << 30;
    /// Protection Information Action: the controller inserts or strips it.
    public static final int PRACT = 1 << 29;
    /// Protection Information Check: the guard.
    public static final int PRCHK_GUARD = 1 << 28;
    /// Protection Information Check: the application tag.
    public static final int PRCHK_APPLICATION_TAG = 1 << 27;
    /// Protection Information Check: the reference tag.
    public static final int PRCHK_REFERENCE_TAG = 1 << 26;
    /// Deallocate, of Write Zeroes.
    public static final int DEAC = 1 << 25;
    /// Storage Tag Check.
    public static final int STC = 1 << 24;

    private LbaCommand() {}

    /// Sets the range, and the bits of dword 12 that are named in this class. `blocks` is not 0's based, 1 to 65,536.
    public static void set(MemorySegment sqe, long at, long slba, int blocks, int flags) {
        LittleEndian.u64(sqe, at + SLBA, slba);
        SubmissionQueueEntry.cdw12(sqe, at, blocks - 1 & 0xffff | flags);
    }

    /// Sets the tags that protection information is made or checked with.
    public static void tags(MemorySegment sqe, long at, int lbrt, int lbat, int lbatm) {
        SubmissionQueueEntry.cdw14(sqe, at, lbrt);
        SubmissionQueueEntry.cdw15(sqe, at, lbat & 0xffff | lbatm << 16);
    }

    /// Starting LBA, unsigned.
    public static long slba(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + SLBA);
    }

    /// Number of Logical Blocks, 1 to 65,536: NLB + 1.
    public static int blocks(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw12(sqe, at) & 0xffff) + 1;
    }

    /// Dword 12, for the bits that are named in this class.
    public static int flags(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at);
    }

    /// Protection Information Field: PRACT in bit 3, PRCHK in bits 2:0.
    public static int prinfo(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at) >>> 26 & 0xf;
    }

    /// Directive Type.
    public static int dtype(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at) >>> 20 & 0xf;
    }

    /// Dataset Management hints of Read and Write.
    public static int dsm(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw13(sqe, at) & 0xff;
    }

    /// Directive Specific.
    public static int dspec(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw13(sqe, at) >>> 16;
    }

    /// Initial or Expected Logical Block Reference Tag.
    public static int lbrt(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw14(sqe, at);
    }

    /// Logical Block Application Tag.
    public static int lbat(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw15(sqe, at) & 0xffff;
    }

    /// Logical Block Application Tag Mask.
    public static int lbatm(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw15(sqe, at) >>> 16;
    }
}
