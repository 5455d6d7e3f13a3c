package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// An ANA Group Descriptor, 32 bytes and 4 for each NSID (base specification 2.0, 5.16.1.13, figure 222).
public final class AnaGroupDescriptor {
    public static final int SIZE = 32;

    public static final int STATE_OPTIMIZED = 0x1;
    public static final int STATE_NON_OPTIMIZED = 0x2;
    public static final int STATE_INACCESSIBLE = 0x3;
    public static final int STATE_PERSISTENT_LOSS = 0x4;
    public static final int STATE_CHANGE = 0xf;

    /// ANA Group ID.
    public static final U32 GROUP_ID = new U32(0);
    /// Number of NSID Values that follow.
    public static final U32 NSIDS = new U32(4);
    /// The log page's Change Count when this group changed; 0 if not reported.
    public static final U64 CHANGE_COUNT = new U64(8);
    /// Asymmetric Namespace Access State, bits 3:0.
    public static final U8 STATE = new U8(16);

    private AnaGroupDescriptor() {}

    /// Bytes of a descriptor with its NSIDs.
    public static long size(long nsids) {
        return SIZE + 4 * nsids;
    }

    /// Where the NSID `index` of a descriptor at `at` lies.
    public static long nsidAt(long at, long index) {
        return at + SIZE + 4 * index;
    }

    /// What RPCs and tools call a state: `optimized`, `non_optimized`, `inaccessible`, ...
    public static String name(int state) {
        return switch (state) {
            case STATE_OPTIMIZED -> "optimized";
            case STATE_NON_OPTIMIZED -> "non_optimized";
            case STATE_INACCESSIBLE -> "inaccessible";
            case STATE_PERSISTENT_LOSS -> "persistent_loss";
            case STATE_CHANGE -> "change";
            default -> "reserved";
        };
    }
}
