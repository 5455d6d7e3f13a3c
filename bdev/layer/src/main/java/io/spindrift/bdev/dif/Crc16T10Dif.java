package io.spindrift.bdev.dif;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The CRC-16 of T10's data integrity field: polynomial 8BB7h, most significant bit first, initial value 0, no final
/// inversion (SBC-3, 4.22.4; NVM Command Set specification, "16b Guard Protection Information").
///
/// Long inputs are first *folded*. Modulo the polynomial x<sup>8·106</sup> = x<sup>8·22</sup> + x<sup>8·5</sup> + 1
/// (found by search, proved by a test), so a byte may be replaced by itself XORed into three later bytes, 84, 101 and
/// 106 places on. Doing that from the front, eight bytes at a time, leaves 112 bytes with the remainder of the whole,
/// without a look-up. Those go through sixteen tables of 256 entries (8 KiB), sixteen bytes a step.
/// ```
///            0   HEADROOM                          folded              end
///            | zeros |  each word is XORed with ... | the last 112 bytes |
///                                ^84  ^101  ^106 bytes before it
/// ```
/// Owned by one thread; allocates only when constructed.
final class Crc16T10Dif {
    static final int POLYNOMIAL = 0x8BB7;

    static final int FIRST_FOLD = 106 - 22;
    static final int SECOND_FOLD = 106 - 5;
    static final int THIRD_FOLD = 106;

    /// Bytes that a caller leaves free in its array before the input, all zero: what the first words are folded with.
    /// They may start up to seven bytes before the input.
    static final int HEADROOM = 128;

    /// What remains after folding: the last folded bytes reach so far, rounded up to whole steps of the tables.
    private static final int REMAINDER = 112;

    /// Shorter inputs are not worth folding.
    private static final int FOLD_FROM = 192;

    private static final VarHandle BIG_ENDIAN_WORD = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN).withInvokeExactBehavior();
    private static final VarHandle WORD = MethodHandles
            .byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

    /// `TABLE[256 * k + b]` is the remainder of byte `b` followed by `k` zero bytes. Never written after its making.
    private static final char[] TABLE = table();

    /// The last folded bytes, then zeros for the places that nothing is folded into.
    private final byte[] carry = new byte[THIRD_FOLD + REMAINDER];

    Crc16T10Dif() {}

    /// Continues `crc` (0 to start) over `length` bytes that start at `bytes[HEADROOM]`; the result is in 0..FFFFh.
    ///
    /// The bytes before them must be zero and stay so; the input itself is overwritten.
    int update(int crc, byte[] bytes, int length) {
        int end = HEADROOM + length;
        if (length < FOLD_FROM) {
            return slice(crc, bytes, HEADROOM, end);
        }
        bytes[HEADROOM] ^= (byte) (crc >>> 8);
        bytes[HEADROOM + 1] ^= (byte) crc;
        int folded = end - REMAINDER;
        // Whole words that end at `folded`; the first may begin in the headroom, where zeros fold to zeros.
        for (int i = folded - (folded - HEADROOM + 7 & ~7); i < folded; i += 8) {
            WORD.set(bytes, i, (long) WORD.get(bytes, i) ^ (long) WORD.get(bytes, i - FIRST_FOLD)
                    ^ (long) WORD.get(bytes, i - SECOND_FOLD) ^ (long) WORD.get(bytes, i - THIRD_FOLD));
        }
        System.arraycopy(bytes, folded - THIRD_FOLD, carry, 0, THIRD_FOLD);
        for (int i = 0; i < REMAINDER; i += 8) {
            WORD.set(bytes, folded + i, (long) WORD.get(bytes, folded + i)
                    ^ (long) WORD.get(carry, i + THIRD_FOLD - FIRST_FOLD)
                    ^ (long) WORD.get(carry, i + THIRD_FOLD - SECOND_FOLD) ^ (long) WORD.get(carry, i));
        }
        return slice(0, bytes, folded, end);
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
