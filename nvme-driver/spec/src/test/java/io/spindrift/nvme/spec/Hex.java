package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/// Bytes of a segment as hexadecimal digits.
final class Hex {
    private Hex() {}

    /// The digits of `text` without the blanks that group them.
    static String of(String text) {
        return text.replace(" ", "");
    }

    static String of(MemorySegment segment, long at, long size) {
        return HexFormat.of().formatHex(segment.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE));
    }

    static MemorySegment parse(String text) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(of(text)));
    }
}
