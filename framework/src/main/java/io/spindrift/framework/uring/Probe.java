package io.spindrift.framework.uring;

import io.spindrift.framework.internal.ffi.IoUringCalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Which requests the kernel knows: struct io_uring_probe and its array of io_uring_probe_op, linux/io_uring.h.
final class Probe {
    static final int SIZE = 16;
    static final int LAST_OP = 0;
    static final int OPS_LEN = 1;
    static final int OP_SIZE = 8;
    static final int OP_FLAGS = 2;
    static final int OP_SUPPORTED = 1;

    private static final int OPS = 256;

    private Probe() {}

    static boolean supports(int ringFd, int opcode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment probe = arena.allocate(SIZE + OPS * OP_SIZE, Long.BYTES);
            int rc = IoUringCalls.io_uring_register(ringFd, RingParams.REGISTER_PROBE, probe, OPS);
            if (rc < 0) {
                throw new IoUringException("io_uring_register of a probe", -rc, "Linux 5.6 or newer is needed");
            }
            short flags = probe.get(ValueLayout.JAVA_SHORT, SIZE + (long) opcode * OP_SIZE + OP_FLAGS);
            return (flags & OP_SUPPORTED) != 0;
        }
    }
}
