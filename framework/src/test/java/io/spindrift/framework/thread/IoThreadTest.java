package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.testing.ManualReactor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IoThreadTest {
    private final ManualReactor manual = new ManualReactor(2);
    private final IoThread thread = manual.thread("t", 0);

    @AfterEach
    void close() {
        manual.close();
    }

    private static PollFunction always(AtomicInteger count) {
        return new PollFunction() {
            @Override
            public int poll() {
                return count.incrementAndGet();
            }

            @Override
            public boolean readyToSleep() {
                return false;
            }
        };
    }

    private static final class Device extends IoDevice<Device.Channel> {
        int freed;
        final List<String> destroyed = new ArrayList<>();

        Device(Reactors reactors) {
            super(reactors, "device");
        }

        @Override
        protected Channel createChannel(IoThread owner) {
            return new Channel(this, owner);
        }

        @Override
        protected void onFreed() {
            freed++;
        }

        static final class Channel extends IoChannel {
            private final Device owner;

            Channel(Device device, IoThread thread) {
                super(device, thread);
                owner = device;
            }

            @Override
            protected void onDestroy() {
                owner.destroyed.add(thread().name());
            }
        }
    }

    @Test
    void isCurrentOnlyInItsOwnTurn() {
        List<IoThread> seen = new ArrayList<>();
        thread.send(() -> seen.add(IoThread.current()));
        manual.step(0);
        assertEquals(List.of(thread), seen);
        assertEquals(null, IoThread.current());
    }

    @Test
    void runsAnActivePollerOnceATurnUntilItUnregistersItself() {
        AtomicInteger runs = new AtomicInteger();
        Poller[] self = new Poller[1];
        self[0] = manual.run(thread, () -> thread.addPoller("p", new PollFunction() {
            @Override
            public int poll() {
                if (runs.incrementAndGet() == 3) {
                    self[0].unregister();
                }
                return 1;
            }

            @Override
            public boolean readyToSleep() {
                return true;
            }
        }));
        for (int i = 0; i < 10; i++) {
            manual.step(0);
        }
        assertEquals(3, runs.get());
        assertEquals(Poller.State.UNREGISTERED, self[0].state());
    }

    @Test
    void runsATimedPollerWhenItsPeriodHasPassedAndDoesNotCatchUp() {
        AtomicInteger runs = new AtomicInteger();
        manual.run(thread, () -> thread.addTimedPoller("p", runs::incrementAndGet, 100));
        manual.clock().advance(99);
        manual.stepAll();
        manual.stepAll();
        assertEquals(0, runs.get());
        manual.clock().advance(1);
        manual.stepAll();
        manual.stepAll();
        assertEquals(1, runs.get());
        manual.clock().advance(1000);
        manual.stepAll();
        manual.stepAll();
        manual.stepAll();
        assertEquals(2, runs.get());
    }

    @Test
    void aPausedPollerRunsAgainAfterResume() {
        AtomicInteger runs = new AtomicInteger();
        Poller poller = manual.run(thread, () -> thread.addPoller("p", always(runs)));
        manual.step(0);
        manual.run(thread, poller::pause);
        int before = runs.get();
        manual.step(0);
        assertEquals(before, runs.get());
        manual.run(thread, poller::resume);
        manual.step(0);
        assertNotEquals(before, runs.get());
    }

    @Test
    void containsAnExceptionOfAPollerAndReportsItOnce() {
        AtomicInteger other = new AtomicInteger();
        Poller poller = manual.run(thread, () -> thread.addPoller("bad", new PollFunction() {
            @Override
            public int poll() {
                throw new IllegalStateException("boom");
            }

            @Override
            public boolean readyToSleep() {
                return true;
            }
        }));
        manual.run(thread, () -> thread.addPoller("good", always(other)));
        int before = other.get();
        manual.step(0);
        manual.step(0);
        assertEquals(before + 2, other.get());
        assertEquals(List.of("thread t, poller bad: java.lang.IllegalStateException: boom"), manual.reports());
        assertEquals(poller.exceptionCount(), manual.reactors().exceptionCount());
        assertTrue(poller.exceptionCount() >= 2);
    }

    @Test
    void containsAnExceptionOfAMessage() {
        AtomicInteger ran = new AtomicInteger();
        thread.send(() -> {
            throw new IllegalStateException("boom");
        });
        thread.send(ran::incrementAndGet);
        manual.step(0);
        assertEquals(1, ran.get());
        assertEquals(1, manual.reactors().exceptionCount());
    }

    @Test
    void sharesAChannelOnAThreadAndFreesTheDeviceAfterTheLastChannel() {
        Device device = new Device(manual.reactors());
        IoThread other = manual.thread("u", 1);
        Device.Channel a = manual.run(thread, device::channel);
        Device.Channel b = manual.run(thread, device::channel);
        Device.Channel c = manual.run(other, device::channel);
        assertSame(a, b);
        assertEquals(2, a.references());
        assertEquals(2, device.channelCount());
        device.unregister();
        assertThrows(IllegalStateException.class, () -> manual.run(manual.thread("v", 0), device::channel));
        manual.run(thread, a::release);
        manual.run(other, c::release);
        manual.settle();
        assertEquals(0, device.freed);
        manual.run(thread, b::release);
        manual.settle();
        assertEquals(1, device.freed);
        assertEquals(List.of("u", "t"), device.destroyed);
    }

    @Test
    void aChannelTakenAgainBeforeItsDestructionSurvives() {
        Device device = new Device(manual.reactors());
        manual.run(thread, () -> {
            Device.Channel channel = device.channel();
            channel.release();
            assertSame(channel, device.channel());
        });
        manual.settle();
        assertEquals(List.of(), device.destroyed);
        assertEquals(1, device.channelCount());
    }

    @Test
    void walksTheChannelsThreadByThreadAndEndsWhereItStarted() {
        Device device = new Device(manual.reactors());
        IoThread other = manual.thread("u", 1);
        manual.thread("without a channel", 1);
        manual.run(thread, device::channel);
        manual.run(other, device::channel);
        List<String> visited = new ArrayList<>();
        List<Object> end = new ArrayList<>();
        manual.run(other, () -> device.forEachChannel((channel, walk) -> {
            visited.add(IoThread.current().name() + " " + channel.thread().name());
            walk.next(channel.thread() == other ? -5 : 0);
        }, status -> {
            end.add(status);
            end.add(IoThread.current());
        }));
        manual.settle();
        assertEquals(List.of("t t", "u u"), visited);
        assertEquals(List.of(-5, other), end);
    }

    @Test
    void aWalkGoesOnWithAnErrorWhenAVisitorThrows() {
        Device device = new Device(manual.reactors());
        IoThread other = manual.thread("u", 1);
        manual.run(thread, device::channel);
        manual.run(other, device::channel);
        List<String> visited = new ArrayList<>();
        List<Integer> end = new ArrayList<>();
        manual.run(other, () -> device.forEachChannel((channel, walk) -> {
            visited.add(channel.thread().name());
            if (channel.thread() == thread) {
                throw new IllegalStateException("boom");
            }
            walk.next(0);
        }, end::add));
        manual.settle();
        assertEquals(List.of("t", "u"), visited);
        assertEquals(List.of(-5), end); // EIO
    }

    @Test
    void exitsOnlyWhenNothingHoldsIt() {
        Device device = new Device(manual.reactors());
        Device.Channel channel = manual.run(thread, device::channel);
        Poller poller = manual.run(thread, () -> thread.addTimedPoller("p", () -> 0, 10));
        manual.run(thread, () -> thread.exit());
        manual.stepAll();
        assertEquals(IoThread.State.EXITING, thread.state());
        manual.run(thread, poller::unregister);
        manual.run(thread, channel::release);
        manual.stepUntil(() -> thread.state() == IoThread.State.EXITED);
        assertFalse(thread.send(() -> {}));
        assertEquals(List.of(), manual.reports());
    }

    @Test
    void aHolderIsNamedWhenTheTimeLimitForcesTheExit() {
        manual.run(thread, () -> thread.addTimedPoller("stuck", () -> 0, 1_000_000_000_000L));
        manual.run(thread, () -> thread.exit(2_000_000));
        manual.clock().advance(2_000_001);
        manual.stepUntil(() -> thread.state() == IoThread.State.EXITED);
        assertEquals(List.of("thread t did not end within 2 ms and is forced; it still holds poller stuck"),
                manual.reports());
    }

    @Test
    void rejectsWhatIsQueuedWhenItExits() {
        AtomicInteger rejected = new AtomicInteger();
        thread.send(() -> thread.exit(0));
        for (int i = 0; i < 100; i++) {
            thread.send(new Message() {
                @Override
                protected void run() {}

                @Override
                protected void rejected() {
                    rejected.incrementAndGet();
                }
            });
        }
        manual.step(0);
        assertEquals(IoThread.State.EXITED, thread.state());
        assertEquals(100 - 31, rejected.get()); // one turn runs a batch of 32, the first of which was the exit
    }

    @Test
    void movesBetweenReactorsWithItsQueueAndPollers() {
        AtomicInteger runs = new AtomicInteger();
        manual.run(thread, () -> thread.addPoller("p", always(runs)));
        thread.moveTo(manual.reactors().reactor(1));
        AtomicInteger on = new AtomicInteger(-1);
        manual.step(0);
        thread.send(() -> on.set(IoThread.current().reactor().core()));
        int before = runs.get();
        manual.step(0);
        assertEquals(before, runs.get());
        manual.step(1);
        assertEquals(1, on.get());
        assertTrue(runs.get() > before);
    }

    @Test
    void aTimerOfTheLongestPeriodHoldsNoOtherUp() {
        AtomicInteger runs = new AtomicInteger();
        manual.run(thread, () -> thread.addTimedPoller("short", runs::incrementAndGet, 10));
        manual.clock().advance(20);
        // Made in the turn in which the short one is overdue already.
        thread.send(() -> thread.addTimedPoller("long", () -> 0, Long.MAX_VALUE));
        manual.step(0);
        manual.step(0);
        assertEquals(1, runs.get());
    }

    @Test
    void endsThoughAMessageThrowsWhenItIsRejected() {
        manual.run(thread, () -> {
            thread.exit(0);
            for (int i = 0; i < 100; i++) {
                thread.send(new Message() {
                    @Override
                    protected void run() {}

                    @Override
                    protected void rejected() {
                        throw new IllegalStateException("broken sender");
                    }
                });
            }
        });
        manual.settle();
        assertEquals(IoThread.State.EXITED, thread.state());
        assertFalse(manual.reactors().threads().contains(thread));
        assertTrue(manual.reports().getLast().contains("broken sender"), manual.reports().toString());
    }

    @Test
    void aBoundThreadStaysWhereItIs() {
        manual.run(thread, thread::bind);
        assertThrows(IllegalArgumentException.class, () -> thread.cpuMask(CpuMask.of(1)));
        thread.moveTo(manual.reactors().reactor(1));
        thread.cpuMask(CpuMask.of(0, 1));
        manual.settle();
        assertSame(manual.reactors().reactor(0), thread.reactor());
        assertEquals(CpuMask.of(0), thread.cpuMask());
    }
}
