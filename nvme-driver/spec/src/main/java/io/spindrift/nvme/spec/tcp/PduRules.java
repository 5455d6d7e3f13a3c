package io.spindrift.nvme.spec.tcp;

import java.lang.foreign.MemorySegment;

/// Lengths and offsets of PDUs: how to choose one's own, and whether a peer's are right (NVMe/TCP transport 1.0,
/// "PDUs"). Allocates nothing and throws nothing.
public final class PduRules {
    /// The answer of [#invalidField] to a header that is right.
    public static final int VALID = -1;

    /// The largest HPDA and CPDA.
    public static final int MAX_PDA = 31;

    private PduRules() {}

    /// Bytes that PDO must be a multiple of: the receiver's HPDA or CPDA counts dwords, 0's based.
    public static int alignment(int pda) {
        return (pda + 1) * 4;
    }

    /// The PDO of a PDU with data.
    public static int pdo(int hlen, boolean headerDigest, int alignment) {
        int header = hlen + (headerDigest ? PduHeader.DIGEST_SIZE : 0);
        return (header + alignment - 1) / alignment * alignment;
    }

    /// The PLEN of a PDU with data.
    public static long plen(int pdo, long dataLength, boolean dataDigest) {
        return pdo + dataLength + (dataDigest ? PduHeader.DIGEST_SIZE : 0);
    }

    /// The PLEN of a PDU without data.
    public static long plen(int hlen, boolean headerDigest) {
        return hlen + (headerDigest ? PduHeader.DIGEST_SIZE : 0);
    }

    /// Bytes of data in a PDU whose header is [#VALID], without the digests; 0 if its type has none.
    public static long dataLength(MemorySegment pdu, long at, boolean headerDigest, boolean dataDigest) {
        long plen = PduHeader.plen(pdu, at);
        return switch (PduHeader.type(pdu, at)) {
            case PduType.CAPSULE_CMD -> plen == plen(CapsuleCmd.SIZE, headerDigest)
                    ? 0
                    : dataLength(plen, PduHeader.pdo(pdu, at), dataDigest);
            case PduType.H2C_DATA, PduType.C2H_DATA -> dataLength(plen, PduHeader.pdo(pdu, at), dataDigest);
            case PduType.H2C_TERM_REQ, PduType.C2H_TERM_REQ -> plen - TermReq.SIZE;
            default -> 0;
        };
    }

    private static long dataLength(long plen, int pdo, boolean dataDigest) {
        return plen - pdo - (dataDigest ? PduHeader.DIGEST_SIZE : 0);
    }

    /// Checks type, HLEN, PDO and PLEN of a peer's PDU; flags it does not look at, and whether the peer may send this
    /// type at this time neither. The first 8 bytes of the PDU are enough.
    ///
    /// @param fromHost whether the peer is a host
    /// @param alignment what PDO must be a multiple of, see [#alignment]
    /// @param maxDataLength the most data that the PDU may carry
    /// @return [#VALID], or the offset of the wrong field: the Fatal Error Information of
    ///         [TermReq#FES_INVALID_PDU_HEADER_FIELD]
    public static int invalidField(MemorySegment pdu, long at, boolean fromHost, boolean headerDigest,
            boolean dataDigest, int alignment, long maxDataLength) {
        int type = PduHeader.type(pdu, at);
        int hlen = PduType.hlen(type);
        if (hlen == 0 || PduType.fromHost(type) != fromHost) {
            return PduHeader.TYPE;
        }
        if (PduHeader.hlen(pdu, at) != hlen) {
            return PduHeader.HLEN;
        }
        long plen = PduHeader.plen(pdu, at);
        return switch (type) {
            case PduType.IC_REQ, PduType.IC_RESP -> plenIs(plen, hlen);
            case PduType.CAPSULE_RESP, PduType.R2T -> plenIs(plen, plen(hlen, headerDigest));
            case PduType.H2C_TERM_REQ, PduType.C2H_TERM_REQ -> plen >= hlen && plen <= TermReq.MAX_PLEN
                    ? VALID
                    : PduHeader.PLEN;
            case PduType.CAPSULE_CMD -> plen == plen(hlen, headerDigest)
                    ? VALID
                    : invalidData(plen, PduHeader.pdo(pdu, at), plen(hlen, headerDigest), dataDigest, alignment,
                            maxDataLength);
            default -> invalidData(plen, PduHeader.pdo(pdu, at), plen(hlen, headerDigest), dataDigest, alignment,
                    maxDataLength);
        };
    }

    private static int plenIs(long plen, long expected) {
        return plen == expected ? VALID : PduHeader.PLEN;
    }

    /// `header` is where the header and its digest end.
    private static int invalidData(long plen, int pdo, long header, boolean dataDigest, int alignment,
            long maxDataLength) {
        if (plen <= header) {
            return PduHeader.PLEN;
        }
        if (pdo < header || pdo % alignment != 0) {
            return PduHeader.PDO;
        }
        long dataLength = dataLength(plen, pdo, dataDigest);
        return dataLength > 0 && dataLength <= maxDataLength ? VALID : PduHeader.PLEN;
    }
}
