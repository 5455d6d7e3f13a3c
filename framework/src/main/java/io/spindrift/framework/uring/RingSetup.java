package io.spindrift.framework.uring;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.IoUringCalls;
import io.spindrift.framework.internal.ffi.Libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What opening a ring acquires: two descriptors, two mappings in one arena, and the kernel's description of them.
record RingSetup(Arena arena, int fd, int wakeFd, int flags, MemorySegment params, MemorySegment ring,
        MemorySegment sqes) {
    private static final int COMMON = RingParams.SETUP_CQSIZE | RingParams.SETUP_CLAMP;
    /// Linux 6.1: completions are posted when the owner asks, never by interrupting it.
    private static final int BOUND = COMMON | RingParams.SETUP_SUBMIT_ALL | RingParams.SETUP_SINGLE_ISSUER
            | RingParams.SETUP_DEFER_TASKRUN | RingParams.SETUP_TASKRUN_FLAG;
    /// Linux 5.19: completions are posted by the submitting thread's next entry to the kernel.
    private static final int COOPERATIVE = COMMON | RingParams.SETUP_SUBMIT_ALL | RingParams.SETUP_COOP_TASKRUN
            | RingParams.SETUP_TASKRUN_FLAG;
    private static final int[] BOUND_FIRST = {BOUND, COOPERATIVE, COMMON};
    private static final int[] MOVABLE_FIRST = {COOPERATIVE, COMMON};
    /// Linux 5.6: one mapping, completions put aside rather than dropped, plain READ and WRITE.
    private static final int NEEDED = RingParams.FEAT_SINGLE_MMAP | RingParams.FEAT_NODROP
            | RingParams.FEAT_SUBMIT_STABLE | RingParams.FEAT_RW_CUR_POS;

    /// Opens with the best flags that this kernel takes; throws [IoUringException], having released everything.
    static RingSetup of(IoUringOptions options) {
        Arena arena = Arena.ofShared();
        int fd = -1;
        int wakeFd = -1;
        try {
            MemorySegment params = arena.allocate(RingParams.SIZE, Long.BYTES);
            fd = setup(options, params);
            requireFeatures(RingParams.get(params, RingParams.FEATURES));
            long ringBytes = Math.max(
                    RingParams.get(params, RingParams.SQ_OFF_ARRAY)
                            + 4L * RingParams.get(params, RingParams.SQ_ENTRIES),
                    RingParams.get(params, RingParams.CQ_OFF_CQES)
                            + (long) Cqe.SIZE * RingParams.get(params, RingParams.CQ_ENTRIES));
            MemorySegment ring = IoUringCalls.mapRing("io_uring rings", fd, RingParams.OFF_SQ_RING, ringBytes, arena);
            MemorySegment sqes = IoUringCalls.mapRing("io_uring entries", fd, RingParams.OFF_SQES,
                    (long) Sqe.SIZE * RingParams.get(params, RingParams.SQ_ENTRIES), arena);
            wakeFd = Errno.check("eventfd", Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK));
            registerWake(fd, wakeFd, arena);
            return new RingSetup(arena, fd, wakeFd, RingParams.get(params, RingParams.FLAGS), params, ring, sqes);
        } catch (RuntimeException e) {
            if (wakeFd >= 0) {
                Libc.close(wakeFd);
            }
            if (fd >= 0) {
                Libc.close(fd);
            }
            arena.close();
            throw e;
        }
    }

    private static int setup(IoUringOptions options, MemorySegment params) {
        int rc = -Errno.EINVAL;
        for (int flags : options.threadBound() ? BOUND_FIRST : MOVABLE_FIRST) {
            params.fill((byte) 0);
            RingParams.set(params, RingParams.CQ_ENTRIES, options.completions());
            RingParams.set(params, RingParams.FLAGS, flags);
            rc = IoUringCalls.io_uring_setup(options.entries(), params);
            if (rc != -Errno.EINVAL) {
                break;
            }
        }
        if (rc < 0) {
            throw IoUringException.setup(-rc, options.entries());
        }
        return rc;
    }

    private static void requireFeatures(int features) {
        if ((features & NEEDED) != NEEDED) {
            throw new IoUringException("io_uring features=0x" + Integer.toHexString(features), Errno.ENOSYS,
                    "Linux 5.6 or newer is needed");
        }
    }

    private static void registerWake(int fd, int wakeFd, Arena arena) {
        int rc = IoUringCalls.io_uring_register(fd, RingParams.REGISTER_EVENTFD,
                arena.allocateFrom(ValueLayout.JAVA_INT, wakeFd), 1);
        if (rc < 0) {
            throw new IoUringException("io_uring_register of the eventfd", -rc, "the ring cannot wake a sleeper");
        }
    }
}
