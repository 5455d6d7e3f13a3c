package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_group_status`, 8 bytes (linux/vfio.h): what GROUP_GET_STATUS answers.
public final class VfioGroupStatus {
    public static final int SIZE = 8;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;

    private VfioGroupStatus() {}

    /// One to be filled in.
    public static MemorySegment allocate(Arena arena) {
        MemorySegment status = arena.allocate(SIZE, 8);
        status.set(ValueLayout.JAVA_INT, ARGSZ, SIZE);
        return status;
    }

    /// [VfioCalls#GROUP_VIABLE] and others.
    public static int flags(MemorySegment status) {
        return status.get(ValueLayout.JAVA_INT, FLAGS);
    }

    /// As the kernel does.
    public static void flags(MemorySegment status, int flags) {
        status.set(ValueLayout.JAVA_INT, FLAGS, flags);
    }
}
