package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A Namespace List: 1,024 NSIDs in increasing order, zeroes after the last, 4,096 bytes (base specification 2.0,
/// "Namespace List"). Also the Changed Namespace List log page, whose first entry is FFFFFFFFh if there are more.
public final class NamespaceList {
    public static final int SIZE = 4096;
    public static final int MAX_ENTRIES = 1024;

    private NamespaceList() {}

    /// Entry `index`, 0 after the last.
    public static long nsid(MemorySegment list, long at, int index) {
        return LittleEndian.u32(list, at + offset(index));
    }

    public static void nsid(MemorySegment list, long at, int index, long nsid) {
        LittleEndian.u32(list, at + offset(index), nsid);
    }

    private static long offset(int index) {
        return 4L * Objects.checkIndex(index, MAX_ENTRIES);
    }
}
