package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.framework.testing.ManualReactor;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Reactor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// The data path allocates nothing, even where the compiler would remove no allocation.
class MemoryAllocationTest {
    @Test
    void operationsOnVectorsAllocateNothing() {
        assertEquals(0, AllocationProbe.allocatedBytes(VectorOperation.class));
    }

    @Test
    void buffersThatGoRoundAllocateNothing() {
        assertEquals(0, AllocationProbe.allocatedBytes(BufferOperation.class));
    }

    @Test
    void theProbeSeesASmallObject() {
        // A header of 12 bytes or (compact) 8 and an int: 16 bytes either way, 20,000 times.
        assertEquals(20_000 * 16, AllocationProbe.allocatedBytes(OneSmallObject.class));
    }

    static final class OneSmallObject implements Runnable {
        private Object kept;

        @Override
        public void run() {
            kept = new Object() {
                private final int value = System.identityHashCode(OneSmallObject.class);
            };
        }
    }

    static final class VectorOperation implements Runnable {
        private final Memory memory = new Memory(MemoryOptions.DEFAULT);
        private final MemoryRegion own = memory.allocate("test", 1 << 20);
        private final MemoryRegion foreign = memory.register(Arena.ofShared().allocate(1 << 16, 4096));
        private final MemorySegment other = Arena.ofShared().allocate(1 << 16, 4096);
        private final IoVector one = new IoVector(1);
        private final IoVector many = new IoVector(4);
        private final IoVector slice = new IoVector(4);
        private int turn;

        @Override
        public void run() {
            turn++;
            one.set(turn % 2 == 0 ? own : foreign, (turn % 8) * 4096L, 4096);
            one.fill((byte) turn);
            many.clear();
            many.add(other, 512, 1024);
            many.add(foreign, 4096, 2048);
            many.tryAdd(own, 65_536, 1024);
            many.hold(turn % 3);
            many.copyFrom(one, 0, 0, 4096);
            many.copyTo(other, 8192, 0, 4096);
            slice.clear();
            slice.addSlice(many, 512, 3000);
            long same = many.mismatch(one, 0, 0, 4096) + many.mismatch(other, 8192, 0, 4096);
            slice.copyFrom(other, 8192, 0, 3000);
            many.release(turn % 3);
            if (same != -2 || memory.regionOf(one.address(0), 4096) != one.region(0)) {
                throw new AssertionError("same=" + same);
            }
        }
    }

    /// Alice and Bob share 64 buffers, of which Bob has all but a few: one of them always waits for the other.
    static final class BufferOperation implements Runnable {
        private final ManualReactor manual = new ManualReactor(2);
        private final Reactor[] reactors = manual.reactors().reactors().toArray(Reactor[]::new);
        private final BufferPools pools = new BufferPools(new Memory(MemoryOptions.DEFAULT),
                new BufferPoolOptions(64, 64, 8192, 8192 * 2, false));
        private final Party[] parties = {party("alice", 0), party("bob", 1)};
        private long servedBefore;

        private Party party(String name, int core) {
            IoThread thread = manual.thread(name, core);
            return manual.run(thread, () -> {
                Party party = new Party(pools.openChannel("test", 8, 4));
                thread.addPoller("party", party);
                return party;
            });
        }

        @Override
        public void run() {
            reactors[0].drive();
            reactors[1].drive();
            reactors[0].drive();
            long served = parties[0].served + parties[1].served;
            if (served == servedBefore && served > 0 || !manual.reports().isEmpty()) {
                throw new AssertionError("nobody was served after a wait in this round: " + manual.reports());
            }
            servedBefore = served;
        }

        private static final class Party extends BufferWaiter implements PollFunction {
            private final BufferChannel channel;
            private final Buffer[] held = new Buffer[64 + 6];
            private int count;
            private long served;

            Party(BufferChannel channel) {
                this.channel = channel;
            }

            @Override
            protected void onBuffer(Buffer buffer) {
                served++;
                held[count++] = buffer;
            }

            @Override
            public int poll() {
                for (int i = 0; i < 6; i++) {
                    held[count++] = channel.tryGet(10_000);
                }
                for (int i = 0; i < 6; i++) {
                    channel.release(held[--count]);
                }
                for (int i = 0; i < 10 && count > 0; i++) {
                    channel.release(held[--count]);
                }
                while (!isWaiting()) {
                    Buffer buffer = channel.get(8192, this);
                    if (buffer != null) {
                        held[count++] = buffer;
                    }
                }
                return 1;
            }

            @Override
            public boolean readyToSleep() {
                return true;
            }
        }
    }
}
