package io.spindrift.nvme.spec.tcp;

import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;

/// Terminate Connection Request, either way: 24 bytes, then the header of the PDU that was wrong (NVMe/TCP transport
/// 1.0, "H2CTermReq" and "C2HTermReq").
public final class TermReq {
    public static final int SIZE = 24;
    /// Bytes of the wrong PDU's header that may follow.
    public static final int MAX_DATA = 128;
    public static final int MAX_PLEN = SIZE + MAX_DATA;

    /// Fatal Error Status.
    public static final int FES = 8;
    /// Fatal Error Information: offset of the field, or the digest that was received.
    public static final int FEI = 10;

    /// Fatal Error Status: Invalid PDU Header Field, FEI is its offset.
    public static final int FES_INVALID_PDU_HEADER_FIELD = 0x01;
    public static final int FES_PDU_SEQUENCE_ERROR = 0x02;
    /// Header Digest Error, FEI is the digest received.
    public static final int FES_HEADER_DIGEST_ERROR = 0x03;
    public static final int FES_DATA_TRANSFER_OUT_OF_RANGE = 0x04;
    /// From a controller: Data Transfer Limit Exceeded. More than MAXH2CDATA.
    public static final int FES_DATA_TRANSFER_LIMIT_EXCEEDED = 0x05;
    /// From a host: R2T Limit Exceeded. More than MAXR2T.
    public static final int FES_R2T_LIMIT_EXCEEDED = 0x05;
    /// FEI is the offset of the parameter.
    public static final int FES_UNSUPPORTED_PARAMETER = 0x06;

    private TermReq() {}

    /// Writes the 24 bytes; `type` is [PduType#H2C_TERM_REQ] or [PduType#C2H_TERM_REQ], `dataLength` that of the header
    /// that follows, at most [#MAX_DATA].
    public static void write(MemorySegment pdu, long at, int type, int fes, int fei, int dataLength) {
        LittleEndian.clear(pdu, at, SIZE);
        PduHeader.write(pdu, at, type, 0, SIZE, 0, SIZE + dataLength);
        LittleEndian.u16(pdu, at + FES, fes);
        LittleEndian.dword(pdu, at + FEI, fei);
    }

    public static int fes(MemorySegment pdu, long at) {
        return LittleEndian.u16(pdu, at + FES);
    }

    public static int fei(MemorySegment pdu, long at) {
        return LittleEndian.dword(pdu, at + FEI);
    }

    /// What the specification calls a Fatal Error Status.
    public static String name(int fes, boolean fromHost) {
        return switch (fes) {
            case FES_INVALID_PDU_HEADER_FIELD -> "Invalid PDU Header Field";
            case FES_PDU_SEQUENCE_ERROR -> "PDU Sequence Error";
            case FES_HEADER_DIGEST_ERROR -> "Header Digest Error";
            case FES_DATA_TRANSFER_OUT_OF_RANGE -> "Data Transfer Out of Range";
            case FES_DATA_TRANSFER_LIMIT_EXCEEDED -> fromHost ? "R2T Limit Exceeded" : "Data Transfer Limit Exceeded";
            case FES_UNSUPPORTED_PARAMETER -> "Unsupported Parameter";
            default -> "reserved";
        };
    }
}
