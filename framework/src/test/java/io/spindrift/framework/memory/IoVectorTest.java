package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IoVectorTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment a = arena.allocate(8192, 4096);
    private final MemorySegment b = arena.allocate(8192, 4096);
    private final Memory memory = new Memory(MemoryOptions.DEFAULT);
    private final IoVector vector = new IoVector(2);

    @AfterEach
    void close() {
        memory.close();
        arena.close();
    }

    private void assertEmpty() {
        assertEquals(0, vector.count());
        assertEquals(0, vector.byteLength());
        assertEquals(0, vector.addressBits());
        assertEquals(0, vector.lengthBits());
    }

    @Test
    void describesItsRanges() {
        MemoryRegion region = memory.allocate("test", 8192);
        vector.add(a, 512, 1024);
        vector.add(region, 4096, 512);
        assertEquals(2, vector.count());
        assertEquals(1536, vector.byteLength());
        assertSame(a, vector.segment(0));
        assertEquals(512, vector.offset(0));
        assertEquals(1024, vector.length(0));
        assertNull(vector.region(0));
        assertEquals(a.address() + 512, vector.address(0));
        assertSame(region, vector.region(1));
        assertSame(region.segment(), vector.segment(1));
        assertEquals(region.address() + 4096, vector.address(1));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.segment(2));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.address(-1));
    }

    @Test
    void tellsWhichRangeHasAByte() {
        vector.add(a, 512, 1000);
        vector.add(b, 0, 24);
        vector.add(a, 0, 7);
        for (long[] byteAndRange : new long[][]{{0, 0}, {999, 0}, {1000, 1}, {1023, 1}, {1024, 2}, {1030, 2},
                {1031, 2}}) {
            assertEquals(byteAndRange[1], vector.rangeAt(byteAndRange[0]), "byte " + byteAndRange[0]);
        }
        assertEquals(0, vector.start(0));
        assertEquals(1000, vector.start(1));
        assertEquals(1024, vector.start(2));
        vector.set(b, 100, 50);
        assertEquals(0, vector.rangeAt(49));
        assertEquals(0, vector.start(0));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.start(1));
        vector.clear();
        assertEquals(0, vector.rangeAt(0));
    }

    @Test
    void tellsTheAlignmentOfAllRangesAtOnce() {
        vector.add(a, 4096, 4096);
        assertEquals(0, vector.addressBits() & 4095);
        vector.add(b, 512, 1024);
        assertEquals(512, vector.addressBits() & 4095);
        assertEquals(1024, vector.lengthBits() & 4095);
        vector.add(b, 3, 5);
        assertEquals(0x203, vector.addressBits() & 4095);
        assertEquals(0x405, vector.lengthBits() & 4095);
    }

    @Test
    void refusesARangeOutsideItsSegment() {
        long[][] outside = {{-1, 1}, {0, -1}, {0, 8193}, {8192, 1}, {8191, 2}, {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE},
                {Long.MAX_VALUE, Long.MAX_VALUE}, {Long.MIN_VALUE, 1}, {0, Long.MIN_VALUE}, {8193, 0}};
        MemoryRegion region = memory.allocate("test", 8192);
        for (long[] range : outside) {
            assertThrows(IndexOutOfBoundsException.class, () -> vector.add(a, range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> vector.add(region, range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> vector.set(a, range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> vector.set(region, range[0], range[1]));
            assertFalse(vector.tryAdd(a, range[0], range[1]));
            assertFalse(vector.tryAdd(region, range[0], range[1]));
            assertEmpty();
        }
        assertEquals("offset=8191 length=2 is outside a segment of 8192 bytes",
                assertThrows(IndexOutOfBoundsException.class, () -> vector.add(a, 8191, 2)).getMessage());
        vector.add(a, 0, 8192);
        assertTrue(vector.tryAdd(a, 8191, 1));
    }

    @Test
    void refusesMemoryOnTheHeap() {
        MemorySegment heap = MemorySegment.ofArray(new byte[512]);
        assertThrows(IllegalArgumentException.class, () -> vector.add(heap, 0, 512));
        assertThrows(IllegalArgumentException.class, () -> vector.set(heap, 0, 512));
        assertEmpty();
    }

    @Test
    void refusesASegmentOutsideTheRegionItIsSaidToBeIn() {
        MemoryRegion region = memory.allocate("test", 8192);
        MemorySegment slice = region.segment().asSlice(4096, 4096);
        vector.add(slice, region, 0, 4096);
        assertSame(region, vector.region(0));
        assertEquals(region.address() + 4096, vector.address(0));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.add(slice, region, 1, 4096));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.add(a, region, 0, 512));
        assertThrows(IndexOutOfBoundsException.class,
                () -> vector.add(memory.allocate("other", 4096).segment(), region, 0, 512));
    }

    @Test
    void ignoresEmptyRanges() {
        vector.add(a, 8192, 0);
        vector.set(a, 10, 0);
        assertTrue(vector.tryAdd(a, 0, 0));
        assertEquals(0, vector.count());
        assertEquals(0, vector.byteLength());
    }

    @Test
    void growsForItsOwnCallersOnly() {
        for (int i = 0; i < 100; i++) {
            vector.add(a, i, 1);
        }
        assertEquals(100, vector.count());
        for (int i = 0; i < 100; i++) {
            assertEquals(i, vector.offset(i));
        }
        IoVector guests = new IoVector(2);
        assertTrue(guests.tryAdd(a, 0, 1));
        assertTrue(guests.tryAdd(a, 1, 1));
        assertFalse(guests.tryAdd(a, 2, 1));
        assertEquals(2, guests.count());
        assertEquals(2, guests.capacity());
    }

    @Test
    void isUsedAgainForTheNextOperation() {
        vector.add(a, 0, 512);
        vector.add(b, 1, 3);
        vector.clear();
        assertEmpty();
        vector.set(b, 1024, 512);
        assertEquals(1, vector.count());
        assertEquals(512, vector.byteLength());
        assertSame(b, vector.segment(0));
        assertEquals(b.address() + 1024, vector.address(0));
        assertEquals(b.address() + 1024, vector.addressBits());
        vector.set(b, 0, 4096);
        assertEquals(4096, vector.byteLength());
        assertEquals(4096, vector.lengthBits());
        vector.add(a, 0, 4096);
        assertEquals(8192, vector.byteLength());
    }

    @Test
    void refusesToAppendItselfOrMoreThanThereIs() {
        vector.add(a, 0, 100);
        IoVector other = new IoVector(1);
        assertThrows(IllegalArgumentException.class, () -> vector.addSlice(vector, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> other.addSlice(vector, 1, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> other.addSlice(vector, -1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> other.addSlice(vector, 0, Long.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.copyTo(b, 0, 99, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.copyTo(b, 8191, 0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.copyFrom(b, 0, 99, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> vector.mismatch(b, 8191, 0, 2));
        assertEquals(0, other.count());
    }

    @Test
    void passesNoAccessToClosedMemory() {
        Arena other = Arena.ofConfined();
        vector.add(other.allocate(512), 0, 512);
        other.close();
        assertThrows(IllegalStateException.class, () -> vector.copyTo(a, 0, 0, 512));
        assertThrows(IllegalStateException.class, () -> vector.fill((byte) 0));
    }

    @Test
    void fillsExactlyItsRanges() {
        vector.add(a, 1, 1000);
        vector.add(b, 7, 9);
        vector.fill((byte) 0xA5);
        for (int i = 0; i < 8192; i++) {
            assertEquals(i >= 1 && i < 1001 ? (byte) 0xA5 : 0, a.get(ValueLayout.JAVA_BYTE, i));
            assertEquals(i >= 7 && i < 16 ? (byte) 0xA5 : 0, b.get(ValueLayout.JAVA_BYTE, i));
        }
    }
}
