package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Connect: makes a queue, and with queue 0 a controller (base specification 2.0, 6.3). Its data is [ConnectData],
/// what it returns [ConnectResponse].
public final class ConnectCommand {
    /// Record Format: 0.
    public static final int RECFMT = 40;
    /// Queue ID: 0 for the admin queue.
    public static final int QID = 42;
    /// Submission Queue Size, 0's based.
    public static final int SQSIZE = 44;
    /// Connect Attributes.
    public static final int CATTR = 46;
    /// Keep Alive Timeout, milliseconds; admin queue only.
    public static final int KATO = 48;

    /// [#CATTR]: priority class, bits 1:0.
    public static final int CATTR_PRIORITY_MASK = 3;
    /// [#CATTR]: the host wants no SQ flow control.
    public static final int CATTR_DISABLE_SQ_FLOW_CONTROL = 1 << 2;
    /// [#CATTR]: the host may delete single I/O queues by Disconnect.
    public static final int CATTR_INDIVIDUAL_QUEUE_DELETION = 1 << 3;

    private ConnectCommand() {}

    /// Writes the entry but for the SGL. `entries` is not 0's based, 2 to 65,536.
    public static void write(MemorySegment sqe, long at, int cid, int qid, int entries, int cattr, long katoMillis) {
        FabricsCommand.begin(sqe, at, Fctype.CONNECT, cid);
        LittleEndian.u16(sqe, at + QID, qid);
        LittleEndian.u16(sqe, at + SQSIZE, entries - 1);
        LittleEndian.u8(sqe, at + CATTR, cattr);
        LittleEndian.u32(sqe, at + KATO, katoMillis);
    }

    public static int recfmt(MemorySegment sqe, long at) {
        return LittleEndian.u16(sqe, at + RECFMT);
    }

    public static int qid(MemorySegment sqe, long at) {
        return LittleEndian.u16(sqe, at + QID);
    }

    /// Submission Queue Size, 0's based; 0 is invalid.
    public static int sqsize(MemorySegment sqe, long at) {
        return LittleEndian.u16(sqe, at + SQSIZE);
    }

    public static int cattr(MemorySegment sqe, long at) {
        return LittleEndian.u8(sqe, at + CATTR);
    }

    /// Keep Alive Timeout, milliseconds, 0 for none.
    public static long kato(MemorySegment sqe, long at) {
        return LittleEndian.u32(sqe, at + KATO);
    }
}
