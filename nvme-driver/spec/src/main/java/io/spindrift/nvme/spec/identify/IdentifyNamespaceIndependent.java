package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U8;

/// The I/O Command Set Independent Identify Namespace data structure, CNS 08h, 4,096 bytes (base specification 2.0,
/// 5.17.2.8, figure 280).
public final class IdentifyNamespaceIndependent {
    public static final int SIZE = 4096;

    /// NSTAT: the namespace is ready.
    public static final int NSTAT_READY = 1;

    /// Common Namespace Features.
    public static final U8 NSFEAT = new U8(0);
    /// Namespace Multi-path I/O and Namespace Sharing Capabilities, as in [IdentifyNamespace].
    public static final U8 NMIC = new U8(1);
    /// Reservation Capabilities, as in [IdentifyNamespace].
    public static final U8 RESCAP = new U8(2);
    /// Format Progress Indicator.
    public static final U8 FPI = new U8(3);
    /// ANA Group Identifier.
    public static final U32 ANAGRPID = new U32(4);
    /// Namespace Attributes.
    public static final U8 NSATTR = new U8(8);
    /// NVM Set Identifier.
    public static final U16 NVMSETID = new U16(10);
    /// Endurance Group Identifier.
    public static final U16 ENDGID = new U16(12);
    /// Namespace Status.
    public static final U8 NSTAT = new U8(14);

    private IdentifyNamespaceIndependent() {}
}
