package io.spindrift.nvme.spec.tcp;

import java.lang.foreign.MemorySegment;

/// Command Capsule: a header of 72 bytes with the submission queue entry, and in-capsule data (NVMe/TCP transport 1.0,
/// "CapsuleCmd").
public final class CapsuleCmd {
    public static final int SIZE = 72;

    /// The [io.spindrift.nvme.spec.SubmissionQueueEntry].
    public static final int SQE = 8;

    private CapsuleCmd() {}

    /// Writes the common header of a capsule without data.
    public static void write(MemorySegment pdu, long at, boolean headerDigest) {
        PduHeader.write(pdu, at, PduType.CAPSULE_CMD, headerDigest ? PduHeader.HDGSTF : 0, SIZE, 0,
                PduRules.plen(SIZE, headerDigest));
    }

    /// Writes the common header of a capsule with data.
    public static void write(MemorySegment pdu, long at, boolean headerDigest, boolean dataDigest, int alignment,
            long dataLength) {
        int pdo = PduRules.pdo(SIZE, headerDigest, alignment);
        PduHeader.write(pdu, at, PduType.CAPSULE_CMD, DataFlags.of(headerDigest, dataDigest), SIZE, pdo,
                PduRules.plen(pdo, dataLength, dataDigest));
    }
}
