package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Four threads on two reactors want more buffers than there are, with caches of every sort.
class BufferPoolsStressTest {
    private static final int BUFFERS = 64;
    private static final int OPERATIONS = 200_000;

    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicReferenceArray<Worker> owners = new AtomicReferenceArray<>(BUFFERS);

    /// Gets, waits, cancels and releases at random; then releases until nothing is held or awaited.
    private final class Worker implements PollFunction {
        private final BufferChannel channel;
        private final Random random;
        private final CountDownLatch done;
        private final List<Buffer> held = new ArrayList<>();
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private int operations;
        private Poller poller;

        Worker(BufferChannel channel, long seed, CountDownLatch done) {
            this.channel = channel;
            this.random = new Random(seed);
            this.done = done;
        }

        private final class Waiting extends BufferWaiter {
            @Override
            protected void onBuffer(Buffer buffer) {
                if (waiting.pollFirst() != this) {
                    errors.add("a waiter was served before an older one of its thread");
                }
                take(buffer);
            }
        }

        private void take(Buffer buffer) {
            Worker other = owners.compareAndExchange(buffer.index(), null, this);
            if (other != null) {
                errors.add("buffer " + buffer.index() + " was given twice");
            }
            held.add(buffer);
        }

        private void release() {
            Buffer buffer = held.remove(random.nextInt(held.size()));
            if (!owners.compareAndSet(buffer.index(), this, null)) {
                errors.add("buffer " + buffer.index() + " belongs to another");
            }
            channel.release(buffer);
        }

        @Override
        public int poll() {
            for (int i = 0; i < 8; i++) {
                if (operations >= OPERATIONS) {
                    return drain();
                }
                operations++;
                int choice = random.nextInt(100);
                if (choice < 50 && waiting.size() < 40) {
                    get();
                } else if (choice < 97) {
                    if (!held.isEmpty()) {
                        release();
                    }
                } else if (!waiting.isEmpty()) {
                    Waiting last = waiting.removeLast();
                    if (!channel.cancel(last)) {
                        errors.add("a queued waiter could not be cancelled");
                    }
                }
            }
            return 1;
        }

        private void get() {
            Waiting waiter = new Waiting();
            waiting.addLast(waiter);
            Buffer buffer = channel.get(8192, waiter);
            if (buffer != null) {
                waiting.removeLast();
                take(buffer);
            }
        }

        private int drain() {
            while (!held.isEmpty()) {
                release();
            }
            if (waiting.isEmpty()) {
                poller.unregister();
                done.countDown();
            }
            return 0;
        }

        @Override
        public boolean readyToSleep() {
            return held.isEmpty() && operations >= OPERATIONS;
        }
    }

    @Test
    @Timeout(60)
    void neitherLosesNorDoublesABufferNorForgetsAWaiter() throws InterruptedException {
        Reactors reactors = Reactors
                .start(new ReactorOptions("stress", CpuMask.of(0, 1), 0, false, 0, new ReactorEvents() {
                    @Override
                    public void exception(String where, Throwable cause) {
                        errors.add(where + ": " + cause);
                    }

                    @Override
                    public void report(String sentence) {
                        errors.add(sentence);
                    }
                }));
        try (Memory memory = new Memory(MemoryOptions.DEFAULT, reactors);
                BufferPools pools = new BufferPools(memory, new BufferPoolOptions(BUFFERS, 8, 8192, 8192, false))) {
            int[] cacheSizes = {128, 16, 1, 0};
            CountDownLatch done = new CountDownLatch(cacheSizes.length);
            List<BufferChannel> channels = new ArrayList<>();
            for (int i = 0; i < cacheSizes.length; i++) {
                int cacheSize = cacheSizes[i];
                long seed = i;
                IoThread thread = reactors.createThread("worker " + i, CpuMask.of(i % 2));
                channels.add(thread.call(() -> {
                    BufferChannel channel = pools.openChannel("stress", cacheSize, 0);
                    Worker worker = new Worker(channel, seed, done);
                    worker.poller = thread.addPoller("work", worker);
                    return channel;
                }));
            }
            if (!done.await(50, TimeUnit.SECONDS)) {
                errors.add("a waiter was never served: " + pools.stats());
            }
            assertEquals(List.of(), List.copyOf(errors));
            channels.forEach(channel -> channel.thread().run(channel::close));
            assertEquals(BUFFERS, countAll(reactors.appThread(), pools));
        } finally {
            reactors.stop(1_000_000_000L);
        }
        assertEquals(List.of(), List.copyOf(errors));
    }

    private static int countAll(IoThread thread, BufferPools pools) {
        return thread.call(() -> {
            Set<Buffer> all = new HashSet<>();
            try (BufferChannel channel = pools.openChannel("count", 0, 0)) {
                for (Buffer b = channel.tryGet(1); b != null; b = channel.tryGet(1)) {
                    all.add(b);
                }
            }
            return all.size();
        });
    }
}
