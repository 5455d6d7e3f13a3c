package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords and the data of Reservation Register, Acquire, Release and Report (base specification 2.0, 7.2 to 7.5).
/// What Report returns is in [ReservationStatus].
public final class ReservationCommand {
    /// Register Action: register a key.
    public static final int RREGA_REGISTER = 0;
    public static final int RREGA_UNREGISTER = 1;
    public static final int RREGA_REPLACE = 2;

    /// Acquire Action: acquire.
    public static final int RACQA_ACQUIRE = 0;
    public static final int RACQA_PREEMPT = 1;
    public static final int RACQA_PREEMPT_AND_ABORT = 2;

    /// Release Action: release.
    public static final int RRELA_RELEASE = 0;
    public static final int RRELA_CLEAR = 1;

    /// Change Persist Through Power Loss State: no change.
    public static final int CPTPL_NO_CHANGE = 0;
    /// Reservations and registrations are gone after a loss of power.
    public static final int CPTPL_CLEAR = 2;
    /// They persist.
    public static final int CPTPL_PERSIST = 3;

    /// Reservation Type: none.
    public static final int RTYPE_NONE = 0;
    public static final int RTYPE_WRITE_EXCLUSIVE = 1;
    public static final int RTYPE_EXCLUSIVE_ACCESS = 2;
    public static final int RTYPE_WRITE_EXCLUSIVE_REGISTRANTS_ONLY = 3;
    public static final int RTYPE_EXCLUSIVE_ACCESS_REGISTRANTS_ONLY = 4;
    public static final int RTYPE_WRITE_EXCLUSIVE_ALL_REGISTRANTS = 5;
    public static final int RTYPE_EXCLUSIVE_ACCESS_ALL_REGISTRANTS = 6;

    /// Bytes of the data of Register and Acquire; that of Release is [#CRKEY] alone, 8 bytes.
    public static final int KEYS_SIZE = 16;
    public static final int RELEASE_SIZE = 8;
    /// Current Reservation Key, of Register, Acquire and Release.
    public static final int CRKEY = 0;
    /// New Reservation Key, of Register.
    public static final int NRKEY = 8;
    /// Preempt Reservation Key, of Acquire.
    public static final int PRKEY = 8;

    /// Ignore Existing Key.
    private static final int IEKEY = 1 << 3;

    private ReservationCommand() {}

    /// Reservation Register.
    public static void register(MemorySegment sqe, long at, int rrega, boolean ignoreExistingKey, int cptpl) {
        SubmissionQueueEntry.cdw10(sqe, at, rrega & 7 | (ignoreExistingKey ? IEKEY : 0) | cptpl << 30);
    }

    /// Reservation Acquire and Reservation Release, whose action is RACQA or RRELA.
    public static void acquireOrRelease(MemorySegment sqe, long at, int action, int rtype) {
        SubmissionQueueEntry.cdw10(sqe, at, action & 7 | (rtype & 0xff) << 8);
    }

    /// Reservation Report of `bytes`, a multiple of 4; `extended` asks for 128-bit host identifiers.
    public static void report(MemorySegment sqe, long at, long bytes, boolean extended) {
        SubmissionQueueEntry.cdw10(sqe, at, (int) (bytes / 4 - 1));
        SubmissionQueueEntry.cdw11(sqe, at, extended ? 1 : 0);
    }

    /// RREGA, RACQA or RRELA.
    public static int action(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 7;
    }

    /// Ignore Existing Key.
    public static boolean iekey(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw10(sqe, at) & IEKEY) != 0;
    }

    /// Change Persist Through Power Loss State, of Register.
    public static int cptpl(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 30;
    }

    /// Reservation Type, of Acquire and Release.
    public static int rtype(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 8 & 0xff;
    }

    /// Bytes that Report may return: (NUMD + 1) dwords.
    public static long reportBytes(MemorySegment sqe, long at) {
        return ((SubmissionQueueEntry.cdw10(sqe, at) & 0xffff_ffffL) + 1) * 4;
    }

    /// Extended Data Structure, of Report.
    public static boolean eds(MemorySegment sqe, long at) {
        return (SubmissionQueueEntry.cdw11(sqe, at) & 1) != 0;
    }

    public static long crkey(MemorySegment data, long at) {
        return LittleEndian.u64(data, at + CRKEY);
    }

    public static long nrkey(MemorySegment data, long at) {
        return LittleEndian.u64(data, at + NRKEY);
    }

    public static long prkey(MemorySegment data, long at) {
        return LittleEndian.u64(data, at + PRKEY);
    }

    /// Writes the data of Register (CRKEY, NRKEY) or Acquire (CRKEY, PRKEY).
    public static void keys(MemorySegment data, long at, long crkey, long second) {
        LittleEndian.u64(data, at + CRKEY, crkey);
        LittleEndian.u64(data, at + NRKEY, second);
    }
}
