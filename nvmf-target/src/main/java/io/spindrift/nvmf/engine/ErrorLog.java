package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.MediaStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// The commands of a controller that failed, for its Error Information log page (base specification 2.0, 5.16.1.2). On the
/// controller's thread; a reset leaves it as it is.
final class ErrorLog {
    /// Entries that are kept; one less is ELPE of Identify Controller.
    static final int ENTRIES = 128;

    /// What is known of a failed command.
    ///
    /// @param sqid   its queue
    /// @param cid    its identifier
    /// @param status the status field
    /// @param lba    its first logical block, 0 if it has none
    /// @param nsid   its namespace
    record Failure(int sqid, int cid, int status, long lba, long nsid) {}

    private final Deque<Failure> newestFirst = new ArrayDeque<>();
    private long count;

    /// Whether a status is worth an entry: not what a host brings about on its way through paths, aborts and comparisons.
    static boolean records(int status) {
        return Status.sct(status) != Status.SCT_PATH && switch (Status.code(status)) {
            case Status.SUCCESS, MediaStatus.COMPARE_FAILURE, GenericStatus.ABORT_REQUESTED,
                    GenericStatus.ABORTED_SQ_DELETION, GenericStatus.ABORTED_FAILED_FUSED ->
                false;
            default -> true;
        };
    }

    void add(Failure failure) {
        count++;
        newestFirst.addFirst(failure);
        if (newestFirst.size() > ENTRIES) {
            newestFirst.removeLast();
        }
    }

    /// How many there have been, those that are kept no longer too.
    long count() {
        return count;
    }

    /// The log page of a controller that is reached by a transport of this type (see `fabrics.Trtype`).
    MemorySegment page(Arena arena, int trtype) {
        MemorySegment page = arena.allocate((long) ENTRIES * ErrorLogEntry.SIZE, Long.BYTES);
        long at = 0;
        long number = count;
        for (Failure failure : newestFirst) {
            ErrorLogEntry.ERROR_COUNT.set(page, at, number--);
            ErrorLogEntry.SQID.set(page, at, failure.sqid());
            ErrorLogEntry.CID.set(page, at, failure.cid());
            ErrorLogEntry.STATUS.set(page, at, failure.status() << 1);
            ErrorLogEntry.PARAMETER_ERROR_LOCATION.set(page, at, ErrorLogEntry.NO_LOCATION);
            ErrorLogEntry.LBA.set(page, at, failure.lba());
            ErrorLogEntry.NSID.set(page, at, failure.nsid());
            ErrorLogEntry.TRTYPE.set(page, at, trtype);
            at += ErrorLogEntry.SIZE;
        }
        return page;
    }
}
