package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.internal.ffi.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReactorsTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Reactors reactors = Reactors.start(ReactorOptions.of("test", CpuMask.of(0)));

    @AfterEach
    void stop() {
        reactors.close();
    }

    private void awaitAsleep() {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!reactors.reactor(0).asleep()) {
            assertTrue(System.nanoTime() < deadline, "the reactor never slept");
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void runsATaskBetweenTurnsAndWaitsForIt() {
        Reactor reactor = reactors.reactor(0);
        Reactor[] seen = new Reactor[1];
        IoThread[] turn = {reactors.appThread()};
        reactor.run(() -> {
            seen[0] = Reactor.current();
            turn[0] = IoThread.current();
        });
        assertEquals(reactor, seen[0]);
        assertEquals(null, turn[0]);
        assertThrows(IllegalArgumentException.class, () -> reactor.run(() -> {
            throw new IllegalArgumentException("thrown on the reactor");
        }));
    }

    @Test
    void refusesTasksForAReactorThatHasStopped() {
        Reactors stopped = Reactors.start(ReactorOptions.of("stopped", CpuMask.of(0)));
        Reactor reactor = stopped.reactor(0);
        stopped.close();
        assertThrows(IllegalStateException.class, () -> reactor.run(() -> {}));
    }

    @Test
    void callsReturnTheResultFromTheOwner() {
        assertEquals("app_thread", reactors.appThread().call(() -> IoThread.current().name()));
    }

    @Test
    void callsFromAThousandVirtualThreadsAllReturn() throws Exception {
        AtomicInteger sum = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            reactors.control().submit(() -> {
                sum.addAndGet(reactors.appThread().call(() -> 1));
                done.countDown();
                return null;
            });
        }
        assertTrue(done.await(30, TimeUnit.SECONDS));
        assertEquals(1000, sum.get());
    }

    @Test
    void aCheckedExceptionOfACallIsThrownToItsCaller() {
        IOException thrown = assertThrows(IOException.class, () -> reactors.appThread().call(() -> {
            throw new IOException("no disk");
        }));
        assertEquals("no disk", thrown.getMessage());
        assertEquals(0, reactors.exceptionCount());
    }

    @Test
    void aCallOnAnExitedThreadFails() {
        IoThread thread = reactors.createThread("short", CpuMask.of(0));
        thread.run(thread::exit);
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            while (thread.state() != IoThread.State.EXITED) {
                Thread.onSpinWait();
            }
            assertThrows(IllegalStateException.class, () -> thread.call(() -> 1));
            assertFalse(thread.callIfAlive(() -> {}));
        });
    }

    @Test
    void callsRacingWithTheExitEitherRunOrFailAndNeverHang() throws Exception {
        for (int round = 0; round < 50; round++) {
            IoThread thread = reactors.createThread("race" + round, CpuMask.of(0));
            AtomicInteger ended = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                reactors.control().submit(() -> {
                    try {
                        thread.call(() -> 1);
                    } catch (IllegalStateException e) {
                        ended.incrementAndGet();
                    }
                    done.countDown();
                    return null;
                });
            }
            thread.send(thread::exit);
            assertTrue(done.await(20, TimeUnit.SECONDS), "a call hangs");
        }
    }

    @Test
    void anIdleReactorSleepsAndAMessageWakesIt() {
        awaitAsleep();
        assertEquals(7, reactors.appThread().call(() -> 7));
    }

    @Test
    void aTimerWakesASleepingReactor() throws Exception {
        CountDownLatch ran = new CountDownLatch(3);
        reactors.appThread().call(() -> reactors.appThread().addTimedPoller("tick", () -> {
            ran.countDown();
            return 1;
        }, 20_000_000));
        assertTrue(ran.await(20, TimeUnit.SECONDS));
        assertTrue(reactors.reactor(0).sleepCount() > 0);
        reactors.appThread().run(() -> reactors.appThread().pollers(Poller.Kind.TIMED).forEach(Poller::unregister));
    }

    @Test
    void aDescriptorWakesASleepingReactor() throws Exception {
        int fd = Libc.eventfd(0, Libc.EFD_CLOEXEC | Libc.EFD_NONBLOCK);
        CountDownLatch ran = new CountDownLatch(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(ValueLayout.JAVA_LONG);
            Poller poller = reactors.appThread().call(() -> reactors.appThread().addFdPoller("fd", fd, () -> {
                Libc.read(fd, word, 8);
                ran.countDown();
                return 1;
            }));
            awaitAsleep();
            MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
            assertEquals(8, Libc.write(fd, one, 8));
            assertTrue(ran.await(20, TimeUnit.SECONDS));
            reactors.appThread().run(poller::unregister);
        }
        Libc.close(fd);
    }

    @Test
    void outstandingWorkKeepsTheReactorPolling() {
        AtomicBoolean outstanding = new AtomicBoolean(true);
        Poller poller = reactors.appThread().call(() -> reactors.appThread().addPoller("p", new PollFunction() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public boolean readyToSleep() {
                return !outstanding.get();
            }
        }));
        long before = reactors.reactor(0).sleepCount();
        long runs = reactors.appThread().call(poller::runCount);
        LockSupport.parkNanos(20_000_000);
        long after = reactors.appThread().call(poller::runCount);
        assertTrue(after - runs > 100, "polled " + (after - runs) + " times in 20 ms");
        assertTrue(reactors.reactor(0).sleepCount() <= before + 1);
        outstanding.set(false);
        awaitAsleep();
        reactors.appThread().run(poller::unregister);
    }

    @Test
    void isPinnedToItsCore() throws IOException {
        assertEquals(reactors.reactors().size(), 1);
        reactors.appThread().run(() -> {});
        String status = Files.readString(Path.of("/proc/self/task/" + reactors.reactor(0).osThreadId() + "/status"));
        assertTrue(status.contains("Cpus_allowed_list:\t0\n"), status);
    }

    @Test
    void aSleepingReactorUsesNoCpu() throws Exception {
        awaitAsleep();
        Path stat = Path.of("/proc/self/task/" + reactors.reactor(0).osThreadId() + "/schedstat");
        long before = Long.parseLong(Files.readString(stat).split(" ")[0]);
        LockSupport.parkNanos(500_000_000);
        long spent = Long.parseLong(Files.readString(stat).split(" ")[0]) - before;
        assertTrue(spent < 5_000_000, spent + " ns of CPU in 500 ms asleep");
    }

    @Test
    void aReactorNeverWaits() {
        AssertionError error = assertThrows(AssertionError.class,
                () -> reactors.appThread().call(() -> reactors.appThread().call(() -> 1)));
        assertEquals("a reactor never waits", error.getMessage());
    }

    @Test
    void aCallOnAThreadOfAStoppedReactorFails() {
        Reactors stopped = Reactors.start(ReactorOptions.of("stopped", CpuMask.of(0)));
        stopped.close();
        IoThread late = stopped.createThread("late", CpuMask.of(0));
        assertTimeoutPreemptively(Duration.ofSeconds(20),
                () -> assertThrows(IllegalStateException.class, () -> late.call(() -> 1)));
    }

    @Test
    void workThatAReactorBeginsWhileTheControlPathClosesIsDone() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        reactors.control().executor().shutdown();
        reactors.control().fromReactor(done::countDown);
        assertTrue(done.await(20, TimeUnit.SECONDS));
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertEquals(1, reactors.appThread().call(() -> 1)));
    }

    @Test
    void theStopInterruptsControlTasksThatWaitForWhatWillNotCome() {
        Reactors stopping = Reactors.start(ReactorOptions.of("stopping", CpuMask.of(0)));
        stopping.control().submit(() -> {
            new CountDownLatch(1).await();
            return null;
        });
        assertTimeoutPreemptively(Duration.ofSeconds(20), stopping::close);
    }
}
