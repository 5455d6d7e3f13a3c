package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// Dword 10 of Format NVM (base specification 2.0, 5.14; what the format means is the NVM command set's).
public final class FormatCommand {
    /// Secure Erase Settings: none.
    public static final int SES_NONE = 0;
    public static final int SES_USER_DATA = 1;
    public static final int SES_CRYPTOGRAPHIC = 2;

    /// Metadata Settings: metadata at the end of each logical block.
    private static final int MSET = 1 << 4;
    /// Protection Information Location: the first bytes of metadata.
    private static final int PIL = 1 << 8;

    private FormatCommand() {}

    /// `format` is the index of an LBA format, 0 to 63, `protection` the type of protection information, 0 for none.
    public static void set(MemorySegment sqe, long at, int format, boolean extendedMetadata, int protection,
            boolean protectionFirst, int ses) {
        SubmissionQueueEntry.cdw10(sqe, at, format & 0xf | (extendedMetadata ? MSET : 0) | (protection & 7) << 5
                | (protectionFirst ? PIL : 0) | (ses & 7) << 9 | (format >>> 4 & 3) << 12);
    }

    /// The index of the LBA format: LBAFL, and LBAFU above it.
    public static int format(MemorySegment sqe, long at) {
        int cdw10 = SubmissionQueueEntry.cdw10(sqe, at);
        return cdw10 & 0xf | (cdw10 >>> 12 & 3) << 4;
    }

    /// Metadata Settings: whether metadata is at the end of each logical block.
    public static boolean extendedMetadata(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & MSET) != 0;
    }

    /// Protection Information: its type, 0 for none.
    public static int pi(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 5 & 7;
    }

    /// Protection Information Location: whether it is the first bytes of metadata.
    public static boolean protectionFirst(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & PIL) != 0;
    }

    /// Secure Erase Settings.
    public static int ses(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 9 & 7;
    }
}
