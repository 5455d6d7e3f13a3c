package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.Field.Array;
import io.spindrift.nvme.spec.Field.Ascii;
import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U128;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;
import io.spindrift.nvme.spec.Field.Utf8;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FieldTest {
    private final byte[] bytes = new byte[32];
    private final MemorySegment segment = MemorySegment.ofArray(bytes);

    private byte[] from(int from, int length) {
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    @Test
    void storesTheLeastSignificantByteFirstAtAnyOffset() {
        new U16(2).set(segment, 1, 0x1234);
        assertArrayEquals(new byte[]{0x34, 0x12}, from(3, 2));
        new U32(0).set(segment, 5, 0x1234_5678);
        assertArrayEquals(new byte[]{0x78, 0x56, 0x34, 0x12}, from(5, 4));
        new U64(1).set(segment, 9, 0x0102_0304_0506_0708L);
        assertArrayEquals(new byte[]{8, 7, 6, 5, 4, 3, 2, 1}, from(10, 8));
        LittleEndian.u24(segment, 19, 0x01_0203);
        assertArrayEquals(new byte[]{3, 2, 1}, from(19, 3));
    }

    @Test
    void readsNumbersUnsigned() {
        segment.fill((byte) -1);
        assertEquals(255, new U8(0).get(segment, 0));
        assertEquals(65_535, new U16(0).get(segment, 1));
        assertEquals(0xff_ffff, LittleEndian.u24(segment, 1));
        assertEquals(4_294_967_295L, new U32(0).get(segment, 1));
        assertEquals(-1, new U64(0).get(segment, 1));
    }

    @Test
    void keepsNumbersOf16Bytes() {
        segment.fill((byte) -1);
        U128 field = new U128(3);
        field.set(segment, 0, 0x0102);
        assertEquals(0x0102, field.low(segment, 0));
        assertEquals(0, field.high(segment, 0));
        assertArrayEquals(new byte[]{-1, 2, 1, 0}, from(2, 4));
        assertEquals(-1, bytes[19]);
    }

    @Test
    void padsAsciiWithSpacesAndCutsIt() {
        Ascii field = new Ascii(1, 6);
        field.set(segment, 0, "SPDK");
        assertArrayEquals("\0SPDK  \0".getBytes(StandardCharsets.US_ASCII), from(0, 8));
        assertEquals("SPDK", field.get(segment, 0));
        field.set(segment, 0, "too long");
        assertEquals("too lo", field.get(segment, 0));
        assertEquals(0, bytes[7]);
        field.set(segment, 0, "ü\t");
        assertEquals("??", field.get(segment, 0));
    }

    @Test
    void readsAsciiOfPeersThatPadWithNuls() {
        Ascii field = new Ascii(0, 6);
        field.set(segment, 0, "4420");
        bytes[4] = 0;
        bytes[5] = 0;
        assertEquals("4420", field.get(segment, 0));
        bytes[0] = 0;
        field.set(segment, 0, "");
        assertEquals("", field.get(segment, 0));
    }

    @Test
    void endsUtf8WithNuls() {
        Utf8 field = new Utf8(1, 8);
        segment.fill((byte) -1);
        field.set(segment, 0, "nqn.é");
        assertArrayEquals(new byte[]{-1, 'n', 'q', 'n', '.', (byte) 0xc3, (byte) 0xa9, 0, 0, -1}, from(0, 10));
        assertEquals("nqn.é", field.get(segment, 0));
        assertEquals(6, field.length(segment, 0));
    }

    @Test
    void refusesUtf8WithoutRoomForItsNul() {
        Utf8 field = new Utf8(0, 4);
        assertEquals("text=four has 4 bytes, the limit is 3",
                assertThrows(IllegalArgumentException.class, () -> field.set(segment, 0, "four")).getMessage());
        segment.fill((byte) 'x');
        assertEquals(-1, field.length(segment, 0));
        assertEquals("xxxx", field.get(segment, 0));
    }

    @Test
    void keepsBytes() {
        Bytes field = new Bytes(2, 3);
        assertTrue(field.isZero(segment, 0));
        field.set(segment, 1, new byte[]{0, 0, 9});
        assertFalse(field.isZero(segment, 1));
        byte[] read = new byte[3];
        field.get(segment, 1, read);
        assertArrayEquals(new byte[]{0, 0, 9}, read);
        assertThrows(IllegalArgumentException.class, () -> field.set(segment, 0, new byte[2]));
    }

    @Test
    void findsElementsOfArraysAndNoOthers() {
        Array field = new Array(8, 4, 3);
        assertEquals(12, field.size());
        assertEquals(100 + 8 + 2 * 4, field.at(100, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> field.at(0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> field.at(0, -1));
    }

    @Test
    void touchesNothingOutsideTheSegment() {
        assertThrows(IndexOutOfBoundsException.class, () -> new U32(0).get(segment, 29));
        assertThrows(IndexOutOfBoundsException.class, () -> new U16(0).set(segment, -1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.clear(segment, 0, 40));
    }
}
