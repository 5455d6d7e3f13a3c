package io.spindrift.nvme.spec.feature;

import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U8;

/// The data of the feature Timestamp, 8 bytes (base specification 2.0, 5.27.1).
public final class Timestamp {
    public static final int SIZE = 8;

    /// Milliseconds since 1970, little-endian.
    public static final Bytes MILLISECONDS = new Bytes(0, 6);
    /// Synch in bit 0, Timestamp Origin in bits 3:1: 0 since reset, 1 set by a host.
    public static final U8 ATTRIBUTES = new U8(6);

    private Timestamp() {}
}
