package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Disconnect: deletes the I/O queue that it is sent on (base specification 2.0, 6.4).
public final class DisconnectCommand {
    /// Record Format: 0.
    public static final int RECFMT = 40;

    private DisconnectCommand() {}

    public static void write(MemorySegment sqe, long at, int cid) {
        FabricsCommand.begin(sqe, at, Fctype.DISCONNECT, cid);
    }

    public static int recfmt(MemorySegment sqe, long at) {
        return LittleEndian.u16(sqe, at + RECFMT);
    }
}
