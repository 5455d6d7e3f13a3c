package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_iommu_type1_dma_map`, 32 bytes, and `struct vfio_iommu_type1_dma_unmap`, 24 (linux/vfio.h): the
/// arguments of IOMMU_MAP_DMA and IOMMU_UNMAP_DMA.
public final class VfioDma {
    private static final int MAP_BYTES = 32;
    private static final int UNMAP_BYTES = 24;
    private static final int READ_WRITE = 3;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int MAP_VADDR = 8;
    private static final int MAP_IOVA = 16;
    private static final int MAP_SIZE = 24;
    private static final int UNMAP_IOVA = 8;
    private static final int UNMAP_SIZE = 16;

    private VfioDma() {}

    /// Lets devices read and write `size` bytes of this process, from `vaddr`, at `iova`.
    public static MemorySegment map(Arena arena, long vaddr, long iova, long size) {
        MemorySegment map = arena.allocate(MAP_BYTES, 8);
        map.set(ValueLayout.JAVA_INT, ARGSZ, MAP_BYTES);
        map.set(ValueLayout.JAVA_INT, FLAGS, READ_WRITE);
        map.set(ValueLayout.JAVA_LONG, MAP_VADDR, vaddr);
        map.set(ValueLayout.JAVA_LONG, MAP_IOVA, iova);
        map.set(ValueLayout.JAVA_LONG, MAP_SIZE, size);
        return map;
    }

    /// Ends it. After the call [#unmappedBytes] tells how much was mapped.
    public static MemorySegment unmap(Arena arena, long iova, long size) {
        MemorySegment unmap = arena.allocate(UNMAP_BYTES, 8);
        unmap.set(ValueLayout.JAVA_INT, ARGSZ, UNMAP_BYTES);
        unmap.set(ValueLayout.JAVA_LONG, UNMAP_IOVA, iova);
        unmap.set(ValueLayout.JAVA_LONG, UNMAP_SIZE, size);
        return unmap;
    }

    public static long mappedVaddr(MemorySegment map) {
        return map.get(ValueLayout.JAVA_LONG, MAP_VADDR);
    }

    public static long mappedIova(MemorySegment map) {
        return map.get(ValueLayout.JAVA_LONG, MAP_IOVA);
    }

    public static long mappedBytes(MemorySegment map) {
        return map.get(ValueLayout.JAVA_LONG, MAP_SIZE);
    }

    public static long unmappedIova(MemorySegment unmap) {
        return unmap.get(ValueLayout.JAVA_LONG, UNMAP_IOVA);
    }

    public static long unmappedBytes(MemorySegment unmap) {
        return unmap.get(ValueLayout.JAVA_LONG, UNMAP_SIZE);
    }
}
