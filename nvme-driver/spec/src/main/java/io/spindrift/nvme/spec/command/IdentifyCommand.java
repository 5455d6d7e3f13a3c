package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The dwords of Identify (base specification 2.0, 5.17). What it returns has 4,096 bytes.
public final class IdentifyCommand {
    public static final int DATA_SIZE = 4096;

    private IdentifyCommand() {}

    /// Sets what is asked for; NSID is the entry's.
    public static void set(MemorySegment sqe, long at, int cns, int cntid, int csi) {
        SubmissionQueueEntry.cdw10(sqe, at, cns & 0xff | cntid << 16);
        SubmissionQueueEntry.cdw11(sqe, at, csi << 24);
    }

    /// Controller or Namespace Structure, see `identify.Cns`.
    public static int cns(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) & 0xff;
    }

    /// Controller Identifier: where a list of controllers begins.
    public static int cntid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw10(sqe, at) >>> 16;
    }

    /// CNS Specific Identifier: an NVM set, domain or endurance group.
    public static int cnssid(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) & 0xffff;
    }

    /// Command Set Identifier.
    public static int csi(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw11(sqe, at) >>> 24;
    }

    /// UUID Index.
    public static int uuidx(MemorySegment sqe, long at) {
        return SubmissionQueueEntry.cdw14(sqe, at) & 0x7f;
    }
}
