package io.spindrift.framework.uring;

import com.sun.management.ThreadMXBean;
import io.spindrift.framework.internal.ffi.Libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/// Reads a file in batches of 16 and prints how many bytes of the heap 20,000 requests took after as many to warm up.
final class RingLoop {
    private static final int REQUESTS = 20_000;
    private static final int DEPTH = 16;

    private RingLoop() {}

    public static void main(String[] arguments) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int fd = Libc.open(arguments[0], Libc.O_RDWR | Libc.O_CREAT, 0600);
        Libc.ftruncate(fd, 4096L * DEPTH);
        try (Arena arena = Arena.ofConfined(); IoUring ring = IoUring.open(IoUringOptions.ofEntries(DEPTH))) {
            MemorySegment buffer = arena.allocate(4096L * DEPTH, 4096);
            int[] failures = new int[1];
            CompletionHandler handler = (userData, result, flags) -> failures[0] += result == 4096 ? 0 : 1;
            run(ring, fd, buffer, handler);
            long before = threads.getCurrentThreadAllocatedBytes();
            run(ring, fd, buffer, handler);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            System.out.println("allocated=" + (allocated + failures[0]));
        }
        Libc.close(fd);
    }

    private static void run(IoUring ring, int fd, MemorySegment buffer, CompletionHandler handler) {
        for (int done = 0; done < REQUESTS; done += DEPTH) {
            for (int i = 0; i < DEPTH; i++) {
                Sqe.read(ring.sqes(), ring.nextSqe(), fd, buffer.address() + 4096L * i, 4096, 4096L * i, i);
            }
            while (ring.inFlight() > 0) {
                if (ring.poll(handler, 64) == 0 && ring.armWakeup()) {
                    ring.await(handler, 1, 64);
                }
            }
        }
    }
}
