package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Copy (NVM command set 1.0, 3.2.2). Its sources are [CopyDescriptor]s.
///
/// ```
///   CDW10-11  SDLBA
///   CDW12     LR 31 | FUA 30 | PRINFOW 29:26 | STCW 24 | DTYPE 23:20 | PRINFOR 15:12 | DESFMT 11:8 | NR 7:0
///   CDW13     DSPEC 31:16
///   CDW14     ILBRT
///   CDW15     LBATM 31:16 | LBAT 15:0
/// ```
public final class CopyCommand {
    private static final int SDLBA = SubmissionQueueEntry.CDW10;

    private CopyCommand() {}

    /// `ranges` is not 0's based, 1 to 256; `format` is 0 or 1.
    public static void set(MemorySegment sqe, long at, long sdlba, int ranges, int format) {
        LittleEndian.u64(sqe, at + SDLBA, sdlba);
        SubmissionQueueEntry.cdw12(sqe, at, ranges - 1 & 0xff | (format & 0xf) << 8);
    }

    /// Starting Destination LBA.
    public static long sdlba(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + SDLBA);
    }

    /// Number of Ranges, 1 to 256: NR + 1.
    public static int ranges(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw12(sqe, at) & 0xff) + 1;
    }

    /// Descriptor Format.
    public static int desfmt(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at) >>> 8 & 0xf;
    }

    /// Protection Information Field Read: PRACT in bit 3, PRCHK in bits 2:0.
    public static int prinfor(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at) >>> 12 & 0xf;
    }

    /// Protection Information Field Write: PRACT in bit 3, PRCHK in bits 2:0.
    public static int prinfow(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at) >>> 26 & 0xf;
    }

    /// Dword 12, for FUA and LR, which are where [LbaCommand] has them.
    public static int flags(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw12(sqe, at);
    }
}
