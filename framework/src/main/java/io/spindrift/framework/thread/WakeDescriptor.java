package io.spindrift.framework.thread;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The eventfd by which others wake a sleeping reactor.
final class WakeDescriptor implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment one = arena.allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment sink = arena.allocate(ValueLayout.JAVA_LONG);
    private final int descriptor;

    WakeDescriptor() {
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        descriptor = Errno.check("eventfd", Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK));
    }

    int descriptor() {
        return descriptor;
    }

    /// Makes the descriptor readable. Any thread.
    void signal() {
        Libc.write(descriptor, one, Long.BYTES);
    }

    /// Makes it unreadable again. The sleeper only.
    void clear() {
        Libc.read(descriptor, sink, Long.BYTES);
    }

    @Override
    public void close() {
        Libc.close(descriptor);
        arena.close();
    }
}
