package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// A field of a data structure: where it lies and what it holds.
///
/// The Identify Controller data alone has about a hundred fields. Accessors would hide that its class is a table; with
/// these it reads as the specification's figure does: `IdentifyController.MDTS.set(page, 0, 5)`. Numbers allocate
/// nothing, text does.
/// `at` is where the structure begins in the segment.
public sealed interface Field {
    /// Bytes from the beginning of the structure.
    int offset();

    /// Bytes that the field takes.
    int size();

    /// An unsigned byte.
    record U8(int offset) implements Field {
        @Override
        public int size() {
            return 1;
        }

        public int get(MemorySegment segment, long at) {
            return LittleEndian.u8(segment, at + offset);
        }

        public void set(MemorySegment segment, long at, int value) {
            LittleEndian.u8(segment, at + offset, value);
        }
    }

    /// Two bytes, unsigned.
    record U16(int offset) implements Field {
        @Override
        public int size() {
            return 2;
        }

        public int get(MemorySegment segment, long at) {
            return LittleEndian.u16(segment, at + offset);
        }

        public void set(MemorySegment segment, long at, int value) {
            LittleEndian.u16(segment, at + offset, value);
        }
    }

    /// Four bytes, unsigned.
    record U32(int offset) implements Field {
        @Override
        public int size() {
            return 4;
        }

        public long get(MemorySegment segment, long at) {
            return LittleEndian.u32(segment, at + offset);
        }

        public void set(MemorySegment segment, long at, long value) {
            LittleEndian.u32(segment, at + offset, value);
        }
    }

    /// Eight bytes.
    record U64(int offset) implements Field {
        @Override
        public int size() {
            return 8;
        }

        public long get(MemorySegment segment, long at) {
            return LittleEndian.u64(segment, at + offset);
        }

        public void set(MemorySegment segment, long at, long value) {
            LittleEndian.u64(segment, at + offset, value);
        }
    }

    /// Sixteen bytes, as two halves.
    record U128(int offset) implements Field {
        @Override
        public int size() {
            return 16;
        }

        public long low(MemorySegment segment, long at) {
            return LittleEndian.u64(segment, at + offset);
        }

        public long high(MemorySegment segment, long at) {
            return LittleEndian.u64(segment, at + offset + 8);
        }

        /// Stores a number below 2^64.
        public void set(MemorySegment segment, long at, long value) {
            LittleEndian.u64(segment, at + offset, value);
            LittleEndian.u64(segment, at + offset + 8, 0);
        }
    }

    /// Bytes that are no number.
    record Bytes(int offset, int size) implements Field {
        public void get(MemorySegment segment, long at, byte[] target) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at + offset, target, 0, size);
        }

        /// Stores exactly `size` bytes.
        public void set(MemorySegment segment, long at, byte[] value) {
            checkSize(value.length, size);
            MemorySegment.copy(value, 0, segment, ValueLayout.JAVA_BYTE, at + offset, size);
        }

        public boolean isZero(MemorySegment segment, long at) {
            for (int i = 0; i < size; i++) {
                if (LittleEndian.u8(segment, at + offset + i) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /// ASCII text, left-justified and padded with spaces, without a NUL (base specification 2.0, "Conventions").
    record Ascii(int offset, int size) implements Field {
        /// The text without the spaces, or NULs of careless peers, at its end.
        public String get(MemorySegment segment, long at) {
            int length = size;
            while (length > 0 && isPadding(LittleEndian.u8(segment, at + offset + length - 1))) {
                length--;
            }
            return text(segment, at + offset, length);
        }

        private static boolean isPadding(int character) {
            return character == ' ' || character == 0;
        }

        /// Stores the text, cut to the field's size; what is no printable ASCII becomes a question mark.
        public void set(MemorySegment segment, long at, String text) {
            for (int i = 0; i < size; i++) {
                char character = i < text.length() ? text.charAt(i) : ' ';
                LittleEndian.u8(segment, at + offset + i, character < ' ' || character > '~' ? '?' : character);
            }
        }
    }

    /// UTF-8 text that ends with a NUL and is padded with NULs: NVMe qualified names.
    record Utf8(int offset, int size) implements Field {
        /// Bytes before the first NUL, or -1 if there is none.
        public int length(MemorySegment segment, long at) {
            for (int i = 0; i < size; i++) {
                if (LittleEndian.u8(segment, at + offset + i) == 0) {
                    return i;
                }
            }
            return -1;
        }

        /// The text before the first NUL, or all of the field. Malformed bytes become U+FFFD.
        public String get(MemorySegment segment, long at) {
            int length = length(segment, at);
            return text(segment, at + offset, length < 0 ? size : length);
        }

        /// Stores the text and NULs after it.
        ///
        /// @throws IllegalArgumentException if the text does not fit with its NUL
        public void set(MemorySegment segment, long at, String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length >= size) {
                throw new IllegalArgumentException("text=" + text + " has " + bytes.length + " bytes, the limit is "
                        + (size - 1));
            }
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at + offset, bytes.length);
            for (int i = bytes.length; i < size; i++) {
                LittleEndian.u8(segment, at + offset + i, 0);
            }
        }
    }

    /// Several numbers or structures of the same size in a row.
    record Array(int offset, int stride, int count) implements Field {
        @Override
        public int size() {
            return stride * count;
        }

        /// Where element `index` begins in the segment.
        ///
        /// @throws IndexOutOfBoundsException if there is no such element
        public long at(long at, int index) {
            return at + offset + (long) Objects.checkIndex(index, count) * stride;
        }
    }

    private static String text(MemorySegment segment, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void checkSize(int given, int size) {
        if (given != size) {
            throw new IllegalArgumentException("value has " + given + " bytes, the field " + size);
        }
    }
}
