package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Initialize Connection Request, 128 bytes: the first PDU, from the host (NVMe/TCP transport 1.0, "ICReq").
public final class IcReq {
    public static final int SIZE = 128;

    /// PDU Format Version: 0.
    public static final int PFV = 8;
    /// Host PDU Data Alignment, dwords, 0's based, at most 31.
    public static final int HPDA = 10;
    /// Digests that the host wants.
    public static final int DGST = 11;
    /// Maximum Number of Outstanding R2T of a command, 0's based.
    public static final int MAXR2T = 12;

    /// [#DGST]: header digest.
    public static final int HDGST_ENABLE = 1;
    /// [#DGST]: data digest.
    public static final int DDGST_ENABLE = 1 << 1;

    private IcReq() {}

    /// Writes all 128 bytes. `maxr2t` is 0's based.
    public static void write(MemorySegment pdu, long at, int hpda, int dgst, long maxr2t) {
        LittleEndian.clear(pdu, at, SIZE);
        PduHeader.write(pdu, at, PduType.IC_REQ, 0, SIZE, 0, SIZE);
        LittleEndian.u8(pdu, at + HPDA, hpda);
        LittleEndian.u8(pdu, at + DGST, dgst);
        LittleEndian.u32(pdu, at + MAXR2T, maxr2t);
    }

    public static int pfv(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + PFV);
    }

    public static int hpda(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + HPDA);
    }

    public static int dgst(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + DGST);
    }

    /// Maximum Number of Outstanding R2T of a command, 0's based.
    public static long maxr2t(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + MAXR2T);
    }
}
