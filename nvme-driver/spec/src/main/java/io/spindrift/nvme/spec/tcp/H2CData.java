package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Host to Controller Data Transfer: a header of 24 bytes and data that an [R2T] asked for (NVMe/TCP transport 1.0,
/// "H2CData").
public final class H2CData {
    public static final int SIZE = 24;

    /// Command Capsule CID.
    public static final int CCCID = 8;
    /// Transfer Tag, of the [R2T].
    public static final int TTAG = 10;
    /// Data Offset in the command's data.
    public static final int DATAO = 12;
    /// Data Length, bytes.
    public static final int DATAL = 16;

    private H2CData() {}

    /// Writes the 24 bytes; `last` on the last PDU of an R2T.
    public static void write(MemorySegment pdu, long at, boolean headerDigest, boolean dataDigest, int alignment,
            boolean last, int cccid, int ttag, long datao, long datal) {
        int pdo = PduRules.pdo(SIZE, headerDigest, alignment);
        int flags = DataFlags.of(headerDigest, dataDigest) | (last ? PduHeader.LAST_PDU : 0);
        PduHeader.write(pdu, at, PduType.H2C_DATA, flags, SIZE, pdo, PduRules.plen(pdo, datal, dataDigest));
        LittleEndian.u16(pdu, at + CCCID, cccid);
        LittleEndian.u16(pdu, at + TTAG, ttag);
        LittleEndian.u32(pdu, at + DATAO, datao);
        LittleEndian.u32(pdu, at + DATAL, datal);
        LittleEndian.dword(pdu, at + 20, 0);
    }

    public static int cccid(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + CCCID);
    }

    public static int ttag(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + TTAG);
    }

    public static long datao(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + DATAO);
    }

    public static long datal(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + DATAL);
    }
}
