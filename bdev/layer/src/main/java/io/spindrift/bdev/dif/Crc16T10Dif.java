package io.spindrift.bdev.dif;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The CRC-16 of T10's data integrity field: polynomial 8BB7h, most significant bit first, initial value 0, no final
/// inversion (SBC-3, 4.22.4; NVM Command Set specification, "16b Guard Protection Information").
///
/// Long inputs are first *folded*. Modulo the polynomial x<sup>8·106</sup> = x<sup>8·22</sup> + x<sup>8·5</sup> + 1
/// (found by search, proved by a test), so a byte may be replaced by itself XORed into three later bytes, 84, 101 and
/// 106 places on. Doing that from the front, eight bytes at a time, leaves 106 bytes with the remainder of the whole,
/// without a look-up. Those go through sixteen tables of 256 entries (8 KiB), sixteen bytes a step.
///
/// Stateless, any thread, allocates nothing.
final class Crc16T10Dif {
    static final int POLYNOMIAL = 0x8BB7;

    /// Bytes that a caller leaves free in its array before the input: folding uses them as a run of zeros.
    static final int HEADROOM = 106;

    static final int FIRST_FOLD = HEADROOM - 22;
    static final int SECOND_FOLD = HEADROOM - 5;
    static final int THIRD_FOLD = HEADROOM;

    /// Shorter inputs are not worth folding: what remains after it is 106 bytes.
    private static final int FOLD_FROM = 192;

    private static final VarHandle BIG_ENDIAN_WORD = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle WORD = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

    /// `TABLE[256 * k + b]` is the remainder of byte `b` followed by `k` zero bytes. Never written after its making.
    private static final char[] TABLE = table();

    private Crc16T10Dif() {
    }

    /// Continues `crc` (0 to start) over `length` bytes that start at `bytes[HEADROOM]`; the result is in 0..FFFFh.
    ///
    /// The bytes before them must be zero and stay so; the input itself is overwritten.
    static int update(int crc, byte[] bytes, int length) {
        if (length < FOLD_FROM) {
            return slice(crc, bytes, HEADROOM, HEADROOM + length);
        }
        bytes[HEADROOM] ^= (byte) (crc >>> 8);
        bytes[HEADROOM + 1] ^= (byte) crc;
        fold(bytes, HEADROOM + length);
        return slice(0, bytes, length, HEADROOM + length);
    }

    /// Folds everything before the last 106 bytes of `bytes[HEADROOM..end)` into those.
    private static void fold(byte[] bytes, int end) {
        int firstEnd = end - (HEADROOM - FIRST_FOLD);
        int secondEnd = end - (HEADROOM - SECOND_FOLD);
        int i = HEADROOM;
        for (int wide = firstEnd - 7; i < wide; i += 8) {
            long folded = (long) WORD.get(bytes, i) ^ (long) WORD.get(bytes, i - FIRST_FOLD)
                    ^ (long) WORD.get(bytes, i - SECOND_FOLD) ^ (long) WORD.get(bytes, i - THIRD_FOLD);
            WORD.set(bytes, i, folded);
        }
        for (; i < firstEnd; i++) {
            bytes[i] ^= (byte) (bytes[i - FIRST_FOLD] ^ bytes[i - SECOND_FOLD] ^ bytes[i - THIRD_FOLD]);
        }
        for (; i < secondEnd; i++) {
            bytes[i] ^= (byte) (bytes[i - SECOND_FOLD] ^ bytes[i - THIRD_FOLD]);
        }
        for (; i < end; i++) {
            bytes[i] ^= bytes[i - THIRD_FOLD];
        }
    }

    private static int slice(int crc, byte[] bytes, int start, int end) {
        int i = start;
        for (; i < end - 15; i += 16) {
            long first = (long) BIG_ENDIAN_WORD.get(bytes, i) ^ ((long) crc << 48);
            long second = (long) BIG_ENDIAN_WORD.get(bytes, i + 8);
            crc = TABLE[0xF00 + (int) (first >>> 56)] ^ TABLE[0xE00 + (int) (first >>> 48 & 0xFF)]
                    ^ TABLE[0xD00 + (int) (first >>> 40 & 0xFF)] ^ TABLE[0xC00 + (int) (first >>> 32 & 0xFF)]
                    ^ TABLE[0xB00 + (int) (first >>> 24 & 0xFF)] ^ TABLE[0xA00 + (int) (first >>> 16 & 0xFF)]
                    ^ TABLE[0x900 + (int) (first >>> 8 & 0xFF)] ^ TABLE[0x800 + (int) (first & 0xFF)]
                    ^ TABLE[0x700 + (int) (second >>> 56)] ^ TABLE[0x600 + (int) (second >>> 48 & 0xFF)]
                    ^ TABLE[0x500 + (int) (second >>> 40 & 0xFF)] ^ TABLE[0x400 + (int) (second >>> 32 & 0xFF)]
                    ^ TABLE[0x300 + (int) (second >>> 24 & 0xFF)] ^ TABLE[0x200 + (int) (second >>> 16 & 0xFF)]
                    ^ TABLE[0x100 + (int) (second >>> 8 & 0xFF)] ^ TABLE[(int) (second & 0xFF)];
        }
        for (; i < end; i++) {
            crc = (crc << 8 & 0xFFFF) ^ TABLE[crc >>> 8 ^ (bytes[i] & 0xFF)];
        }
        return crc;
    }

    private static char[] table() {
        char[] table = new char[16 * 256];
        for (int b = 0; b < 256; b++) {
            int remainder = b << 8;
            for (int bit = 0; bit < 8; bit++) {
                remainder = (remainder & 0x8000) != 0 ? remainder << 1 ^ POLYNOMIAL : remainder << 1;
            }
            table[b] = (char) remainder;
        }
        for (int i = 256; i < table.length; i++) {
            int shorter = table[i - 256];
            table[i] = (char) (shorter << 8 ^ table[shorter >>> 8]);
        }
        return table;
    }
}
