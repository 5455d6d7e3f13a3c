package io.spindrift.nvme.spec.tcp;

import java.lang.foreign.MemorySegment;

/// Response Capsule: 24 bytes with the completion queue entry (NVMe/TCP transport 1.0, "CapsuleResp").
public final class CapsuleResp {
    public static final int SIZE = 24;

    /// The [io.spindrift.nvme.spec.CompletionQueueEntry].
    public static final int CQE = 8;

    private CapsuleResp() {}

    /// Writes the common header.
    public static void write(MemorySegment pdu, long at, boolean headerDigest) {
        PduHeader.write(pdu, at, PduType.CAPSULE_RESP, headerDigest ? PduHeader.HDGSTF : 0, SIZE, 0,
                PduRules.plen(SIZE, headerDigest));
    }
}
