package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// An entry of the Error Information log page, 64 bytes, the newest first (base specification 2.0, 5.16.1.2, figure
/// 206).
public final class ErrorLogEntry {
    public static final int SIZE = 64;
    /// [#PARAMETER_ERROR_LOCATION]: not in the command.
    public static final int NO_LOCATION = 0xffff;

    /// Counts errors from 1 on; 0 for an entry that is none.
    public static final U64 ERROR_COUNT = new U64(0);
    /// Submission Queue ID.
    public static final U16 SQID = new U16(8);
    /// Command ID.
    public static final U16 CID = new U16(10);
    /// Status field in bits 15:1, as in a completion.
    public static final U16 STATUS = new U16(12);
    /// Byte of the command in bits 7:0, bit in bits 10:8.
    public static final U16 PARAMETER_ERROR_LOCATION = new U16(14);
    /// The first logical block that had the error.
    public static final U64 LBA = new U64(16);
    /// Namespace.
    public static final U32 NSID = new U32(24);
    /// Vendor Specific Information Available: a log page, 0 for none.
    public static final U8 VENDOR_SPECIFIC = new U8(28);
    /// Transport Type.
    public static final U8 TRTYPE = new U8(29);
    /// Command Specific Information.
    public static final U64 COMMAND_SPECIFIC = new U64(32);
    /// Transport Type Specific Information.
    public static final U16 TRANSPORT_SPECIFIC = new U16(40);

    private ErrorLogEntry() {}
}
