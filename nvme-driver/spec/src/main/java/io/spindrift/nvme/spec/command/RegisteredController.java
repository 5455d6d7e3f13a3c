package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// A registered controller in what Reservation Report returns, 24 bytes (base specification 2.0, 7.5).
public final class RegisteredController {
    public static final int SIZE = 24;

    /// [#RCSTS]: this controller's host holds the reservation.
    public static final int RCSTS_HOLDER = 1;

    /// Controller ID; FFFFh for one whose host is not connected.
    public static final U16 CNTLID = new U16(0);
    /// Reservation Status.
    public static final U8 RCSTS = new U8(2);
    /// Host Identifier, 64 bits.
    public static final U64 HOSTID = new U64(8);
    /// Reservation Key.
    public static final U64 RKEY = new U64(16);

    private RegisteredController() {}
}
