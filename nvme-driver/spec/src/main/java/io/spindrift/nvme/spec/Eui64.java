package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;

/// An IEEE Extended Unique Identifier: 8 bytes, most significant first (base specification 2.0, "Unique Identifier").
public record Eui64(long value) {
    public static final int SIZE = 8;

    /// None given.
    public static final Eui64 ZERO = new Eui64(0);

    /// Reads 16 hexadecimal digits.
    ///
    /// @throws IllegalArgumentException if the text is anything else
    public static Eui64 parse(String text) {
        if (!text.matches("[0-9a-fA-F]{16}")) {
            throw new IllegalArgumentException("eui64=" + text + " must be 16 hexadecimal digits");
        }
        return new Eui64(HexFormat.fromHexDigitsToLong(text));
    }

    public static Eui64 read(MemorySegment segment, long at) {
        return new Eui64(Long.reverseBytes(LittleEndian.u64(segment, at)));
    }

    public void write(MemorySegment segment, long at) {
        LittleEndian.u64(segment, at, Long.reverseBytes(value));
    }

    public boolean isZero() {
        return value == 0;
    }

    /// 16 hexadecimal digits.
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
