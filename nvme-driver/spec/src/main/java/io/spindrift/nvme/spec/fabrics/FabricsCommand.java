package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// What all Fabrics commands have in common: opcode 7Fh, the type where other commands have the NSID (base
/// specification 2.0, 6), and SGLs always.
public final class FabricsCommand {
    /// Fabrics Command Type.
    public static final int FCTYPE = 4;

    private FabricsCommand() {}

    /// Clears the entry and sets the fields that every Fabrics command has.
    public static void begin(MemorySegment sqe, long at, int fctype, int cid) {
        SubmissionQueueEntry.begin(sqe, at, AdminOpcode.FABRICS, cid, 0);
        SubmissionQueueEntry.psdt(sqe, at, SubmissionQueueEntry.PSDT_SGL);
        LittleEndian.u8(sqe, at + FCTYPE, fctype);
    }

    /// Fabrics Command Type, see [Fctype].
    public static int fctype(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + FCTYPE);
    }
}
