package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Ready to Transfer, 24 bytes: the controller asks for data of a command (NVMe/TCP transport 1.0, "R2T").
public final class R2T {
    public static final int SIZE = 24;

    /// Command Capsule CID.
    public static final int CCCID = 8;
    /// Transfer Tag, the controller's own number of this transfer.
    public static final int TTAG = 10;
    /// Requested Data Offset in the command's data.
    public static final int R2TO = 12;
    /// Requested Data Length, bytes.
    public static final int R2TL = 16;

    private R2T() {}

    /// Writes the 24 bytes.
    public static void write(MemorySegment pdu, long at, boolean headerDigest, int cccid, int ttag, long r2to,
            long r2tl) {
        PduHeader.write(pdu, at, PduType.R2T, headerDigest ? PduHeader.HDGSTF : 0, SIZE, 0,
                PduRules.plen(SIZE, headerDigest));
        LittleEndian.u16(pdu, at + CCCID, cccid);
        LittleEndian.u16(pdu, at + TTAG, ttag);
        LittleEndian.u32(pdu, at + R2TO, r2to);
        LittleEndian.u32(pdu, at + R2TL, r2tl);
        LittleEndian.dword(pdu, at + 20, 0);
    }

    public static int cccid(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + CCCID);
    }

    public static int ttag(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + TTAG);
    }

    public static long r2to(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + R2TO);
    }

    public static long r2tl(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + R2TL);
    }
}
