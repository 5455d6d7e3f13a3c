package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_iommu_type1_info`, 20 bytes and capabilities (linux/vfio.h): what IOMMU_GET_INFO answers.
public final class VfioIommuInfo {
    /// With room for the reserved places of a large machine.
    public static final int SIZE = 16_384;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int CAP_OFFSET = 16;
    private static final int FLAG_CAPS = 1 << 1;

    /// Which IOVAs there are: their number, 4 bytes unused, then start and end (included) of each range.
    private static final int CAP_IOVA_RANGE = 1;
    private static final int RANGE_COUNT = InfoCapabilities.HEADER_SIZE;
    private static final int RANGES = InfoCapabilities.HEADER_SIZE + 8;
    private static final int RANGE_SIZE = 16;

    private VfioIommuInfo() {}

    /// One to be filled in.
    public static MemorySegment allocate(Arena arena) {
        MemorySegment info = arena.allocate(SIZE, 8);
        info.set(ValueLayout.JAVA_INT, ARGSZ, SIZE);
        return info;
    }

    /// How many ranges of IOVAs the kernel names; 0 from a kernel that does not say (before Linux 5.4).
    public static int rangeCount(MemorySegment info) {
        int capability = ranges(info);
        return capability == 0
                ? 0
                : (int) Math.min(
                        Integer.toUnsignedLong(info.get(ValueLayout.JAVA_INT_UNALIGNED, capability + RANGE_COUNT)),
                        (SIZE - capability - RANGES) / RANGE_SIZE);
    }

    public static long rangeStart(MemorySegment info, int i) {
        return info.get(ValueLayout.JAVA_LONG_UNALIGNED, ranges(info) + RANGES + (long) i * RANGE_SIZE);
    }

    /// The last IOVA of range `i`, unsigned.
    public static long rangeLast(MemorySegment info, int i) {
        return info.get(ValueLayout.JAVA_LONG_UNALIGNED, ranges(info) + RANGES + (long) i * RANGE_SIZE + 8);
    }

    /// Writes an answer with these ranges, as the kernel does.
    public static void write(MemorySegment info, long[] starts, long[] lasts) {
        int capability = 24;
        info.set(ValueLayout.JAVA_INT, FLAGS, FLAG_CAPS);
        info.set(ValueLayout.JAVA_INT, CAP_OFFSET, capability);
        info.set(ValueLayout.JAVA_SHORT, capability, (short) CAP_IOVA_RANGE);
        info.set(ValueLayout.JAVA_INT, capability + RANGE_COUNT, starts.length);
        for (int i = 0; i < starts.length; i++) {
            info.set(ValueLayout.JAVA_LONG, capability + RANGES + (long) i * RANGE_SIZE, starts[i]);
            info.set(ValueLayout.JAVA_LONG, capability + RANGES + (long) i * RANGE_SIZE + 8, lasts[i]);
        }
    }

    private static int ranges(MemorySegment info) {
        return (info.get(ValueLayout.JAVA_INT, FLAGS) & FLAG_CAPS) == 0
                ? 0
                : InfoCapabilities.find(info, info.get(ValueLayout.JAVA_INT, CAP_OFFSET), CAP_IOVA_RANGE);
    }
}
