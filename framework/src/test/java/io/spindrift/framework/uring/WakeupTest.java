package io.spindrift.framework.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sleeping in epoll until the ring has something to say, with both kinds of ring.
class WakeupTest {
    private final Arena arena = Arena.ofShared();
    private final Completions completions = new Completions();
    private final MemorySegment event = arena.allocate(12);
    private final MemorySegment count = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
    private IoUring ring;
    private int epoll;
    private int event1;

    private void open(boolean threadBound) {
        try {
            ring = IoUring.open(new IoUringOptions(8, 16, threadBound));
        } catch (IoUringException e) {
            assumeTrue(false, e.getMessage());
        }
        epoll = Libc.epoll_create1(Libc.EPOLL_CLOEXEC);
        event1 = Libc.eventfd(0, Libc.EFD_CLOEXEC);
        event.set(ValueLayout.JAVA_INT, 0, Libc.EPOLLIN);
        assertEquals(0, Libc.epoll_ctl(epoll, Libc.EPOLL_CTL_ADD, ring.wakeFd(), event));
    }

    @AfterEach
    void close() {
        if (ring != null) {
            Libc.close(event1);
            Libc.close(epoll);
            ring.close();
        }
        arena.close();
    }

    /// The kernel interrupts a wait to run completion work, after which the descriptor tells.
    private boolean readable(int timeoutMillis) {
        int ready;
        do {
            ready = Libc.epoll_wait(epoll, event, 1, timeoutMillis);
        } while (ready == -Errno.EINTR);
        return ready == 1;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wakesASleeperWhenARequestCompletes(boolean threadBound) throws Exception {
        open(threadBound);
        Sqe.pollAdd(ring.sqes(), ring.nextSqe(), event1, Libc.EPOLLIN, 42);
        ring.poll(completions, 8);
        assertTrue(ring.armWakeup());
        assertFalse(readable(0));
        Thread other = new Thread(() -> Libc.write(event1, count, Long.BYTES));
        other.start();
        assertTrue(readable(10_000));
        other.join();
        ring.acknowledgeWake();
        assertEquals(1, ring.poll(completions, 8));
        assertEquals(Libc.EPOLLIN, completions.result(42));
        assertFalse(readable(0), "acknowledged");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotSleepOnACompletionThatCameBefore(boolean threadBound) {
        open(threadBound);
        Sqe.pollAdd(ring.sqes(), ring.nextSqe(), event1, Libc.EPOLLIN, 42);
        ring.submit();
        Libc.write(event1, count, Long.BYTES);
        assertFalse(ring.armWakeup());
        assertEquals(1, ring.poll(completions, 8));
        assertFalse(readable(0), "no signal while awake");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotSleepOnRequestsNotSubmitted(boolean threadBound) {
        open(threadBound);
        Sqe.nop(ring.sqes(), ring.nextSqe(), 1);
        assertFalse(ring.armWakeup());
        completions.drain(ring);
        assertTrue(ring.armWakeup());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void staysSilentAfterThePollThatEndsTheSleep(boolean threadBound) {
        open(threadBound);
        assertTrue(ring.armWakeup());
        ring.poll(completions, 8);
        for (int i = 0; i < 20; i++) {
            Sqe.nop(ring.sqes(), ring.nextSqe(), i);
            ring.poll(completions, 8);
        }
        assertFalse(readable(0));
    }
}
