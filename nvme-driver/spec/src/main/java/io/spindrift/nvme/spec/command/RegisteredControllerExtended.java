package io.spindrift.nvme.spec.command;

import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// A registered controller in what Reservation Report returns with EDS set, 64 bytes (base specification 2.0, 7.5).
public final class RegisteredControllerExtended {
    public static final int SIZE = 64;

    /// Controller ID; FFFFh for one whose host is not connected.
    public static final U16 CNTLID = new U16(0);
    /// Reservation Status, see [RegisteredController#RCSTS_HOLDER].
    public static final U8 RCSTS = new U8(2);
    /// Reservation Key: it comes before the host identifier here.
    public static final U64 RKEY = new U64(8);
    /// Host Identifier, 128 bits.
    public static final Bytes HOSTID = new Bytes(16, 16);

    private RegisteredControllerExtended() {}
}
