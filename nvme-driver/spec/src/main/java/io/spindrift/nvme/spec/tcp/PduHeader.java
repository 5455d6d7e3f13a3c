package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// The common header (CH) of every PDU, 8 bytes (NVMe/TCP transport 1.0, "PDU Common Header").
///
/// ```
///   byte 0        1       2      3     4
///   | PDU-type | FLAGS | HLEN | PDO | PLEN    |
/// ```
/// A PDU is its header of HLEN bytes, 4 bytes of header digest if that is on, padding up to PDO, data, and 4 bytes of
/// data digest if that is on: PLEN bytes in all.
public final class PduHeader {
    public static final int SIZE = 8;

    public static final int TYPE = 0;
    public static final int FLAGS = 1;
    /// Header Length, without the digest.
    public static final int HLEN = 2;
    /// PDU Data Offset from the beginning of the PDU.
    public static final int PDO = 3;
    /// PDU Length: everything.
    public static final int PLEN = 4;

    /// [#FLAGS]: a header digest follows the header.
    public static final int HDGSTF = 1;
    /// [#FLAGS]: a data digest follows the data.
    public static final int DDGSTF = 1 << 1;
    /// [#FLAGS] of H2CData and C2HData: the last one of the R2T or of the command.
    public static final int LAST_PDU = 1 << 2;
    /// [#FLAGS] of C2HData with [#LAST_PDU]: the command succeeded, no CapsuleResp follows. Only without SQ flow
    /// control.
    public static final int SUCCESS = 1 << 3;

    /// Bytes of a header or data digest, a CRC32C.
    public static final int DIGEST_SIZE = 4;

    private PduHeader() {}

    public static void write(MemorySegment pdu, long at, int type, int flags, int hlen, int pdo, long plen) {
        LittleEndian.u8(pdu, at + TYPE, type);
        LittleEndian.u8(pdu, at + FLAGS, flags);
        LittleEndian.u8(pdu, at + HLEN, hlen);
        LittleEndian.u8(pdu, at + PDO, pdo);
        LittleEndian.u32(pdu, at + PLEN, plen);
    }

    /// See [PduType].
    public static int type(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + TYPE);
    }

    public static int flags(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + FLAGS);
    }

    public static int hlen(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + HLEN);
    }

    public static int pdo(MemorySegment pdu, long at) {
        return LittleEndian.u8(pdu, at + PDO);
    }

    public static long plen(MemorySegment pdu, long at) {
        return LittleEndian.u32(pdu, at + PLEN);
    }
}
