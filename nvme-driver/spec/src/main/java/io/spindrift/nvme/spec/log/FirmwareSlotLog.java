package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.Ascii;
import io.spindrift.nvme.spec.Field.U8;

/// The Firmware Slot Information log page, 512 bytes (base specification 2.0, 5.16.1.4, figure 209).
public final class FirmwareSlotLog {
    public static final int SIZE = 512;

    /// Active Firmware Info: the active slot in bits 2:0, that of the next reset in bits 6:4.
    public static final U8 AFI = new U8(0);
    /// Firmware Revision for Slot 1, NULs if the slot is empty.
    public static final Ascii FRS1 = new Ascii(8, 8);
    public static final Ascii FRS2 = new Ascii(16, 8);
    public static final Ascii FRS3 = new Ascii(24, 8);
    public static final Ascii FRS4 = new Ascii(32, 8);
    public static final Ascii FRS5 = new Ascii(40, 8);
    public static final Ascii FRS6 = new Ascii(48, 8);
    public static final Ascii FRS7 = new Ascii(56, 8);

    private FirmwareSlotLog() {}
}
