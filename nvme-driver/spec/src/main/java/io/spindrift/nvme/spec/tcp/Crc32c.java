package io.spindrift.nvme.spec.tcp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The checksum of header and data digests, CRC32C (NVMe/TCP transport 1.0, "Digests"; RFC 3720, B.4).
///
/// One thread. It allocates a view when it meets another segment than the last time, else nothing.
public final class Crc32c {
    private final CRC32C crc = new CRC32C();
    private MemorySegment viewed;
    private ByteBuffer view;

    /// With nothing added.
    public Crc32c() {}

    /// Begins anew.
    public void reset() {
        crc.reset();
    }

    /// Adds `length` bytes at `offset` of `segment`, native memory of less than 2 GiB. IndexOutOfBoundsException if they
    /// are not inside of it.
    public void update(MemorySegment segment, long offset, long length) {
        if (segment != viewed) {
            viewed = segment;
            view = segment.asByteBuffer();
        }
        update(view, offset, length);
    }

    /// As the other; position and limit of `bytes` are changed.
    public void update(ByteBuffer bytes, long offset, long length) {
        int from = Math.toIntExact(offset);
        bytes.limit(Math.toIntExact(offset + length)).position(from);
        crc.update(bytes);
    }

    /// The checksum of what was added since [#reset()].
    public int value() {
        return (int) crc.getValue();
    }

    /// The checksum of `length` bytes at `offset` of `segment`.
    public int of(MemorySegment segment, long offset, long length) {
        reset();
        update(segment, offset, length);
        return value();
    }
}
