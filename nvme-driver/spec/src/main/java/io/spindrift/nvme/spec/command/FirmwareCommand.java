package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Firmware Image Download and Firmware Commit (base specification 2.0, 5.12 and 5.13).
public final class FirmwareCommand {
    /// Commit Action: the image replaces that of the slot.
    public static final int CA_REPLACE = 0;
    /// It also is activated by the next reset.
    public static final int CA_REPLACE_AND_ACTIVATE = 1;
    /// The slot's image is activated by the next reset.
    public static final int CA_ACTIVATE = 2;
    /// The image is activated at once, without a reset.
    public static final int CA_ACTIVATE_NOW = 3;

    private FirmwareCommand() {}

    /// Firmware Image Download of `bytes` of the image from the byte `offset` on, both multiples of 4.
    public static void download(MemorySegment sqe, long at, long offset, long bytes) {
        SubmissionQueueEntry.cdw10(sqe, at, (int) (bytes / 4 - 1));
        SubmissionQueueEntry.cdw11(sqe, at, (int) (offset / 4));
    }

    /// Firmware Commit; slot 0 leaves the choice to the controller.
    public static void commit(MemorySegment sqe, long at, int slot, int action) {
        SubmissionQueueEntry.cdw10(sqe, at, slot & 7 | (action & 7) << 3);
    }

    /// Bytes of the image that are downloaded: (NUMD + 1) dwords.
    public static long bytes(MemorySegment sqe, long at) {
        return (LittleEndian.u32(sqe, at + SubmissionQueueEntry.CDW10) + 1) * 4;
    }

    /// Where in the image they belong, bytes: OFST dwords.
    public static long offset(MemorySegment sqe, long at) {
        return LittleEndian.u32(sqe, at + SubmissionQueueEntry.CDW11) * 4;
    }

    /// Firmware Slot.
    public static int slot(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 7;
    }

    /// Commit Action.
    public static int action(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 3 & 7;
    }
}
