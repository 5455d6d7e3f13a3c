package io.spindrift.bdev.dif;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The CRC-64 of NVMe's 64b guard: polynomial AD93D23594C93659h, least significant bit first, initial value and final
/// XOR all ones (NVM Command Set specification, "64b Guard Protection Information").
///
/// Slicing by sixteen: one look-up a byte, of which only the first eight of each sixteen depend on the previous step.
/// Stateless, any thread, allocates nothing.
final class Crc64Nvme {
    /// The polynomial with its bits in the order in which this CRC consumes them.
    private static final long REFLECTED_POLYNOMIAL = Long.reverse(0xAD93D23594C93659L);

    private static final VarHandle WORD = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN).withInvokeExactBehavior();

    /// `TABLE[256 * k + b]` is the remainder of byte `b` followed by `k` zero bytes. Never written after its making.
    private static final long[] TABLE = table();

    private Crc64Nvme() {}

    /// Continues `crc` (0 to start; the inversions at both ends are done here) over `bytes[start..start + length)`.
    static long update(long crc, byte[] bytes, int start, int length) {
        long state = ~crc;
        int end = start + length;
        int i = start;
        for (; i < end - 15; i += 16) {
            long first = (long) WORD.get(bytes, i) ^ state;
            long second = (long) WORD.get(bytes, i + 8);
            state = TABLE[0xF00 + (int) (first & 0xFF)] ^ TABLE[0xE00 + (int) (first >>> 8 & 0xFF)]
                    ^ TABLE[0xD00 + (int) (first >>> 16 & 0xFF)] ^ TABLE[0xC00 + (int) (first >>> 24 & 0xFF)]
                    ^ TABLE[0xB00 + (int) (first >>> 32 & 0xFF)] ^ TABLE[0xA00 + (int) (first >>> 40 & 0xFF)]
                    ^ TABLE[0x900 + (int) (first >>> 48 & 0xFF)] ^ TABLE[0x800 + (int) (first >>> 56)]
                    ^ TABLE[0x700 + (int) (second & 0xFF)] ^ TABLE[0x600 + (int) (second >>> 8 & 0xFF)]
                    ^ TABLE[0x500 + (int) (second >>> 16 & 0xFF)] ^ TABLE[0x400 + (int) (second >>> 24 & 0xFF)]
                    ^ TABLE[0x300 + (int) (second >>> 32 & 0xFF)] ^ TABLE[0x200 + (int) (second >>> 40 & 0xFF)]
                    ^ TABLE[0x100 + (int) (second >>> 48 & 0xFF)] ^ TABLE[(int) (second >>> 56)];
        }
        for (; i < end; i++) {
            state = state >>> 8 ^ TABLE[(int) (state & 0xFF) ^ (bytes[i] & 0xFF)];
        }
        return ~state;
    }

    private static long[] table() {
        long[] table = new long[16 * 256];
        for (int b = 0; b < 256; b++) {
            long remainder = b;
            for (int bit = 0; bit < 8; bit++) {
                remainder = (remainder & 1) != 0 ? remainder >>> 1 ^ REFLECTED_POLYNOMIAL : remainder >>> 1;
            }
            table[b] = remainder;
        }
        for (int i = 256; i < table.length; i++) {
            long shorter = table[i - 256];
            table[i] = shorter >>> 8 ^ table[(int) (shorter & 0xFF)];
        }
        return table;
    }
}
