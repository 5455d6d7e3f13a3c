package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DifTest {
    private static final int ALL_CHECKS = Dif.CHECK_GUARD | Dif.CHECK_APPLICATION_TAG | Dif.CHECK_REFERENCE_TAG;

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void closeArena() {
        arena.close();
    }

    private static DifFormat interleaved(DifType type, PiFormat pi) {
        return new DifFormat(4096, pi.tupleBytes(), true, type, pi, false);
    }

    private IoVector oneSegment(MemorySegment segment) {
        IoVector vector = new IoVector(1);
        vector.add(segment, 0, segment.byteSize());
        return vector;
    }

    private static byte[] tuple(MemorySegment segment, DifFormat format, int block) {
        return segment.asSlice((long) block * format.blockBytes() + format.dataBytes(), format.piFormat().tupleBytes())
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /// The guards are the specification's test cases for 4 KiB of zeros (CRC-16 of zeros is 0); the rest is the layout
    /// of the three formats, written out.
    @ParameterizedTest
    @CsvSource({"GUARD_16, 0000 ABCD 89ABCDEF, 0000 ABCD 89ABCDF0",
            "GUARD_32, 98F94189 ABCD 0000 0123456789ABCDEF, 98F94189 ABCD 0000 0123456789ABCDF0",
            "GUARD_64, 6482D367EB22B64E ABCD 456789ABCDEF, 6482D367EB22B64E ABCD 456789ABCDF0"})
    void writesTheTupleBigEndian(PiFormat pi, String first, String second) {
        DifFormat format = interleaved(DifType.TYPE_1, pi);
        MemorySegment blocks = arena.allocate(2L * format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(0x0123456789ABCDEFL, 0xABCD, 0xFFFF);
        dif.generate(oneSegment(blocks), 2);
        assertArrayEquals(HexFormat.of().parseHex(first.replace(" ", "")), tuple(blocks, format, 0));
        assertArrayEquals(HexFormat.of().parseHex(second.replace(" ", "")), tuple(blocks, format, 1));
    }

    @Test
    void wrapsTheReferenceTagAtItsWidth() {
        DifFormat format = interleaved(DifType.TYPE_2, PiFormat.GUARD_16);
        MemorySegment blocks = arena.allocate(2L * format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(0x1_FFFF_FFFFL, 0, 0);
        dif.generate(oneSegment(blocks), 2);
        assertArrayEquals(HexFormat.of().parseHex("00000000FFFFFFFF"), tuple(blocks, format, 0));
        assertArrayEquals(HexFormat.of().parseHex("0000000000000000"), tuple(blocks, format, 1));
    }

    @Test
    void keepsTheReferenceTagOfType3() {
        DifFormat format = interleaved(DifType.TYPE_3, PiFormat.GUARD_16);
        MemorySegment blocks = arena.allocate(2L * format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(9, 0, 0);
        dif.generate(oneSegment(blocks), 2);
        assertArrayEquals(HexFormat.of().parseHex("0000000000000009"), tuple(blocks, format, 0));
        assertArrayEquals(HexFormat.of().parseHex("0000000000000009"), tuple(blocks, format, 1));
    }

    @Test
    void continuesARequestThatIsHandedOverInParts() {
        DifFormat format = interleaved(DifType.TYPE_1, PiFormat.GUARD_16);
        MemorySegment whole = arena.allocate(3L * format.blockBytes());
        MemorySegment parts = arena.allocate(3L * format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(100, 1, 0xFFFF);
        dif.generate(oneSegment(whole), 3);
        dif.tags(100, 1, 0xFFFF);
        dif.generate(oneSegment(parts.asSlice(0, format.blockBytes())), 1);
        dif.generate(oneSegment(parts.asSlice(format.blockBytes())), 2);
        assertEquals(-1, whole.mismatch(parts));
        dif.tags(100, 1, 0xFFFF);
        assertEquals(DifResult.OK, dif.verify(ALL_CHECKS, oneSegment(parts.asSlice(0, 2L * format.blockBytes())), 2));
        assertEquals(DifResult.OK, dif.verify(ALL_CHECKS, oneSegment(parts.asSlice(2L * format.blockBytes())), 1));
    }

    /// The codes of NVMe's "Media and Data Integrity Errors".
    @ParameterizedTest
    @EnumSource
    void namesTheFieldTheBlockAndBothValues(PiFormat pi) {
        DifFormat format = interleaved(DifType.TYPE_1, pi);
        MemorySegment blocks = arena.allocate(4L * format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(1000, 0x00AA, 0xFFFF);
        dif.generate(oneSegment(blocks), 4);

        dif.tags(1000, 0x00AB, 0xFFFF);
        long result = dif.verify(ALL_CHECKS, oneSegment(blocks), 4);
        assertEquals(0x83, DifResult.nvmeStatusCode(result));
        assertEquals(0, DifResult.block(result));
        assertEquals("block 0: application tag is 0xaa, expected 0xab",
                DifResult.describe(result, dif.expected(), dif.actual()));

        dif.tags(1001, 0x00AA, 0xFFFF);
        result = dif.verify(ALL_CHECKS, oneSegment(blocks), 4);
        assertEquals(0x84, DifResult.nvmeStatusCode(result));
        assertEquals(1001, dif.expected());
        assertEquals(1000, dif.actual());

        int guardOfThird = 2 * format.blockBytes() + format.dataBytes();
        byte before = blocks.get(ValueLayout.JAVA_BYTE, guardOfThird);
        blocks.set(ValueLayout.JAVA_BYTE, guardOfThird, (byte) (before ^ 0x80));
        dif.tags(1000, 0x00AA, 0xFFFF);
        result = dif.verify(ALL_CHECKS, oneSegment(blocks), 4);
        assertEquals(0x82, DifResult.nvmeStatusCode(result));
        assertEquals(2, DifResult.block(result));
        int guardBits = pi == PiFormat.GUARD_16 ? 16 : pi == PiFormat.GUARD_32 ? 32 : 64;
        assertEquals(1L << guardBits - 1, dif.expected() ^ dif.actual());
        assertEquals(2, DifResult.NVME_STATUS_CODE_TYPE);
    }

    @Test
    void comparesOnlyTheApplicationTagBitsUnderTheMask() {
        DifFormat format = interleaved(DifType.TYPE_1, PiFormat.GUARD_16);
        MemorySegment block = arena.allocate(format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(0, 0x12F4, 0);
        dif.generate(oneSegment(block), 1);
        dif.tags(0, 0x1204, 0xFF0F);
        assertEquals(DifResult.OK, dif.verify(ALL_CHECKS, oneSegment(block), 1));
        dif.tags(0, 0x1204, 0xFF1F);
        assertEquals(DifResult.APPLICATION_TAG, DifResult.kind(dif.verify(ALL_CHECKS, oneSegment(block), 1)));
    }

    @Test
    void checksOnlyWhatIsAskedFor() {
        DifFormat format = interleaved(DifType.TYPE_1, PiFormat.GUARD_16);
        MemorySegment block = arena.allocate(format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(3, 3, 0xFFFF);
        dif.generate(oneSegment(block), 1);
        block.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        dif.tags(4, 4, 0xFFFF);
        assertEquals(DifResult.OK, dif.verify(0, oneSegment(block), 1));
        dif.tags(4, 4, 0xFFFF);
        assertEquals(DifResult.REFERENCE_TAG,
                DifResult.kind(dif.verify(Dif.CHECK_REFERENCE_TAG, oneSegment(block), 1)));
        dif.tags(4, 4, 0xFFFF);
        assertEquals(DifResult.APPLICATION_TAG,
                DifResult.kind(dif.verify(Dif.CHECK_APPLICATION_TAG, oneSegment(block), 1)));
        dif.tags(4, 4, 0xFFFF);
        assertEquals(DifResult.GUARD, DifResult.kind(dif.verify(Dif.CHECK_GUARD, oneSegment(block), 1)));
    }

    @Test
    void doesNotCheckTheReferenceTagOfType3() {
        DifFormat format = interleaved(DifType.TYPE_3, PiFormat.GUARD_16);
        MemorySegment block = arena.allocate(format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(3, 3, 0xFFFF);
        dif.generate(oneSegment(block), 1);
        dif.tags(4, 3, 0xFFFF);
        assertEquals(DifResult.OK, dif.verify(ALL_CHECKS, oneSegment(block), 1));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void exemptsABlockByItsEscapeValues(DifType type) {
        for (PiFormat pi : PiFormat.values()) {
            DifFormat format = interleaved(type, pi);
            MemorySegment blocks = arena.allocate(format.blockBytes());
            Dif dif = new Dif(format);
            dif.tags(type == DifType.TYPE_3 ? -1L : 7, 0xFFFF, 0);
            dif.generate(oneSegment(blocks), 1);
            blocks.set(ValueLayout.JAVA_BYTE, 100, (byte) 1);
            dif.tags(1, 1, 0xFFFF);
            assertEquals(DifResult.OK, dif.verify(ALL_CHECKS, oneSegment(blocks), 1), pi.name());
        }
    }

    @ParameterizedTest
    @EnumSource
    void exemptsType3OnlyIfBothTagsAreAllOnes(PiFormat pi) {
        DifFormat format = interleaved(DifType.TYPE_3, pi);
        MemorySegment block = arena.allocate(format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(-2L, 0xFFFF, 0);
        dif.generate(oneSegment(block), 1);
        block.set(ValueLayout.JAVA_BYTE, 100, (byte) 1);
        assertEquals(DifResult.GUARD, DifResult.kind(dif.verify(Dif.CHECK_GUARD, oneSegment(block), 1)));
    }

    @Test
    void doesNotRetagAnEscapedBlock() {
        DifFormat format = interleaved(DifType.TYPE_1, PiFormat.GUARD_16);
        MemorySegment block = arena.allocate(format.blockBytes());
        Dif dif = new Dif(format);
        dif.tags(7, 0xFFFF, 0);
        dif.generate(oneSegment(block), 1);
        dif.tags(8, 0, 0);
        dif.retag(oneSegment(block), 1);
        assertArrayEquals(HexFormat.of().parseHex("0000FFFF00000007"), tuple(block, format, 0));
    }

    @Test
    void refusesALayoutWithoutRoomForTheTuple() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> new DifFormat(512, 8, true, DifType.TYPE_1, PiFormat.GUARD_32, false));
        assertTrue(e.getMessage().contains("md_size=8") && e.getMessage().contains("16"), e.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> new DifFormat(512, 8, true, DifType.NONE, PiFormat.GUARD_16, false));
    }

    @Test
    void refusesBuffersShorterThanTheBlocks() {
        DifFormat format = interleaved(DifType.TYPE_1, PiFormat.GUARD_16);
        IoVector oneBlock = oneSegment(arena.allocate(format.blockBytes()));
        assertThrows(IndexOutOfBoundsException.class, () -> new Dif(format).generate(oneBlock, 2));
        DifFormat separate = new DifFormat(512, 8, false, DifType.TYPE_1, PiFormat.GUARD_16, false);
        IoVector data = oneSegment(arena.allocate(1024));
        IoVector metadata = oneSegment(arena.allocate(15));
        assertThrows(IndexOutOfBoundsException.class, () -> new Dif(separate).generate(data, metadata, 2));
        assertThrows(IllegalStateException.class, () -> new Dif(separate).generate(data, 2));
    }
}
