package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_region_info`, 32 bytes and capabilities (linux/vfio.h): what DEVICE_GET_REGION_INFO answers.
public final class VfioRegionInfo {
    /// With room for the capabilities of any region of vfio-pci.
    public static final int SIZE = 512;

    public static final int FLAG_MMAP = 1 << 2;
    public static final int FLAG_CAPS = 1 << 3;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int CAP_OFFSET = 12;
    private static final int REGION_SIZE = 16;
    private static final int OFFSET = 24;

    /// Only some areas of the region can be mapped: their number, 4 bytes unused, then offset and size of each.
    private static final int CAP_SPARSE_MMAP = 1;
    /// The pages with the MSI-X table can be mapped too.
    private static final int CAP_MSIX_MAPPABLE = 3;
    private static final int AREA_COUNT = InfoCapabilities.HEADER_SIZE;
    private static final int AREAS = InfoCapabilities.HEADER_SIZE + 8;
    private static final int AREA_SIZE = 16;

    private VfioRegionInfo() {}

    /// One to be filled in, of region `index`.
    public static MemorySegment allocate(Arena arena, int index) {
        MemorySegment info = arena.allocate(SIZE, 8);
        info.set(ValueLayout.JAVA_INT, ARGSZ, SIZE);
        info.set(ValueLayout.JAVA_INT, INDEX, index);
        return info;
    }

    public static int index(MemorySegment info) {
        return info.get(ValueLayout.JAVA_INT, INDEX);
    }

    /// Bytes of the region; 0 if the device has none with that index.
    public static long regionSize(MemorySegment info) {
        return info.get(ValueLayout.JAVA_LONG, REGION_SIZE);
    }

    /// Where the region begins in the device's file.
    public static long offset(MemorySegment info) {
        return info.get(ValueLayout.JAVA_LONG, OFFSET);
    }

    /// Bytes from the region's beginning that can be mapped: all, or the area that begins there.
    public static long mappableBytes(MemorySegment info) {
        if ((flags(info) & FLAG_MMAP) == 0) {
            return 0;
        }
        int sparse = capability(info, CAP_SPARSE_MMAP);
        if (sparse == 0) {
            return regionSize(info);
        }
        long count = Math.min(Integer.toUnsignedLong(info.get(ValueLayout.JAVA_INT_UNALIGNED, sparse + AREA_COUNT)),
                (SIZE - sparse - AREAS) / AREA_SIZE);
        for (int i = 0; i < count; i++) {
            long area = sparse + AREAS + (long) i * AREA_SIZE;
            if (info.get(ValueLayout.JAVA_LONG_UNALIGNED, area) == 0) {
                return info.get(ValueLayout.JAVA_LONG_UNALIGNED, area + 8);
            }
        }
        return 0;
    }

    /// Whether a mapping of the region may include its MSI-X table.
    public static boolean msixMappable(MemorySegment info) {
        return capability(info, CAP_MSIX_MAPPABLE) != 0;
    }

    private static int capability(MemorySegment info, int id) {
        return (flags(info) & FLAG_CAPS) == 0
                ? 0
                : InfoCapabilities.find(info, info.get(ValueLayout.JAVA_INT, CAP_OFFSET), id);
    }

    private static int flags(MemorySegment info) {
        return info.get(ValueLayout.JAVA_INT, FLAGS);
    }
}
