package io.spindrift.framework.thread;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An epoll descriptor with the memory for its events; level-triggered, for one consumer.
///
/// struct epoll_event is packed on x86-64: `events` (u32) at 0, `data` (u64) at 4, 12 bytes.
final class EventSet implements AutoCloseable {
    private static final int EVENT_BYTES = 12;
    private static final int BATCH = 64;
    private static final ValueLayout.OfLong DATA = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment events = arena.allocate((long) EVENT_BYTES * BATCH, 8);
    private final MemorySegment change = arena.allocate(EVENT_BYTES, 8);
    private final MemorySegment timeout = arena.allocate(16, 8);
    private final int descriptor;
    private boolean pwait2Missing;

    EventSet() {
        descriptor = Errno.check("epoll_create1", Libc.epoll_create1(Libc.EPOLL_CLOEXEC));
    }

    int descriptor() {
        return descriptor;
    }

    /// Reports `data` whenever `fd` is readable.
    void add(int fd, long data) {
        change.set(ValueLayout.JAVA_INT, 0, Libc.EPOLLIN);
        change.set(DATA, 4, data);
        Errno.check("epoll_ctl(ADD, fd " + fd + ")", Libc.epoll_ctl(descriptor, Libc.EPOLL_CTL_ADD, fd, change));
    }

    /// Stops reporting `fd`; a descriptor that its owner closed already is gone from the set by itself.
    void remove(int fd) {
        int result = Libc.epoll_ctl(descriptor, Libc.EPOLL_CTL_DEL, fd, change);
        if (result != -Errno.EBADF && result != -Errno.ENOENT) {
            Errno.check("epoll_ctl(DEL, fd " + fd + ")", result);
        }
    }

    /// How many descriptors are ready now; their data by [#data(int)]. Never blocks.
    int pollNow() {
        return Math.max(0, Libc.epoll_wait(descriptor, events, BATCH, 0));
    }

    /// Waits until a descriptor is ready or `nanos` have passed (negative: without limit).
    int await(long nanos) {
        if (nanos == 0) {
            return pollNow();
        }
        if (!pwait2Missing) {
            MemorySegment limit = MemorySegment.NULL;
            if (nanos > 0) {
                timeout.set(ValueLayout.JAVA_LONG, 0, nanos / 1_000_000_000);
                timeout.set(ValueLayout.JAVA_LONG, 8, nanos % 1_000_000_000);
                limit = timeout;
            }
            int ready = Libc.epoll_pwait2(descriptor, events, BATCH, limit);
            if (ready != -Errno.ENOSYS) {
                return Math.max(0, ready); // EINTR: nothing is ready
            }
            pwait2Missing = true; // Linux before 5.11
        }
        int millis = nanos < 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
        return Math.max(0, Libc.epoll_wait(descriptor, events, BATCH, millis));
    }

    long data(int index) {
        return events.get(DATA, (long) index * EVENT_BYTES + 4);
    }

    @Override
    public void close() {
        Libc.close(descriptor);
        arena.close();
    }
}
