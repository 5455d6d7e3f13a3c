package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// A Namespace Globally Unique Identifier: 16 bytes, most significant first (base specification 2.0, "Unique
/// Identifier").
public record Nguid(long high, long low) {
    public static final int SIZE = 16;

    /// None given.
    public static final Nguid ZERO = new Nguid(0, 0);

    /// Reads 32 hexadecimal digits.
    ///
    /// @throws IllegalArgumentException if the text is anything else
    public static Nguid parse(String text) {
        if (!text.matches("[0-9a-fA-F]{32}")) {
            throw new IllegalArgumentException("nguid=" + text + " must be 32 hexadecimal digits");
        }
        return new Nguid(HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    public static Nguid read(MemorySegment segment, long at) {
        return new Nguid(Long.reverseBytes(LittleEndian.u64(segment, at)),
                Long.reverseBytes(LittleEndian.u64(segment, at + 8)));
    }

    public void write(MemorySegment segment, long at) {
        LittleEndian.u64(segment, at, Long.reverseBytes(high));
        LittleEndian.u64(segment, at + 8, Long.reverseBytes(low));
    }

    public boolean isZero() {
        return high == 0 && low == 0;
    }

    /// 32 hexadecimal digits.
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
