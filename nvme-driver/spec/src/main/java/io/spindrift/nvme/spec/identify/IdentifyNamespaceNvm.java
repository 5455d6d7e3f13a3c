package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.Array;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// The Identify Namespace data structure that only the NVM command set has, CNS 05h with CSI 0, 4,096 bytes (NVM
/// command set 1.0, 4.1.5.3).
public final class IdentifyNamespaceNvm {
    public static final int SIZE = 4096;

    /// ELBAF: Protection Information Format.
    public static final int PIF_16_BIT_GUARD = 0;
    public static final int PIF_32_BIT_GUARD = 1;
    public static final int PIF_64_BIT_GUARD = 2;

    /// Logical Block Storage Tag Mask.
    public static final U64 LBSTM = new U64(0);
    /// Protection Information Capabilities.
    public static final U8 PIC = new U8(8);
    /// Extended LBA Formats, a dword for each LBA format.
    public static final Array ELBAF = new Array(12, 4, 64);

    private IdentifyNamespaceNvm() {}

    /// An extended LBA format; `sts` is the Storage Tag Size in bits.
    public static int elbaf(int sts, int pif) {
        return sts & 0x7f | (pif & 3) << 7;
    }

    /// Storage Tag Size, bits.
    public static int sts(int elbaf) {
        return elbaf & 0x7f;
    }

    /// Protection Information Format.
    public static int pif(int elbaf) {
        return elbaf >>> 7 & 3;
    }
}
