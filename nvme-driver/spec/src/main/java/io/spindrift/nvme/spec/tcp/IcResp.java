package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Initialize Connection Response, 128 bytes: the controller's first PDU (NVMe/TCP transport 1.0, "ICResp").
public final class IcResp {
    public static final int SIZE = 128;

    /// PDU Format Version: 0.
    public static final int PFV = 8;
    /// Controller PDU Data Alignment, dwords, 0's based, at most 31.
    public static final int CPDA = 10;
    /// Digests that are used: those of [IcReq] that the controller has, too.
    public static final int DGST = 11;
    /// Maximum Host to Controller Data length of a PDU, bytes, a multiple of 4, at least 4,096.
    public static final int MAXH2CDATA = 12;

    /// The least that [#MAXH2CDATA] may be.
    public static final int MIN_MAXH2CDATA = 4096;

    private IcResp() {}

    /// Writes all 128 bytes. The bits of `dgst` are those of [IcReq].
    public static void write(MemorySegment pdu, long at, int cpda, int dgst, long maxh2cdata) {
        LittleEndian.clear(pdu, at, SIZE);
        PduHeader.write(pdu, at, PduType.IC_RESP, 0, SIZE, 0, SIZE);
        LittleEndian.u8(pdu, at + CPDA, cpda);
        LittleEndian.u8(pdu, at + DGST, dgst);
        LittleEndian.u32(pdu, at + MAXH2CDATA, maxh2cdata);
    }

    public static int pfv(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + PFV);
    }

    public static int cpda(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + CPDA);
    }

    public static int dgst(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + DGST);
    }

    public static long maxh2cdata(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + MAXH2CDATA);
    }
}
