package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// The Identify Controller data structure that only the NVM command set has, CNS 06h with CSI 0, 4,096 bytes (NVM
/// command set 1.0, 4.1.5.4).
public final class IdentifyControllerNvm {
    public static final int SIZE = 4096;

    /// Verify Size Limit: 2^n minimum memory pages, 0 for none.
    public static final U8 VSL = new U8(0);
    /// Write Zeroes Size Limit: 2^n minimum memory pages, 0 for none.
    public static final U8 WZSL = new U8(1);
    /// Write Uncorrectable Size Limit: 2^n minimum memory pages, 0 for none.
    public static final U8 WUSL = new U8(2);
    /// Dataset Management Ranges Limit, 0 for none.
    public static final U8 DMRL = new U8(3);
    /// Dataset Management Range Size Limit, logical blocks of a range, 0 for none.
    public static final U32 DMRSL = new U32(4);
    /// Dataset Management Size Limit, logical blocks of a command, 0 for none.
    public static final U64 DMSL = new U64(8);

    private IdentifyControllerNvm() {}
}
