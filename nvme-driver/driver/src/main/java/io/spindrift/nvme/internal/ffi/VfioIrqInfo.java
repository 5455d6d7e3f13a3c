package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_irq_info`, 16 bytes (linux/vfio.h): what DEVICE_GET_IRQ_INFO answers.
public final class VfioIrqInfo {
    public static final int SIZE = 16;

    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int COUNT = 12;
    private static final int FLAG_EVENTFD = 1;

    private VfioIrqInfo() {}

    /// One to be filled in, of interrupts `index`.
    public static MemorySegment allocate(Arena arena, int index) {
        MemorySegment info = arena.allocate(SIZE, 8);
        info.set(ValueLayout.JAVA_INT, ARGSZ, SIZE);
        info.set(ValueLayout.JAVA_INT, INDEX, index);
        return info;
    }

    /// How many of them an eventfd can be told of.
    public static int count(MemorySegment info) {
        return (info.get(ValueLayout.JAVA_INT, FLAGS) & FLAG_EVENTFD) == 0 ? 0 : info.get(ValueLayout.JAVA_INT, COUNT);
    }
}
