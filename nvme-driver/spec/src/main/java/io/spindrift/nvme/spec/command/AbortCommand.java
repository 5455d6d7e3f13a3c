package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// Dword 10 of Abort, and dword 0 of its completion (base specification 2.0, 5.1).
public final class AbortCommand {
    /// Dword 0 of the completion: the command was not aborted.
    public static final int NOT_ABORTED = 1;

    private AbortCommand() {}

    public static void set(MemorySegment sqe, long at, int sqid, int cid) {
        SubmissionQueueEntry.cdw10(sqe, at, sqid & 0xffff | cid << 16);
    }

    /// Submission Queue Identifier of the command to be aborted.
    public static int sqid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xffff;
    }

    /// Command Identifier of the command to be aborted.
    public static int cid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 16;
    }
}
