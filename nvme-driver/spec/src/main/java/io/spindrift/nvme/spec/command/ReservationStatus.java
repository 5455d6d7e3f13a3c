package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U8;

/// What Reservation Report returns: a header, then a descriptor for each registered controller (base specification 2.0,
/// 7.5).
///
/// Not extended: 24 bytes of header, descriptors [RegisteredController]. Extended: 64 and
/// [RegisteredControllerExtended], with 128-bit host identifiers.
public final class ReservationStatus {
    public static final int SIZE = 24;
    public static final int EXTENDED_SIZE = 64;

    /// Generation: counts Register, Clear, Preempt and the like.
    public static final U32 GEN = new U32(0);
    /// Reservation Type.
    public static final U8 RTYPE = new U8(4);
    /// Number of Registered Controllers: descriptors that follow.
    public static final U16 REGCTL = new U16(5);
    /// Persist Through Power Loss State, 0 or 1.
    public static final U8 PTPLS = new U8(9);

    private ReservationStatus() {}
}
