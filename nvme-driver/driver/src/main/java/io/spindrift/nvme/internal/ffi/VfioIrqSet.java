package io.spindrift.nvme.internal.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct vfio_irq_set`, 20 bytes and data (linux/vfio.h): the argument of DEVICE_SET_IRQS.
public final class VfioIrqSet {
    private static final int ARGSZ = 0;
    private static final int FLAGS = 4;
    private static final int INDEX = 8;
    private static final int START = 12;
    private static final int COUNT = 16;
    private static final int DATA = 20;

    private static final int DATA_NONE = 1;
    private static final int DATA_EVENTFD = 1 << 2;
    private static final int ACTION_TRIGGER = 1 << 5;

    private VfioIrqSet() {}

    /// Has interrupts 0 to `eventfds.length - 1` of `index` tell these descriptors, and enables them.
    public static MemorySegment trigger(Arena arena, int index, int[] eventfds) {
        MemorySegment set = header(arena, DATA_EVENTFD, index, eventfds.length);
        for (int i = 0; i < eventfds.length; i++) {
            set.set(ValueLayout.JAVA_INT, DATA + 4L * i, eventfds[i]);
        }
        return set;
    }

    /// Disables the interrupts of `index`.
    public static MemorySegment disable(Arena arena, int index) {
        return header(arena, DATA_NONE, index, 0);
    }

    private static MemorySegment header(Arena arena, int data, int index, int count) {
        int size = DATA + (data == DATA_EVENTFD ? 4 * count : 0);
        MemorySegment set = arena.allocate(size, 8);
        set.set(ValueLayout.JAVA_INT, ARGSZ, size);
        set.set(ValueLayout.JAVA_INT, FLAGS, data | ACTION_TRIGGER);
        set.set(ValueLayout.JAVA_INT, INDEX, index);
        set.set(ValueLayout.JAVA_INT, START, 0);
        set.set(ValueLayout.JAVA_INT, COUNT, count);
        return set;
    }

    public static int index(MemorySegment set) {
        return set.get(ValueLayout.JAVA_INT, INDEX);
    }

    /// How many interrupts it is of.
    public static int count(MemorySegment set) {
        return set.get(ValueLayout.JAVA_INT, COUNT);
    }

    /// The descriptor of interrupt `i`.
    public static int eventfd(MemorySegment set, int i) {
        return set.get(ValueLayout.JAVA_INT, DATA + 4L * i);
    }
}
