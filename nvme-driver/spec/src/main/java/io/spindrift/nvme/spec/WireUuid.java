package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.util.UUID;

/// A UUID in its 16 bytes, most significant first (RFC 4122, 4.1.2; base specification 2.0, "Unique Identifier"):
/// namespace UUIDs, extended host identifiers.
public final class WireUuid {
    public static final int SIZE = 16;

    private WireUuid() {}

    public static UUID read(MemorySegment segment, long at) {
        return new UUID(Long.reverseBytes(LittleEndian.u64(segment, at)),
                Long.reverseBytes(LittleEndian.u64(segment, at + 8)));
    }

    public static void write(MemorySegment segment, long at, UUID uuid) {
        LittleEndian.u64(segment, at, Long.reverseBytes(uuid.getMostSignificantBits()));
        LittleEndian.u64(segment, at + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
    }
}
