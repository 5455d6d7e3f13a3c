package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.Reply;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A thread moves to a core where the kernel refuses it a ring.
class RefusedRingTest {
    private static final int BLOCK = 512;
    private static final int DEPTH = 64;

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofShared();
    private final IoVector data = new IoVector(1);
    /// How many rings are refused from now on.
    private final AtomicInteger refusals = new AtomicInteger();
    /// How many have been refused.
    private final AtomicInteger refused = new AtomicInteger();
    /// What was reported of exceptions, and other sentences.
    private final List<String> exceptions = new CopyOnWriteArrayList<>();
    private final List<String> sentences = new CopyOnWriteArrayList<>();
    private FileBdevs bdevs;
    private IoThread thread;
    private BdevChannel channel;

    @BeforeEach
    void open() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[DEPTH * BLOCK]);
        bdevs = new FileBdevs(new FileCallsFake(), 2, this::openRing, new Events());
        BdevDescriptor descriptor = bdevs.open(bdevs.create(file, BLOCK), true);
        thread = bdevs.reactors.createThread("mover", CpuMask.of(0, 1));
        channel = bdevs.channel(descriptor, thread);
        data.add(arena.allocate(BLOCK, 4096), 0, BLOCK);
    }

    @AfterEach
    void close() throws Exception {
        bdevs.close();
        arena.close();
    }

    private final class Events implements ReactorEvents {
        @Override
        public void exception(String where, Throwable cause) {
            exceptions.add(where + ": " + cause.getMessage());
        }

        @Override
        public void report(String sentence) {
            sentences.add(sentence);
        }
    }

    private OwnedRing openRing() {
        if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            refused.incrementAndGet();
            throw new IllegalStateException("refused by the test");
        }
        return new OwnedRing();
    }

    /// What came of reads of all blocks, and perhaps of one that each submits when it ends.
    private final class Reads {
        final boolean again;
        final Reply<Reads> reply;
        int succeeded;
        int failed;

        Reads(boolean again, Reply<Reads> reply) {
            this.again = again;
            this.reply = reply;
        }

        void start() {
            for (int block = 0; block < DEPTH; block++) {
                assertTrue(channel.read(data, block, 1, again ? this::endedFirst : this::ended));
            }
        }

        private void endedFirst(BdevIo io) {
            assertTrue(channel.read(data, io.offsetBlocks(), 1, this::ended));
            ended(io);
        }

        private void ended(BdevIo io) {
            if (io.status() == BdevStatus.SUCCESS) {
                succeeded++;
            } else {
                failed++;
            }
            if (succeeded + failed == (again ? 2 * DEPTH : DEPTH)) {
                reply.complete(this);
            }
        }
    }

    /// Submits reads, and in the same turn moves the thread to its other core.
    private Reads readAndMove(boolean again) {
        return thread.callAsync(reply -> {
            new Reads(again, reply).start();
            thread.moveTo(bdevs.reactors.reactor(1 - thread.reactor().core()));
        });
    }

    private long statusOfRead() {
        return thread.<Long>callAsync(
                reply -> assertTrue(channel.read(data, 0, 1, io -> reply.complete(io.status()))));
    }

    @Test
    void endsWhatIsInFlightAndFailsWhatIsNew() {
        refusals.set(Integer.MAX_VALUE);
        assertEquals(DEPTH, readAndMove(false).succeeded);
        assertEquals(BdevStatus.errno(Errno.EIO), statusOfRead());
        assertTrue(bdevs.reactors.exceptionCount() > 0, "the refusal is reported");
    }

    @Test
    void goesOnOnACoreWhereARingCanBeOpened() {
        int first = thread.reactor().core();
        refusals.set(Integer.MAX_VALUE);
        readAndMove(false);
        assertEquals(BdevStatus.errno(Errno.EIO), statusOfRead());
        refusals.set(0);
        thread.moveTo(bdevs.reactors.reactor(first));
        while (thread.<Integer, RuntimeException>call(() -> thread.reactor().core()) != first) {
            Thread.onSpinWait();
        }
        assertEquals(BdevStatus.SUCCESS, statusOfRead());
    }

    @Test
    @Timeout(60)
    void reportsTheFirstRefusalOnACoreAndItsEndAndCountsTheRest() {
        int core = 1 - thread.reactor().core();
        refusals.set(Integer.MAX_VALUE);
        readAndMove(false);
        while (refused.get() < 4) { // each asks for a ring, if the last refusal is long enough ago
            statusOfRead();
        }
        assertEquals(List.of("thread mover, opening a ring on core " + core + ": refused by the test"), exceptions);
        assertEquals(List.of(), sentences);
        refusals.set(0);
        while (statusOfRead() != BdevStatus.SUCCESS) {
            Thread.onSpinWait();
        }
        assertEquals(refused.get(), bdevs.reactors.exceptionCount());
        assertEquals(1, exceptions.size());
        assertEquals(List.of("thread mover has a ring on core " + core + ", after " + refused + " refusals on core "
                + core), sentences);
    }

    /// What the old ring occupies may be just what the new one lacks: the new I/O waits for it.
    @Test
    void holdsWhatIsNewBackWhileTheOldRingIsDrained() {
        refusals.set(1);
        Reads reads = readAndMove(true);
        assertEquals(0, reads.failed);
        assertEquals(2 * DEPTH, reads.succeeded);
    }
}
