package io.spindrift.framework.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The trace file: how a writer and a reader that know nothing of each other agree.
///
/// All numbers are little-endian. The file is a header page, a table of groups, a table of tracepoints, a table of ring
/// headers, then the rings, each starting on a page:
///
/// ```text
/// header (256 bytes)
///     0 magic "SPNDTRCE"      8 version u32           12 header size u32
///    16 file size u64        24 ticks a second u64    32 writer's pid u64     40 writer's start, ms since 1970 u64
///    48 reference tick u64   56 its time, ns since 1970 u64
///    64 groups u32           68 tracepoints u32       72 rings u32            76 records in a ring u32 (a power of two)
///    80 group table offset u64   88 tracepoint table offset u64   96 ring table offset u64
///   128 application's name, 64 bytes, padded with zeros
/// group (64 bytes)
///     0 number u32            8 mask of enabled tracepoints u64 (live)       16 name, 32 bytes
/// tracepoint (160 bytes)
///     0 index u32             4 flags u32 (1: starts an object)               8 object prefix u32
///    12 arguments u32        16 name, 32 bytes                               48 object name, 16 bytes
///    64 three arguments of 32 bytes: kind u32 (0 number, 1 hex, 2 duration), at 8 name, 16 bytes
/// ring header (128 bytes)
///     0 core u32              8 offset of its records u64
///    64 records written u64 (a cache line of its own)   72 first record not cleared u64
/// record (64 bytes): number n is in slot n mod capacity
///     0 sequence u64: n + 1, or 0 while it is written
///     8 tick u64             16 tracepoint index u32  20 thread id u32        24 object id u64
///    32 size u64             40 three arguments u64
/// ```
///
/// A writer of record n stores sequence 0, the fields, sequence n + 1 with release, then `records written` with release.
/// A reader loads the sequence with acquire, copies the record, and takes it only if the sequence was n + 1 before and
/// after: a record that was overwritten meanwhile, or that a killed writer left half-made, is seen as such.
final class TraceFileLayout {
    /// `SPNDTRCE` in memory order.
    static final long MAGIC = 0x45435254444E5053L;
    static final int VERSION = 1;
    static final int PAGE = 4096;

    static final int HEADER_BYTES = 256;
    static final int HEADER_MAGIC = 0;
    static final int HEADER_VERSION = 8;
    static final int HEADER_SIZE = 12;
    static final int HEADER_FILE_SIZE = 16;
    static final int HEADER_TICK_RATE = 24;
    static final int HEADER_PID = 32;
    static final int HEADER_PROCESS_START = 40;
    static final int HEADER_REFERENCE_TICK = 48;
    static final int HEADER_REFERENCE_TIME = 56;
    static final int HEADER_GROUPS = 64;
    static final int HEADER_TRACEPOINTS = 68;
    static final int HEADER_RINGS = 72;
    static final int HEADER_CAPACITY = 76;
    static final int HEADER_GROUP_TABLE = 80;
    static final int HEADER_TRACEPOINT_TABLE = 88;
    static final int HEADER_RING_TABLE = 96;
    static final int HEADER_NAME = 128;
    static final int HEADER_NAME_BYTES = 64;

    static final int GROUP_BYTES = 64;
    static final int GROUP_NUMBER = 0;
    static final int GROUP_MASK = 8;
    static final int GROUP_NAME = 16;
    static final int GROUP_NAME_BYTES = TraceGroup.MAX_NAME_BYTES + 1;

    static final int TRACEPOINT_BYTES = 160;
    static final int TRACEPOINT_INDEX = 0;
    static final int TRACEPOINT_FLAGS = 4;
    static final int TRACEPOINT_PREFIX = 8;
    static final int TRACEPOINT_ARGUMENTS = 12;
    static final int TRACEPOINT_NAME = 16;
    static final int TRACEPOINT_NAME_BYTES = Tracepoint.MAX_NAME_BYTES + 1;
    static final int TRACEPOINT_OBJECT = 48;
    static final int TRACEPOINT_OBJECT_BYTES = TraceObject.MAX_NAME_BYTES + 1;
    static final int FLAG_STARTS_OBJECT = 1;

    static final int ARGUMENT_TABLE = 64;
    static final int ARGUMENT_BYTES = 32;
    static final int ARGUMENT_KIND = 0;
    static final int ARGUMENT_NAME = 8;
    static final int ARGUMENT_NAME_BYTES = TraceArgument.MAX_NAME_BYTES + 1;

    static final int RING_BYTES = 128;
    static final int RING_CORE = 0;
    static final int RING_OFFSET = 8;
    static final int RING_WRITTEN = 64;
    static final int RING_FIRST = 72;

    static final int RECORD_BYTES = 64;
    static final int RECORD_SEQUENCE = 0;
    static final int RECORD_TICK = 8;
    static final int RECORD_TRACEPOINT = 16;
    static final int RECORD_THREAD = 20;
    static final int RECORD_OBJECT = 24;
    static final int RECORD_SIZE = 32;
    static final int RECORD_ARGUMENT_0 = 40;
    static final int RECORD_ARGUMENT_1 = 48;
    static final int RECORD_ARGUMENT_2 = 56;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle LONG_HANDLE = LONG.varHandle().withInvokeExactBehavior();

    private TraceFileLayout() {}

    static long longAcquire(MemorySegment segment, long offset) {
        return (long) LONG_HANDLE.getAcquire(segment, offset);
    }

    static void longRelease(MemorySegment segment, long offset, long value) {
        LONG_HANDLE.setRelease(segment, offset, value);
    }

    static void longOpaque(MemorySegment segment, long offset, long value) {
        LONG_HANDLE.setOpaque(segment, offset, value);
    }

    /// Stores `text`, which must fit with a closing zero, into a field that is all zeros.
    static void text(MemorySegment segment, long offset, int bytes, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        if (encoded.length >= bytes) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than " + (bytes - 1) + " bytes");
        }
        MemorySegment.copy(encoded, 0, segment, ValueLayout.JAVA_BYTE, offset, encoded.length);
    }

    /// The text in a field of `bytes` bytes, up to its first zero.
    static String text(MemorySegment segment, long offset, int bytes) {
        byte[] encoded = segment.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes && encoded[length] != 0) {
            length++;
        }
        return new String(encoded, 0, length, StandardCharsets.UTF_8);
    }

    static long alignToPage(long offset) {
        return (offset + PAGE - 1) & -PAGE;
    }
}
