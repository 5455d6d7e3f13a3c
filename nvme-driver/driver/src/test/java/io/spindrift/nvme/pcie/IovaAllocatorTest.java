package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.util.List;
import org.junit.jupiter.api.Test;

class IovaAllocatorTest {
    private static final long MIB = 1L << 20;

    private final IovaAllocator iovas = new IovaAllocator();

    /// What QEMU's emulated IOMMU of 39 bits has.
    private void thirtyNineBits() {
        iovas.ranges(List.of(new IovaAllocator.Range(0, 0xfedf_ffffL),
                new IovaAllocator.Range(0xfef0_0000L, 0x7f_ffff_ffffL)));
    }

    @Test
    void givesMemoryItsOwnAddressWhereTheIommuReachesIt() {
        thirtyNineBits();

        assertEquals(0x7f_0000_0000L, iovas.take(0x7f_0000_0000L, MIB));
    }

    @Test
    void givesAPlaceThatLiesAlikeInALargePageWhereItDoesNot() {
        thirtyNineBits();

        assertEquals(2 * MIB, iovas.take(0x7f6b_0da0_0000L, 2 * MIB));
        assertEquals(4 * MIB + 0x1000, iovas.take(0x7f6b_0dc0_1000L, 4096));
        assertEquals(4 * MIB + 0x2000, iovas.take(0x7f6b_0de0_2000L, 4096));
    }

    @Test
    void givesNothingTwice() {
        thirtyNineBits();

        assertEquals(8 * MIB, iovas.take(8 * MIB, 2 * MIB));
        assertEquals(2 * MIB, iovas.take(0x7f6b_0000_0000L, 6 * MIB));
        assertEquals(10 * MIB, iovas.take(9 * MIB & -(2 * MIB), 2 * MIB));
    }

    @Test
    void stepsOverReservedPlaces() {
        thirtyNineBits();

        assertEquals(0xff00_0000L, iovas.take(0x7f6b_0000_0000L, 4088 * MIB));
    }

    @Test
    void givesAPlaceAgainThatWasFreed() {
        thirtyNineBits();
        long first = iovas.take(0x7f6b_0000_0000L, 2 * MIB);
        iovas.take(0x7f6c_0000_0000L, 2 * MIB);

        iovas.free(first);

        assertEquals(first, iovas.take(0x7f6d_0000_0000L, 2 * MIB));
    }

    @Test
    void saysThatNoPlaceIsLeft() {
        iovas.ranges(List.of(new IovaAllocator.Range(0, 4 * MIB - 1)));
        iovas.take(0x7f6b_0000_0000L, 2 * MIB);

        ErrnoException refused = assertThrows(ErrnoException.class, () -> iovas.take(0x7f6b_0100_0000L, 2 * MIB));

        assertEquals(Errno.ENOSPC, refused.errno());
    }

    @Test
    void readsRangesThatEndWithTheAddressSpace() {
        assertEquals(List.of(new IovaAllocator.Range(4096, Long.MAX_VALUE - 1)),
                IovaAllocator.ofUnsigned(new long[]{4096, -4096, 9}, new long[]{-1, -1, 8}));
    }
}
