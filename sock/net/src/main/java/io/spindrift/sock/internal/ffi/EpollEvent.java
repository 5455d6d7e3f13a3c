package io.spindrift.sock.internal.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What epoll reports: struct epoll_event of sys/epoll.h, packed on x86-64.
public final class EpollEvent {
    public static final int SIZE = 12;

    public static final int IN = 1;
    public static final int OUT = 4;
    public static final int ERR = 8;
    public static final int HUP = 16;

    static final int EVENTS = 0;
    static final int DATA = 4;

    private EpollEvent() {}

    public static void set(MemorySegment memory, int events, long data) {
        memory.set(ValueLayout.JAVA_INT, EVENTS, events);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA, data);
    }

    /// The events of entry `index`.
    public static int events(MemorySegment memory, int index) {
        return memory.get(ValueLayout.JAVA_INT_UNALIGNED, (long) index * SIZE + EVENTS);
    }

    /// What entry `index` was registered with.
    public static long data(MemorySegment memory, int index) {
        return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) index * SIZE + DATA);
    }
}
