package io.spindrift.bdev.uring.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// struct statx of linux/stat.h.
public final class Statx {
    public static final int SIZE = 256;

    /// STATX_BASIC_STATS with STATX_DIOALIGN, which kernels before 6.1 leave out of the answer.
    static final int MASK = 0x7ff | 0x2000;
    static final int DIOALIGN = 0x2000;

    static final int STX_MASK = 0;
    static final int STX_MODE = 28;
    static final int STX_SIZE = 40;
    static final int STX_RDEV_MAJOR = 128;
    static final int STX_RDEV_MINOR = 132;
    static final int STX_DIO_MEM_ALIGN = 152;
    static final int STX_DIO_OFFSET_ALIGN = 156;

    private static final int S_IFMT = 0xf000;
    private static final int S_IFBLK = 0x6000;

    private Statx() {}

    public static boolean isBlockDevice(MemorySegment statx) {
        return type(statx) == S_IFBLK;
    }

    private static int type(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_SHORT, STX_MODE) & S_IFMT;
    }

    /// Bytes of a regular file.
    public static long size(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_LONG, STX_SIZE);
    }

    /// `259:0`, the device number of a block device as sysfs writes it.
    public static String deviceNumber(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, STX_RDEV_MAJOR) + ":" + statx.get(ValueLayout.JAVA_INT, STX_RDEV_MINOR);
    }

    /// Whether the kernel said what direct I/O needs; if it did and both are 0, the file takes none.
    public static boolean knowsDirectAlignment(MemorySegment statx) {
        return (statx.get(ValueLayout.JAVA_INT, STX_MASK) & DIOALIGN) != 0;
    }

    /// What the address of a buffer must be a multiple of for direct I/O.
    public static int directMemoryAlignment(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, STX_DIO_MEM_ALIGN);
    }

    /// What the offset and length of direct I/O must be multiples of.
    public static int directOffsetAlignment(MemorySegment statx) {
        return statx.get(ValueLayout.JAVA_INT, STX_DIO_OFFSET_ALIGN);
    }
}
