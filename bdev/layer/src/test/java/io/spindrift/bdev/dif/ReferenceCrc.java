package io.spindrift.bdev.dif;

/// The three guard CRCs, one bit at a time, straight from their definitions: what the fast ones are compared with.
final class ReferenceCrc {
    private ReferenceCrc() {}

    static long guard(PiFormat format, byte[] bytes, int from, int length) {
        return switch (format) {
            case GUARD_16 -> mostSignificantFirst16(bytes, from, length);
            case GUARD_32 -> leastSignificantFirst(bytes, from, length, 32, 0x1EDC6F41L);
            case GUARD_64 -> leastSignificantFirst(bytes, from, length, 64, 0xAD93D23594C93659L);
        };
    }

    private static long mostSignificantFirst16(byte[] bytes, int from, int length) {
        int crc = 0;
        for (int i = from; i < from + length; i++) {
            crc ^= (bytes[i] & 0xFF) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1 ^ 0x8BB7) & 0xFFFF : crc << 1;
            }
        }
        return crc;
    }

    /// Initial value and final XOR are all ones.
    private static long leastSignificantFirst(byte[] bytes, int from, int length, int width, long polynomial) {
        long mask = -1L >>> 64 - width;
        long reflected = Long.reverse(polynomial) >>> 64 - width;
        long crc = mask;
        for (int i = from; i < from + length; i++) {
            crc ^= bytes[i] & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ reflected : crc >>> 1;
            }
        }
        return crc ^ mask;
    }
}
