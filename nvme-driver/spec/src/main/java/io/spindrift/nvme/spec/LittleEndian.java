package io.spindrift.nvme.spec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Little-endian numbers at any offset, aligned or not: the one place that names the byte order of NVMe (base
/// specification 2.0, "Conventions").
///
/// An unsigned 32-bit number is a `long`, so that one from a peer is never negative; command dwords, which are taken
/// apart by bits, are read as `int`. A setter stores the low bits of what it is given. An offset outside the segment
/// throws IndexOutOfBoundsException, as the segment does. Allocates nothing.
public final class LittleEndian {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /// An unsigned byte, 0 to 255.
    public static int u8(MemorySegment segment, long at) {
        return segment.get(ValueLayout.JAVA_BYTE, at) & 0xff;
    }

    public static void u8(MemorySegment segment, long at, int value) {
        segment.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    /// Two bytes, 0 to 65,535.
    public static int u16(MemorySegment segment, long at) {
        return segment.get(SHORT, at) & 0xffff;
    }

    public static void u16(MemorySegment segment, long at, int value) {
        segment.set(SHORT, at, (short) value);
    }

    /// Three bytes, 0 to 16,777,215.
    public static int u24(MemorySegment segment, long at) {
        return u16(segment, at) | u8(segment, at + 2) << 16;
    }

    public static void u24(MemorySegment segment, long at, int value) {
        u16(segment, at, value);
        u8(segment, at + 2, value >>> 16);
    }

    /// Four bytes, 0 to 4,294,967,295.
    public static long u32(MemorySegment segment, long at) {
        return segment.get(INT, at) & 0xffff_ffffL;
    }

    public static void u32(MemorySegment segment, long at, long value) {
        segment.set(INT, at, (int) value);
    }

    /// Four bytes as they are: a dword whose bits have names.
    public static int dword(MemorySegment segment, long at) {
        return segment.get(INT, at);
    }

    public static void dword(MemorySegment segment, long at, int value) {
        segment.set(INT, at, value);
    }

    /// Eight bytes; unsigned numbers from 2^63 on are negative.
    public static long u64(MemorySegment segment, long at) {
        return segment.get(LONG, at);
    }

    public static void u64(MemorySegment segment, long at, long value) {
        segment.set(LONG, at, value);
    }

    /// Clears `size` bytes, a multiple of 8.
    public static void clear(MemorySegment segment, long at, long size) {
        for (long offset = 0; offset < size; offset += Long.BYTES) {
            segment.set(LONG, at + offset, 0);
        }
    }
}
