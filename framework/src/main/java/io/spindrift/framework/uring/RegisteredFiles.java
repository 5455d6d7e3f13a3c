package io.spindrift.framework.uring;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A ring's table of open files, which saves the kernel a look-up and a reference count a request.
///
/// An entry keeps its file open even when the descriptor is closed. Requests in flight keep it after [#remove].
/// Lives as long as its ring; the ring's owner thread only; not for the data path.
public final class RegisteredFiles {
    static final int UPDATE_OFFSET = 0;
    static final int UPDATE_FDS = 8;
    static final int UPDATE_SIZE = 16;
    private static final int NONE = -1;

    private final IoUring ring;
    private final SlotTable slots;

    RegisteredFiles(IoUring ring, int capacity) {
        this.ring = ring;
        Check.range("capacity", capacity, 1, 32768);
        slots = new SlotTable(capacity);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fds = arena.allocate(ValueLayout.JAVA_INT, capacity);
            fds.fill((byte) NONE);
            int rc = ring.register(RingParams.REGISTER_FILES, fds, capacity);
            if (rc < 0) {
                throw new IoUringException("io_uring_register of " + capacity + " files", -rc,
                        "one table a ring, of no more entries than the limit of open files (ulimit -n)");
            }
        }
    }

    /// Puts `fd` into the table. Returns its index, for [Sqe#fixedFile], or a negated errno: -ENOSPC when full.
    public int add(int fd) {
        int slot = slots.take();
        if (slot < 0) {
            return -Errno.ENOSPC;
        }
        int rc = update(slot, fd);
        if (rc < 0) {
            slots.release(slot);
            return rc;
        }
        return slot;
    }

    /// Empties entry `index`, which [#add] returned.
    public void remove(int index) {
        int rc = update(index, NONE);
        if (rc < 0) {
            throw new ErrnoException("io_uring_register without file " + index, -rc);
        }
        slots.release(index);
    }

    private int update(int slot, int fd) {
        try (Arena arena = Arena.ofConfined()) {
            // struct io_uring_files_update
            MemorySegment update = arena.allocate(UPDATE_SIZE, Long.BYTES);
            update.set(ValueLayout.JAVA_INT, UPDATE_OFFSET, slot);
            update.set(ValueLayout.ADDRESS, UPDATE_FDS, arena.allocateFrom(ValueLayout.JAVA_INT, fd));
            return ring.register(RingParams.REGISTER_FILES_UPDATE, update, 1);
        }
    }
}
