package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Create and Delete I/O Submission and Completion Queue (base specification 2.0, 5.4 to 5.7). On Fabrics
/// there are none: Connect creates both queues.
public final class QueueCommand {
    /// Physically Contiguous.
    private static final int PC = 1;
    /// Interrupts Enabled.
    private static final int IEN = 1 << 1;

    private QueueCommand() {}

    /// Create I/O Completion Queue in one piece of memory, with interrupts if `vector` is not negative. `size` is in
    /// entries, not 0's based.
    public static void createCompletionQueue(MemorySegment sqe, long at, int qid, int size, int vector) {
        SubmissionQueueEntry.cdw10(sqe, at, qid & 0xffff | size - 1 << 16);
        SubmissionQueueEntry.cdw11(sqe, at, vector < 0 ? PC : PC | IEN | vector << 16);
    }

    /// Create I/O Submission Queue in one piece of memory, of the urgent class if there are classes.
    public static void createSubmissionQueue(MemorySegment sqe, long at, int qid, int size, int cqid) {
        SubmissionQueueEntry.cdw10(sqe, at, qid & 0xffff | size - 1 << 16);
        SubmissionQueueEntry.cdw11(sqe, at, PC | cqid << 16);
    }

    /// Delete I/O Submission or Completion Queue.
    public static void delete(MemorySegment sqe, long at, int qid) {
        SubmissionQueueEntry.cdw10(sqe, at, qid & 0xffff);
    }

    /// Queue Identifier.
    public static int qid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xffff;
    }

    /// Queue Size in entries, 1 to 65,536: QSIZE + 1.
    public static int size(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) >>> 16) + 1;
    }

    public static boolean contiguous(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw11(sqe, at) & PC) != 0;
    }

    public static boolean interruptsEnabled(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw11(sqe, at) & IEN) != 0;
    }

    /// Interrupt Vector of a completion queue.
    public static int iv(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) >>> 16;
    }

    /// Completion Queue Identifier of a submission queue.
    public static int cqid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) >>> 16;
    }
}
