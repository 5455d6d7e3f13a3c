package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U64;

/// The Asymmetric Namespace Access log page: a header of 16 bytes, then [AnaGroupDescriptor]s of various lengths (base
/// specification 2.0, 5.16.1.13, figures 220 and 221).
public final class AnaLog {
    public static final int SIZE = 16;
    /// Log Specific Parameter: no NSIDs.
    public static final int LSP_GROUPS_ONLY = 1;

    /// Counts changes from 0 on.
    public static final U64 CHANGE_COUNT = new U64(0);
    /// Number of ANA Group Descriptors.
    public static final U16 GROUPS = new U16(8);

    private AnaLog() {}
}
