package io.spindrift.framework.uring;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A ring's table of memory whose pages the kernel has pinned, which saves pinning them a request.
///
/// Pinned memory counts against the locked memory limit of a user without CAP_IPC_LOCK; a refusal is a result, because
/// every request can do without. Lives as long as its ring; the ring's owner thread only; not for the data path: the
/// kernel takes about a millisecond for 10 MiB of small pages.
public final class RegisteredBuffers {
    /// More in one entry is refused with EFAULT.
    public static final long MAX_LENGTH = 1L << 30;

    // struct io_uring_rsrc_register
    static final int REGISTER_NR = 0;
    static final int REGISTER_FLAGS = 4;
    static final int REGISTER_SIZE = 32;
    static final int REGISTER_SPARSE = 1;
    // struct io_uring_rsrc_update2
    static final int UPDATE_OFFSET = 0;
    static final int UPDATE_DATA = 8;
    static final int UPDATE_NR = 24;
    static final int UPDATE_SIZE = 32;

    private final IoUring ring;
    private final SlotTable slots;

    RegisteredBuffers(IoUring ring, int capacity) {
        this.ring = ring;
        Check.range("capacity", capacity, 1, 16384);
        slots = new SlotTable(capacity);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment register = arena.allocate(REGISTER_SIZE, Long.BYTES);
            register.set(ValueLayout.JAVA_INT, REGISTER_NR, capacity);
            register.set(ValueLayout.JAVA_INT, REGISTER_FLAGS, REGISTER_SPARSE);
            int rc = ring.register(RingParams.REGISTER_BUFFERS2, register, REGISTER_SIZE);
            if (rc < 0) {
                throw new IoUringException("io_uring_register of " + capacity + " buffers", -rc,
                        "one table a ring, and Linux 5.19 or newer; requests can do without");
            }
        }
    }

    /// Pins `length` bytes at `address`, which must stay mapped until [#remove]. Returns the index for
    /// [Sqe#readFixed] and [Sqe#writeFixed], or a negated errno: -ENOSPC when the table is full, -ENOMEM beyond the
    /// locked memory limit.
    public int add(long address, long length) {
        int slot = slots.take();
        if (slot < 0) {
            return -Errno.ENOSPC;
        }
        int rc = update(slot, address, length);
        if (rc < 0) {
            slots.release(slot);
            return rc;
        }
        return slot;
    }

    /// Unpins entry `index`, which [#add] returned, once the requests that use it have ended.
    public void remove(int index) {
        int rc = update(index, 0, 0);
        if (rc < 0) {
            throw new ErrnoException("io_uring_register without buffer " + index, -rc);
        }
        slots.release(index);
    }

    private int update(int slot, long address, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment vector = arena.allocate(IoVec.SIZE, Long.BYTES);
            IoVec.set(vector, 0, address, length);
            MemorySegment update = arena.allocate(UPDATE_SIZE, Long.BYTES);
            update.set(ValueLayout.JAVA_INT, UPDATE_OFFSET, slot);
            update.set(ValueLayout.ADDRESS, UPDATE_DATA, vector);
            update.set(ValueLayout.JAVA_INT, UPDATE_NR, 1);
            return ring.register(RingParams.REGISTER_BUFFERS_UPDATE, update, UPDATE_SIZE);
        }
    }
}
