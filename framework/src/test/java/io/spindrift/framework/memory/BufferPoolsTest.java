package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferPoolsTest {
    private static final int SMALL = 64;
    private static final int LARGE = 8;

    private final ManualReactor manual = new ManualReactor(2);
    private final IoThread alice = manual.thread("alice", 0);
    private final IoThread bob = manual.thread("bob", 1);
    private final Memory memory = new Memory(MemoryOptions.DEFAULT);
    private final BufferPools pools = new BufferPools(memory,
            new BufferPoolOptions(SMALL, LARGE, 8192, 135_168, false));
    private final List<String> served = new ArrayList<>();

    /// Notes its name and keeps the buffer.
    private class Waiter extends BufferWaiter {
        private final String name;
        private Buffer buffer;

        Waiter(String name) {
            this.name = name;
        }

        @Override
        protected void onBuffer(Buffer given) {
            served.add(name);
            buffer = given;
        }
    }

    @AfterEach
    void close() {
        manual.close();
        pools.close();
        memory.close();
        assertEquals(List.of(), manual.reports());
    }

    private BufferChannel open(IoThread thread, int smallCache, int largeCache) {
        return manual.run(thread, () -> pools.openChannel("test", smallCache, largeCache));
    }

    private List<Buffer> takeAll(BufferChannel channel, int byteLength) {
        return manual.run(channel.thread(), () -> {
            List<Buffer> taken = new ArrayList<>();
            for (Buffer b = channel.tryGet(byteLength); b != null; b = channel.tryGet(byteLength)) {
                taken.add(b);
            }
            return taken;
        });
    }

    private void release(BufferChannel channel, Buffer buffer) {
        manual.run(channel.thread(), () -> channel.release(buffer));
    }

    /// Queues waiters in order.
    private Waiter[] queue(BufferChannel channel, String... names) {
        Waiter[] waiters = new Waiter[names.length];
        for (int i = 0; i < names.length; i++) {
            Waiter waiter = new Waiter(names[i]);
            waiters[i] = waiter;
            assertNull(manual.run(channel.thread(), () -> channel.get(8192, waiter)));
        }
        return waiters;
    }

    private void assertNothingLost(BufferChannel... channels) {
        for (BufferChannel channel : channels) {
            manual.run(channel.thread(), channel::close);
        }
        manual.settle();
        BufferChannel last = open(alice, 0, 0);
        assertEquals(SMALL, new HashSet<>(takeAll(last, 1)).size());
        assertEquals(LARGE, new HashSet<>(takeAll(last, 135_168)).size());
    }

    // ---- getting ----------------------------------------------------------------------------------------------

    @Test
    void givesTheSmallestBufferThatIsLongEnough() {
        BufferChannel channel = open(alice, 4, 4);
        manual.run(alice, () -> {
            assertEquals(8192, channel.tryGet(0).capacity());
            assertEquals(8192, channel.tryGet(8192).capacity());
            assertEquals(135_168, channel.tryGet(8193).capacity());
            assertEquals(135_168, channel.tryGet(135_168).capacity());
            assertThrows(IllegalArgumentException.class, () -> channel.tryGet(135_169));
        });
        assertEquals(135_168, pools.largestCapacity());
    }

    @Test
    void givesEachBufferOnceAlignedAndApart() {
        BufferChannel channel = open(alice, 16, 4);
        List<Buffer> all = takeAll(channel, 8192);
        assertEquals(SMALL, new HashSet<>(all).size());
        Set<Long> addresses = new HashSet<>();
        for (Buffer buffer : all) {
            assertEquals(0, buffer.address() % 4096);
            assertEquals(0, (buffer.address() - all.getFirst().address()) % 8192);
            assertEquals(8192, buffer.segment().byteSize());
            assertEquals(buffer.address(), buffer.region().address() + buffer.regionOffset());
            assertTrue(addresses.add(buffer.address()));
        }
    }

    @Test
    void alignsBuffersOfAnOddLengthToo() {
        try (BufferPools odd = new BufferPools(memory, new BufferPoolOptions(64, 8, 5000, 9001, true))) {
            manual.run(bob, () -> {
                try (BufferChannel channel = odd.openChannel("test", 0, 0)) {
                    Buffer first = channel.tryGet(5000);
                    Buffer second = channel.tryGet(5000);
                    assertEquals(5000, first.capacity());
                    assertEquals(8192, Math.abs(first.address() - second.address()));
                    channel.release(first);
                    channel.release(second);
                }
            });
        }
    }

    @Test
    void countsWhereBuffersCameFrom() {
        // A cache of 8 takes 4 at a time from the shared pool: 10 gets ask it 3 times.
        BufferChannel channel = open(alice, 8, 0);
        pools.registerModule("bdev");
        manual.run(alice, () -> {
            for (int i = 0; i < 10; i++) {
                assertNotNull(channel.tryGet(1));
            }
            assertNotNull(channel.tryGet(10_000));
        });
        assertEquals(new BufferStats("test", new BufferStats.Pool(7, 3, 0, 8), new BufferStats.Pool(0, 1, 0, 0)),
                manual.run(alice, channel::stats));
    }

    @Test
    void usesTheLastReleasedBufferNext() {
        BufferChannel channel = open(alice, 8, 0);
        manual.run(alice, () -> {
            Buffer buffer = channel.tryGet(1);
            channel.release(buffer);
            assertSame(buffer, channel.tryGet(1));
        });
    }

    // ---- misuse -----------------------------------------------------------------------------------------------

    @Test
    void refusesToTakeABufferBackTwice() {
        BufferChannel channel = open(alice, 8, 0);
        Buffer buffer = manual.run(alice, () -> channel.tryGet(1));
        release(channel, buffer);
        assertThrows(IllegalStateException.class, () -> release(channel, buffer));
        assertThrows(IllegalStateException.class, () -> pools.release(buffer));
        assertNothingLost(channel);
    }

    @Test
    void refusesABufferOfOtherPools() {
        BufferChannel channel = open(alice, 8, 0);
        try (BufferPools others = new BufferPools(memory, new BufferPoolOptions(64, 8, 8192, 8192, false))) {
            manual.run(alice, () -> {
                try (BufferChannel other = others.openChannel("test", 0, 0)) {
                    Buffer buffer = other.tryGet(1);
                    assertThrows(IllegalArgumentException.class, () -> channel.release(buffer));
                    other.release(buffer);
                }
            });
        }
    }

    @Test
    void refusesAChannelOffAReactorOrClosedUnderAWaiter() {
        assertThrows(IllegalStateException.class, () -> pools.openChannel("test", 0, 0));
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        Waiter waiter = queue(channel, "w")[0];
        manual.run(alice, () -> {
            assertThrows(IllegalStateException.class, channel::close);
            assertThrows(IllegalStateException.class, () -> channel.get(1, waiter));
            channel.cancel(waiter);
        });
        all.forEach(b -> release(channel, b));
        assertNothingLost(channel);
    }

    @Test
    void refusesPoolsBelowTheirLimits() {
        assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(63, 8, 4096, 8192, false));
        assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(64, 7, 4096, 8192, false));
        assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(64, 8, 4095, 8192, false));
        assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(64, 8, 4096, 8191, false));
        assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(64, 8, 16_384, 8192, false));
        assertEquals("small_pool_count=63 is outside 64..16777216",
                assertThrows(IllegalArgumentException.class, () -> new BufferPoolOptions(63, 8, 4096, 8192, false))
                        .getMessage());
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    @Test
    void servesWaitersInOrder() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        queue(channel, "1", "2", "3");
        release(channel, all.get(0));
        release(channel, all.get(1));
        assertEquals(List.of("1", "2"), served);
        assertNull(manual.run(alice, () -> channel.tryGet(1)), "a newcomer does not overtake");
        release(channel, all.get(2));
        assertEquals(List.of("1", "2", "3"), served);
        assertEquals(3, manual.run(alice, channel::stats).smallPool().retry());
    }

    @Test
    void queuesForEachPoolApart() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        queue(channel, "small");
        manual.run(alice, () -> {
            Buffer large = channel.tryGet(8193);
            assertNotNull(large);
            channel.release(large);
        });
        assertEquals(List.of(), served);
        release(channel, all.getFirst());
        assertEquals(List.of("small"), served);
    }

    @Test
    void forgetsACancelledWaiter() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        Waiter[] w = queue(channel, "1", "2", "3", "4");
        manual.run(alice, () -> {
            assertTrue(channel.cancel(w[1]));
            assertFalse(channel.cancel(w[1]));
            assertFalse(w[1].isWaiting());
            assertTrue(channel.cancel(w[3]));
        });
        release(channel, all.get(0));
        release(channel, all.get(1));
        release(channel, all.get(2));
        assertEquals(List.of("1", "3"), served);
        assertFalse(manual.run(alice, () -> channel.cancel(w[0])));
        assertSame(all.get(2), manual.run(alice, () -> channel.tryGet(1)));
    }

    @Test
    void givesABufferReleasedOnAnotherThread() {
        BufferChannel a = open(alice, 8, 0);
        BufferChannel b = open(bob, 8, 0);
        List<Buffer> all = takeAll(a, 1);
        Waiter waiter = queue(b, "bob")[0];
        release(a, all.getFirst());
        manual.settle();
        assertEquals(List.of("bob"), served);
        assertSame(all.getFirst(), waiter.buffer);
    }

    @Test
    void callsBackWhatAnIdleThreadKeeps() {
        BufferChannel a = open(alice, SMALL, 0);
        BufferChannel b = open(bob, 8, 0);
        List<Buffer> all = takeAll(a, 1);
        all.forEach(buffer -> release(a, buffer)); // all in alice's cache now, and she does nothing more
        queue(b, "1", "2");
        manual.settle();
        assertEquals(List.of("1", "2"), served);
        assertNotNull(manual.run(alice, () -> a.tryGet(1)), "she keeps what nobody asks for");
    }

    @Test
    void servesTheOldestOfAllThreadsFirst() {
        BufferChannel a = open(alice, 8, 0);
        BufferChannel b = open(bob, 8, 0);
        List<Buffer> all = takeAll(a, 1);
        queue(b, "bob 1");
        queue(a, "alice 1", "alice 2");
        queue(b, "bob 2");
        manual.settle();
        for (int i = 0; i < 4; i++) {
            release(a, all.get(i));
            manual.settle();
        }
        assertEquals(List.of("bob 1", "alice 1", "alice 2", "bob 2"), served);
    }

    @Test
    void givesABufferReleasedOutsideAllThreads() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        queue(channel, "1");
        pools.release(all.get(0));
        manual.settle();
        assertEquals(List.of("1"), served);
        pools.release(all.get(1));
        assertSame(all.get(1), manual.run(alice, () -> channel.tryGet(1)));
    }

    @Test
    void passesOnABufferWhoseWaiterWasCancelledOnItsWay() {
        BufferChannel a = open(alice, 8, 0);
        BufferChannel b = open(bob, 8, 0);
        List<Buffer> all = takeAll(a, 1);
        Waiter cancelled = queue(b, "bob")[0];
        queue(a, "alice");
        manual.settle();
        bob.send(() -> b.cancel(cancelled)); // before the buffer gets there, after it is on its way
        alice.send(() -> a.release(all.getFirst()));
        manual.step(0);
        manual.settle();
        assertEquals(List.of("alice"), served);
        release(a, all.get(1));
        manual.run(bob, b::close);
        assertSame(all.get(1), manual.run(alice, () -> a.tryGet(1)));
    }

    @Test
    void servesManyWaitersThatReleaseAtOnceWithoutRecursion() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        int[] count = new int[1];
        manual.run(alice, () -> {
            for (int i = 0; i < 100_000; i++) {
                assertNull(channel.get(1, new BufferWaiter() {
                    @Override
                    protected void onBuffer(Buffer buffer) {
                        count[0]++;
                        channel.release(buffer);
                    }
                }));
            }
            channel.release(all.getFirst());
        });
        assertEquals(100_000, count[0]);
        all.subList(1, SMALL).forEach(b -> release(channel, b));
        assertNothingLost(channel);
    }

    @Test
    void letsAWaiterWaitAgainFromItsCallback() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        Waiter again = new Waiter("again") {
            @Override
            protected void onBuffer(Buffer given) {
                super.onBuffer(given);
                if (served.size() < 3) {
                    assertNull(channel.get(1, this));
                    channel.release(given);
                }
            }
        };
        manual.run(alice, () -> assertNull(channel.get(1, again)));
        release(channel, all.getFirst());
        assertEquals(List.of("again", "again", "again"), served);
        assertSame(all.getFirst(), again.buffer);
    }

    @Test
    void containsAWaiterThatThrows() {
        BufferChannel channel = open(alice, 8, 0);
        List<Buffer> all = takeAll(channel, 1);
        manual.run(alice, () -> channel.get(1, new BufferWaiter() {
            @Override
            protected void onBuffer(Buffer buffer) {
                throw new IllegalStateException("a bug");
            }
        }));
        queue(channel, "next");
        release(channel, all.get(0));
        release(channel, all.get(1));
        assertEquals(List.of("next"), served);
        assertEquals(1, manual.reports().size());
        assertTrue(manual.reports().getFirst().contains("a bug"), manual.reports().getFirst());
        manual.reports().clear();
    }

    @Test
    void passesOverAThreadThatWasForcedToExit() {
        BufferChannel a = open(alice, 8, 0);
        BufferChannel b = open(bob, 8, 0);
        List<Buffer> all = takeAll(a, 1);
        queue(b, "bob");
        queue(a, "alice");
        manual.settle();
        manual.run(bob, () -> bob.addPoller("holds the thread", new io.spindrift.framework.thread.PollFunction() {
            @Override
            public int poll() {
                return 0;
            }

            @Override
            public boolean readyToSleep() {
                return true;
            }
        }));
        manual.run(bob, () -> bob.exit(0));
        manual.stepUntil(() -> bob.state() == IoThread.State.EXITED);
        manual.reports().clear();
        release(a, all.getFirst());
        manual.settle();
        assertEquals(List.of("alice"), served);
    }

    @Test
    void givesBackItsCacheWhenClosed() {
        BufferChannel a = open(alice, SMALL, LARGE);
        takeAll(a, 1).forEach(buffer -> release(a, buffer));
        BufferChannel b = open(bob, 8, 0);
        manual.run(alice, a::close);
        assertEquals(SMALL, takeAll(b, 1).size());
    }

    @Test
    void servesWaitersFromAClosedChannelsCache() {
        BufferChannel a = open(alice, SMALL, 0);
        BufferChannel b = open(bob, 8, 0);
        takeAll(a, 1).forEach(buffer -> release(a, buffer));
        Waiter waiter = new Waiter("bob");
        alice.send(a::close); // before she is asked to give back
        bob.send(() -> b.get(1, waiter));
        manual.step(1);
        assertTrue(waiter.isWaiting());
        manual.settle();
        assertEquals(List.of("bob"), served);
    }
}
