package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A Controller List: how many, then up to 2,047 controller identifiers in increasing order, 4,096 bytes (base
/// specification 2.0, "Controller List").
public final class ControllerList {
    public static final int SIZE = 4096;
    public static final int MAX_ENTRIES = 2047;

    /// Number of Identifiers.
    public static final int NUMID = 0;
    /// The first identifier.
    public static final int IDENTIFIERS = 2;

    private ControllerList() {}

    /// Number of identifiers; a peer's may exceed [#MAX_ENTRIES].
    public static int count(MemorySegment list, long at) {
        return LittleEndian.u16(list, at + NUMID);
    }

    public static void count(MemorySegment list, long at, int count) {
        LittleEndian.u16(list, at + NUMID, count);
    }

    public static int cntlid(MemorySegment list, long at, int index) {
        return LittleEndian.u16(list, at + offset(index));
    }

    public static void cntlid(MemorySegment list, long at, int index, int cntlid) {
        LittleEndian.u16(list, at + offset(index), cntlid);
    }

    private static long offset(int index) {
        return IDENTIFIERS + 2L * Objects.checkIndex(index, MAX_ENTRIES);
    }
}
