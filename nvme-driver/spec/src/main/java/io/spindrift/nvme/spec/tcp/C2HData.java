package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Controller to Host Data Transfer: a header of 24 bytes and data (NVMe/TCP transport 1.0, "C2HData").
public final class C2HData {
    public static final int SIZE = 24;

    /// Command Capsule CID.
    public static final int CCCID = 8;
    /// Data Offset in the command's data.
    public static final int DATAO = 12;
    /// Data Length, bytes.
    public static final int DATAL = 16;

    private C2HData() {}

    /// Writes the 24 bytes; `flags` is 0, [PduHeader#LAST_PDU] on the last PDU of a command, or that and
    /// [PduHeader#SUCCESS].
    public static void write(MemorySegment pdu, long at, boolean headerDigest, boolean dataDigest, int alignment,
            int flags, int cccid, long datao, long datal) {
        int pdo = PduRules.pdo(SIZE, headerDigest, alignment);
        PduHeader.write(pdu, at, PduType.C2H_DATA, DataFlags.of(headerDigest, dataDigest) | flags, SIZE, pdo,
                PduRules.plen(pdo, datal, dataDigest));
        LittleEndian.u16(pdu, at + CCCID, cccid);
        LittleEndian.u16(pdu, at + 10, 0);
        LittleEndian.u32(pdu, at + DATAO, datao);
        LittleEndian.u32(pdu, at + DATAL, datal);
        LittleEndian.dword(pdu, at + 20, 0);
    }

    public static int cccid(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + CCCID);
    }

    public static long datao(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + DATAO);
    }

    public static long datal(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + DATAL);
    }
}
