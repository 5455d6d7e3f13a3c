package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Get Log Page (base specification 2.0, 5.16).
public final class GetLogPageCommand {
    /// Log Page Offset Lower and Upper, 8 bytes.
    private static final int LPO = SubmissionQueueEntry.CDW12;
    private static final int RAE = 1 << 15;
    private static final int OT = 1 << 23;

    private GetLogPageCommand() {}

    /// Asks for `bytes` of a log page, a multiple of 4 from 4 on, from the byte `offset` on. `retain` leaves the
    /// asynchronous event of the page uncleared.
    public static void set(MemorySegment sqe, long at, int lid, int lsp, long offset, long bytes, boolean retain) {
        long numd = bytes / 4 - 1;
        SubmissionQueueEntry.cdw10(sqe, at, lid & 0xff | (lsp & 0x7f) << 8 | (retain ? RAE : 0) | (int) numd << 16);
        SubmissionQueueEntry.cdw11(sqe, at, (int) (numd >>> 16) & 0xffff);
        LittleEndian.u64(sqe, at + LPO, offset);
    }

    /// Log Page Identifier, see `log.Lid`.
    public static int lid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xff;
    }

    /// Log Specific Parameter.
    public static int lsp(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 8 & 0x7f;
    }

    /// Retain Asynchronous Event.
    public static boolean rae(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & RAE) != 0;
    }

    /// Bytes asked for: (NUMD + 1) dwords, up to 2^34.
    public static long bytes(MemorySegment sqe, long at) {
        long numd = SubmissionQueueEntry.cdw10(sqe, at) >>> 16
                | (SubmissionQueueEntry.cdw11(sqe, at) & 0xffffL) << 16;
        return (numd + 1) * 4;
    }

    /// Log Specific Identifier.
    public static int lsi(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) >>> 16;
    }

    /// Log Page Offset: bytes, unsigned, or an index if [#indexOffset].
    public static long lpo(MemorySegment sqe, long at) {
        return LittleEndian.u64(sqe, at + LPO);
    }

    /// Offset Type: whether LPO counts entries instead of bytes.
    public static boolean indexOffset(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw14(sqe, at) & OT) != 0;
    }

    /// Command Set Identifier.
    public static int csi(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw14(sqe, at) >>> 24;
    }
}
