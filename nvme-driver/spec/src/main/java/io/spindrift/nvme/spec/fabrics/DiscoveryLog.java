package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U64;

/// The header of the discovery log page, 1,024 bytes; [DiscoveryEntry]s follow (base specification 2.0, 5.16.1, LID
/// 70h, figures 264 and 265).
public final class DiscoveryLog {
    public static final int SIZE = 1024;

    /// Generation Counter: changes with the log.
    public static final U64 GENCTR = new U64(0);
    /// Number of Records.
    public static final U64 NUMREC = new U64(8);
    /// Record Format: 0.
    public static final U16 RECFMT = new U16(16);

    private DiscoveryLog() {}
}
