package io.spindrift.bdev.dif;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/// Computes the guard of one block at a time: start, add bytes in any portions, read the value.
///
/// The bytes are copied through a small array that stays in the first-level cache: the JDK's CRC-32C intrinsic then
/// works without a `ByteBuffer` view for each segment, [Crc16T10Dif] may fold in place, and all loops see one kind of
/// memory. Owned by one thread; allocates only when constructed.
final class GuardCrc {
    private static final int CHUNK = 4096;
    private static final int START = Crc16T10Dif.HEADROOM;

    private final PiFormat format;
    private final byte[] chunk = new byte[START + CHUNK];
    private final Crc16T10Dif crc16 = new Crc16T10Dif();
    private final CRC32C crc32c = new CRC32C();
    private long crc;

    GuardCrc(PiFormat format) {
        this.format = format;
    }

    void start() {
        crc = 0;
        crc32c.reset();
    }

    /// Adds `length` bytes of `segment` from `offset`.
    void add(MemorySegment segment, long offset, long length) {
        while (length > 0) {
            int portion = (int) Math.min(length, CHUNK);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, chunk, START, portion);
            switch (format) {
                case GUARD_16 -> crc = crc16.update((int) crc, chunk, portion);
                case GUARD_32 -> crc32c.update(chunk, START, portion);
                case GUARD_64 -> crc = Crc64Nvme.update(crc, chunk, START, portion);
            }
            offset += portion;
            length -= portion;
        }
    }

    /// The guard of the bytes added since [#start()], in the low bits that the format uses.
    long value() {
        return format == PiFormat.GUARD_32 ? crc32c.getValue() : crc;
    }
}
