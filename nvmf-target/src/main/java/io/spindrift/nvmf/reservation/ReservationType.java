package io.spindrift.nvmf.reservation;

import io.spindrift.nvme.spec.command.ReservationCommand;
import java.util.Optional;

/// The types of reservations (NVM Express Base 2.0, 8.19.3).
public enum ReservationType {
    /// No reservation.
    NONE(ReservationCommand.RTYPE_NONE, false, Sharing.HOLDER),
    /// Only the holder writes, all read.
    WRITE_EXCLUSIVE(ReservationCommand.RTYPE_WRITE_EXCLUSIVE, false, Sharing.HOLDER),
    /// Only the holder reads and writes.
    EXCLUSIVE_ACCESS(ReservationCommand.RTYPE_EXCLUSIVE_ACCESS, true, Sharing.HOLDER),
    /// Registrants write, all read, while its one holder is registered.
    WRITE_EXCLUSIVE_REGISTRANTS_ONLY(ReservationCommand.RTYPE_WRITE_EXCLUSIVE_REGISTRANTS_ONLY, false,
            Sharing.REGISTRANTS),
    /// Registrants read and write, while its one holder is registered.
    EXCLUSIVE_ACCESS_REGISTRANTS_ONLY(ReservationCommand.RTYPE_EXCLUSIVE_ACCESS_REGISTRANTS_ONLY, true,
            Sharing.REGISTRANTS),
    /// Registrants write, all read; every registrant is a holder.
    WRITE_EXCLUSIVE_ALL_REGISTRANTS(ReservationCommand.RTYPE_WRITE_EXCLUSIVE_ALL_REGISTRANTS, false,
            Sharing.ALL_HOLD),
    /// Registrants read and write; every registrant is a holder.
    EXCLUSIVE_ACCESS_ALL_REGISTRANTS(ReservationCommand.RTYPE_EXCLUSIVE_ACCESS_ALL_REGISTRANTS, true,
            Sharing.ALL_HOLD);

    private enum Sharing {
        HOLDER, REGISTRANTS, ALL_HOLD
    }

    private static final ReservationType[] BY_CODE = values();

    private final int code;
    private final boolean barsReads;
    private final Sharing sharing;

    ReservationType(int code, boolean barsReads, Sharing sharing) {
        this.code = code;
        this.barsReads = barsReads;
        this.sharing = sharing;
    }

    /// The type with this RTYPE, if there is one; 0 is [#NONE].
    public static Optional<ReservationType> of(long code) {
        return code < 0 || code >= BY_CODE.length ? Optional.empty() : Optional.of(BY_CODE[(int) code]);
    }

    /// RTYPE.
    public int code() {
        return code;
    }

    /// Whether it keeps others from reading, too.
    boolean barsReads() {
        return barsReads;
    }

    /// Whether registrants have the holder's access.
    boolean sharedByRegistrants() {
        return sharing != Sharing.HOLDER;
    }

    /// Whether each registrant is a holder.
    boolean heldByAll() {
        return sharing == Sharing.ALL_HOLD;
    }
}
