package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U8;

/// An LBA Format of the Identify Namespace data structure, 4 bytes (NVM command set 1.0, 4.1.5.1).
public final class LbaFormat {
    public static final int SIZE = 4;

    /// Metadata Size, bytes.
    public static final U16 MS = new U16(0);
    /// LBA Data Size: 2^n bytes; less than 9 for a format that is not available.
    public static final U8 LBADS = new U8(2);
    /// Relative Performance in bits 1:0, 0 for the best.
    public static final U8 RP = new U8(3);

    private LbaFormat() {}
}
