package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/// Whatever its ranges, a vector behaves as one array of bytes.
class IoVectorPropertyTest {
    private static final int SEGMENT_BYTES = 3000;

    private final Arena arena = Arena.ofAuto();
    private final MemorySegment[] segments = {arena.allocate(SEGMENT_BYTES, 8), arena.allocate(SEGMENT_BYTES, 8)};

    record Range(int segment, int offset, int length) {}

    @Provide
    Arbitrary<List<Range>> ranges() {
        return Combinators.combine(Arbitraries.integers().between(0, 1), Arbitraries.integers().between(0, 1999),
                Arbitraries.integers().between(0, 1000)).as(Range::new).list().ofMaxSize(8);
    }

    private IoVector vector(List<Range> ranges) {
        IoVector vector = new IoVector(1);
        ranges.forEach(r -> vector.add(segments[r.segment], r.offset, r.length));
        return vector;
    }

    private void fillSegments(long seed) {
        Random random = new Random(seed);
        for (MemorySegment segment : segments) {
            byte[] bytes = new byte[SEGMENT_BYTES];
            random.nextBytes(bytes);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, SEGMENT_BYTES);
        }
    }

    /// The model: all bytes of the ranges in order.
    private byte[] bytes(List<Range> ranges) {
        byte[] all = new byte[ranges.stream().mapToInt(Range::length).sum()];
        int at = 0;
        for (Range r : ranges) {
            MemorySegment.copy(segments[r.segment], ValueLayout.JAVA_BYTE, r.offset, all, at, r.length);
            at += r.length;
        }
        return all;
    }

    private byte[] bytes(IoVector vector, long from, long length) {
        MemorySegment copy = arena.allocate(length + 16, 8);
        copy.fill((byte) 0x77);
        vector.copyTo(copy, 8, from, length);
        for (int i = 0; i < 8; i++) {
            assertEquals(0x77, copy.get(ValueLayout.JAVA_BYTE, i));
            assertEquals(0x77, copy.get(ValueLayout.JAVA_BYTE, 8 + length + i));
        }
        return copy.asSlice(8, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// A part of `total` bytes chosen by two numbers.
    private static int[] part(int total, int first, int second) {
        int from = total == 0 ? 0 : first % total;
        int length = total == 0 ? 0 : second % (total - from + 1);
        return new int[]{from, length};
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void copiesAnyPartOut(@ForAll("ranges") List<Range> ranges, @ForAll long seed,
            @ForAll @IntRange(max = 10_000) int first, @ForAll @IntRange(max = 10_000) int second) {
        fillSegments(seed);
        byte[] model = bytes(ranges);
        IoVector vector = vector(ranges);
        assertEquals(model.length, vector.byteLength());
        int[] part = part(model.length, first, second);
        assertArrayEquals(Arrays.copyOfRange(model, part[0], part[0] + part[1]), bytes(vector, part[0], part[1]));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void slicesToTheSameBytes(@ForAll("ranges") List<Range> ranges, @ForAll long seed,
            @ForAll @IntRange(max = 10_000) int first, @ForAll @IntRange(max = 10_000) int second) {
        fillSegments(seed);
        byte[] model = bytes(ranges);
        int[] part = part(model.length, first, second);
        IoVector slice = new IoVector(1);
        slice.addSlice(vector(ranges), part[0], part[1]);
        assertEquals(part[1], slice.byteLength());
        assertArrayEquals(Arrays.copyOfRange(model, part[0], part[0] + part[1]), bytes(slice, 0, part[1]));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void isTheSumOfItsPieces(@ForAll("ranges") List<Range> ranges, @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 700) int pieceLength) {
        fillSegments(seed);
        byte[] model = bytes(ranges);
        IoVector whole = vector(ranges);
        IoVector joined = new IoVector(4);
        for (int from = 0; from < model.length; from += pieceLength) {
            joined.addSlice(whole, from, Math.min(pieceLength, model.length - from));
        }
        assertArrayEquals(model, bytes(joined, 0, model.length));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void copiesInWhereTheModelSays(@ForAll long seed, @ForAll @IntRange(max = 1500) int length0,
            @ForAll @IntRange(max = 1500) int length1, @ForAll @IntRange(max = 3000) int first,
            @ForAll @IntRange(max = 3000) int second) {
        fillSegments(seed);
        List<Range> ranges = List.of(new Range(0, 100, length0), new Range(1, 7, length1), new Range(0, 1700, 300));
        byte[] model = bytes(ranges);
        int[] part = part(model.length, first, second);
        MemorySegment source = arena.allocate(part[1] + 3L);
        source.fill((byte) 0x5A);
        vector(ranges).copyFrom(source, 3, part[0], part[1]);
        Arrays.fill(model, part[0], part[0] + part[1], (byte) 0x5A);
        assertArrayEquals(model, bytes(ranges));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void copiesBetweenVectorsAndComparesThem(@ForAll("ranges") List<Range> ranges, @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 900) int pieceLength, @ForAll @IntRange(max = 10_000) int first,
            @ForAll @IntRange(max = 10_000) int second) {
        fillSegments(seed);
        byte[] model = bytes(ranges);
        IoVector source = vector(ranges);
        IoVector target = new IoVector(1);
        for (int from = 0; from < model.length; from += pieceLength) {
            target.add(arena.allocate(pieceLength), 0, Math.min(pieceLength, model.length - from));
        }
        int[] part = part(model.length, first, second);
        target.copyFrom(source, part[0], part[0], part[1]);
        assertArrayEquals(Arrays.copyOfRange(model, part[0], part[0] + part[1]), bytes(target, part[0], part[1]));
        assertEquals(-1, target.mismatch(source, part[0], part[0], part[1]));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void findsTheFirstDifference(@ForAll("ranges") List<Range> ranges, @ForAll long seed,
            @ForAll @IntRange(max = 10_000) int first, @ForAll @IntRange(max = 10_000) int second,
            @ForAll @IntRange(max = 10_000) int where) {
        fillSegments(seed);
        byte[] model = bytes(ranges);
        IoVector vector = vector(ranges);
        int[] part = part(model.length, first, second);
        MemorySegment other = arena.allocate(model.length + 5L);
        MemorySegment.copy(model, 0, other, ValueLayout.JAVA_BYTE, 5, model.length);
        assertEquals(-1, vector.mismatch(other, 5L + part[0], part[0], part[1]));
        if (part[1] > 0) {
            int at = where % part[1];
            long position = 5L + part[0] + at;
            other.set(ValueLayout.JAVA_BYTE, position, (byte) ~other.get(ValueLayout.JAVA_BYTE, position));
            assertEquals(at, vector.mismatch(other, 5L + part[0], part[0], part[1]));
        }
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void fillsItsRangesAndNothingElse(@ForAll("ranges") List<Range> ranges, @ForAll long seed, @ForAll byte value) {
        fillSegments(seed);
        byte[][] models = {segments[0].toArray(ValueLayout.JAVA_BYTE), segments[1].toArray(ValueLayout.JAVA_BYTE)};
        ranges.forEach(r -> Arrays.fill(models[r.segment], r.offset, r.offset + r.length, value));
        vector(ranges).fill(value);
        assertArrayEquals(models[0], segments[0].toArray(ValueLayout.JAVA_BYTE));
        assertArrayEquals(models[1], segments[1].toArray(ValueLayout.JAVA_BYTE));
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    void tellsAlignmentAsEachRangeWould(@ForAll("ranges") List<Range> ranges, @ForAll @IntRange(max = 12) int shift) {
        IoVector vector = vector(ranges);
        long mask = (1L << shift) - 1;
        boolean aligned = true;
        for (int i = 0; i < vector.count(); i++) {
            aligned &= (vector.address(i) & mask) == 0;
        }
        assertEquals(aligned, (vector.addressBits() & mask) == 0);
    }
}
