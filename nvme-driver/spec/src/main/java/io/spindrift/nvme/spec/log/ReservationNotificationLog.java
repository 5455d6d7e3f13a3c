package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// The Reservation Notification log page, 64 bytes (base specification 2.0, 5.16.1, LID 80h, figure 266).
public final class ReservationNotificationLog {
    public static final int SIZE = 64;

    public static final int TYPE_EMPTY = 0;
    public static final int TYPE_REGISTRATION_PREEMPTED = 1;
    public static final int TYPE_RESERVATION_RELEASED = 2;
    public static final int TYPE_RESERVATION_PREEMPTED = 3;

    /// Counts notifications, from 1 on; 0 for none.
    public static final U64 LOG_PAGE_COUNT = new U64(0);
    /// Reservation Notification Log Page Type.
    public static final U8 TYPE = new U8(8);
    /// Number of Available Log Pages after this one, at most 255.
    public static final U8 AVAILABLE_LOG_PAGES = new U8(9);
    /// Namespace ID.
    public static final U32 NSID = new U32(12);

    private ReservationNotificationLog() {}
}
