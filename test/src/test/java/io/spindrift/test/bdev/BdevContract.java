package io.spindrift.test.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.rpc.Json;
import io.spindrift.test.tgt.OpenBdev;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What every bdev must do, even one that keeps nothing or takes no writes.
abstract class BdevContract extends ContractFixture {
    private static final int DEPTH = 64;
    private static final long LIMIT_SECONDS = 10;

    final ExecutorService clients = Executors.newCachedThreadPool();

    private boolean submit(BdevChannel channel, int number, IoVector vector, BdevCompletion done) {
        return number % 2 == 0 || !writable()
                ? channel.read(vector, number, 1, done)
                : channel.write(vector, number, 1, done);
    }

    /// One vector for each number, with a block that fits there.
    private List<IoVector> vectors(int count) {
        List<IoVector> vectors = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            vectors.add(Vectors.of(blocks(number, 1), arena));
        }
        return vectors;
    }

    private void assertEndedOrAborted(List<Long> statuses) {
        for (long status : statuses) {
            assertTrue(Set.of(BdevStatus.SUCCESS, BdevStatus.ABORTED).contains(status), BdevStatus.text(status));
        }
    }

    @Test
    void showsItsGeometry() {
        JsonNode shown = target.call("bdev_get_bdevs", "{'name': '" + NAME + "'}").get(0);
        assertEquals(numBlocks(), shown.get("num_blocks").longValue());
        assertEquals(blockSize(), shown.get("block_size").intValue());
        assertEquals(blockSize(), geometry().blockSize());
        assertTrue(shown.get("supported_io_types").get("read").booleanValue());
        assertEquals(writable(), shown.get("supported_io_types").get("write").booleanValue());
    }

    /// NVMe generic status 80h, LBA Out of Range.
    @Test
    void refusesRangesThatAreNotWithinIt() {
        long end = numBlocks();
        long[][] ranges = {{end, 1}, {end - 1, 2}, {-1, 1}, {0, 0}, {0, -1}, {0, end + 1}, {Long.MAX_VALUE, 1},
                {Long.MIN_VALUE, 1}, {1, Long.MAX_VALUE}, {Long.MAX_VALUE, Long.MAX_VALUE}};
        IoVector block = Vectors.of(blocks(0, 1), arena);
        try (OpenBdev bdev = open()) {
            for (long[] range : ranges) {
                String text = "range " + Arrays.toString(range);
                long outside = BdevStatus.nvme(0, 0x80, true, 0); // LBA Out of Range, Do Not Retry
                assertEquals(outside, bdev.run((channel, done) -> channel.read(block, range[0], range[1], done)), text);
                assertEquals(outside, bdev.run((channel, done) -> channel.write(block, range[0], range[1], done)),
                        text);
                assertEquals(outside, bdev.run((channel, done) -> channel.unmap(range[0], range[1], done)), text);
                assertEquals(outside, bdev.run((channel, done) -> channel.writeZeroes(range[0], range[1], done)), text);
                assertEquals(outside, bdev.run((channel, done) -> channel.copy(0, range[0], range[1], done)), text);
            }
            read(bdev, end - 1, 1);
        }
    }

    /// NVMe generic status 02h, Invalid Field in Command.
    @Test
    void refusesAVectorThatIsShorterThanTheRequest() {
        IoVector shorter = Vectors.of(new byte[2 * blockSize() - 1], arena);
        try (OpenBdev bdev = open()) {
            assertStatus(BdevStatus.nvme(0, 0x02), bdev.run((channel, done) -> channel.read(shorter, 5, 2, done)));
        }
    }

    @Test
    void flushesOrSaysThatItDoesNot() {
        try (OpenBdev bdev = open()) {
            assertStatus(successOrUnsupported(BdevIoType.FLUSH),
                    bdev.run((channel, done) -> channel.flush(0, numBlocks(), done)));
        }
    }

    @Test
    void endsEveryIoOnceWhenAResetComesBetween() {
        List<IoVector> vectors = vectors(DEPTH);
        try (OpenBdev bdev = open()) {
            List<Long> statuses = bdev.runAll(DEPTH + 1, (channel, number, done) -> number == DEPTH / 2
                    ? channel.reset(done)
                    : submit(channel, number % DEPTH, vectors.get(number % DEPTH), done));
            assertStatus(BdevStatus.SUCCESS, statuses.remove(DEPTH / 2));
            assertEndedOrAborted(statuses);
            read(bdev, 0, 1);
        }
    }

    @Test
    void endsTwoResetsAtOnce() {
        try (OpenBdev bdev = open(); OpenBdev other = bdev.on(second)) {
            Future<Long> one = clients.submit(() -> bdev.run(BdevChannel::reset));
            Future<Long> two = clients.submit(() -> other.run(BdevChannel::reset));
            assertStatus(BdevStatus.SUCCESS, get(one));
            assertStatus(BdevStatus.SUCCESS, get(two));
        }
    }

    @Test
    void endsEveryIoOnceWhenItIsAborted() {
        List<IoVector> vectors = vectors(DEPTH);
        try (OpenBdev bdev = open()) {
            AtomicInteger ended = new AtomicInteger();
            List<Long> statuses = bdev.thread().callAsync(reply -> {
                List<Long> list = new ArrayList<>();
                BdevCompletion each = io -> {
                    list.add(io.status());
                    if (list.size() == DEPTH && ended.incrementAndGet() == 2) {
                        reply.complete(list);
                    }
                };
                for (int number = 0; number < DEPTH; number++) {
                    submit(bdev.channel(), number, vectors.get(number), each);
                }
                bdev.channel().abort(each, abort -> {
                    assertTrue(Set.of(BdevStatus.SUCCESS, BdevStatus.FAILED).contains(abort.status()));
                    if (ended.incrementAndGet() == 2) {
                        reply.complete(list);
                    }
                });
            });
            assertEndedOrAborted(statuses);
            assertEquals(0, bdev.thread().<Integer, RuntimeException>call(() -> bdev.channel().inFlight()));
        }
    }

    /// NVMe command specific and generic statuses: 20h, Namespace is Write Protected.
    @Test
    void takesNoWritesFromWhoOpenedItForReading() {
        byte[] bytes = blocks(8, 1);
        IoVector block = Vectors.of(bytes, arena);
        try (OpenBdev bdev = OpenBdev.open(target, NAME, false, first, BdevEvents.IGNORE)) {
            long readOnly = BdevStatus.nvme(0, 0x20);
            assertStatus(readOnly, bdev.run((channel, done) -> channel.write(block, 8, 1, done)));
            assertStatus(readOnly, bdev.run((channel, done) -> channel.unmap(8, 1, done)));
            assertStatus(readOnly, bdev.run((channel, done) -> channel.writeZeroes(8, 1, done)));
            assertStatus(readOnly, bdev.run((channel, done) -> channel.copy(8, 0, 1, done)));
            assertStatus(readOnly,
                    bdev.run((channel, done) -> channel.compareAndWrite(block, block, 8, 1, null, done)));
            assertStatus(BdevStatus.SUCCESS, bdev.run((channel, done) -> channel.read(block, 8, 1, done)));
        }
    }

    @Test
    void seeksOrSaysThatItDoesNot() {
        try (OpenBdev bdev = open()) {
            assertStatus(successOrUnsupported(BdevIoType.SEEK_DATA),
                    bdev.run((channel, done) -> channel.seekData(0, done)));
            assertStatus(successOrUnsupported(BdevIoType.SEEK_HOLE),
                    bdev.run((channel, done) -> channel.seekHole(0, done)));
        }
    }

    /// Gives the bdev more blocks.
    @FunctionalInterface
    interface Growth {
        /// Returns how many it has now.
        long grow() throws Exception;
    }

    /// For kinds that can grow: `growth` is seen by who has it open, and the new blocks are there.
    final void growsWhileItIsOpen(Growth growth) throws Exception {
        CompletableFuture<Long> resized = new CompletableFuture<>();
        BdevEvents events = new BdevEvents() {
            @Override
            public void removed(BdevDescriptor descriptor) {
                resized.completeExceptionally(new AssertionError("removed"));
            }

            @Override
            public void resized(BdevDescriptor descriptor) {
                resized.complete(descriptor.bdev().numBlocks());
            }
        };
        try (OpenBdev bdev = OpenBdev.open(target, NAME, true, first, events)) {
            long grown = growth.grow();
            assertEquals(grown, resized.get(LIMIT_SECONDS, TimeUnit.SECONDS));
            read(bdev, grown - 1, 1);
            if (writable()) {
                write(bdev, grown - 1, blocks(grown - 1, 1));
            }
            IoVector block = Vectors.of(emptyBlocks(1), arena);
            assertStatus(BdevStatus.LBA_OUT_OF_RANGE,
                    bdev.run((channel, done) -> channel.read(block, grown, 1, done)));
        }
    }

    @Test
    void isGoneOnlyAfterItsHolderHasClosedIt() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        BdevEvents events = _ -> told.countDown();
        IoVector block = Vectors.of(blocks(0, 1), arena);
        Future<?> deletion;
        try (OpenBdev bdev = OpenBdev.open(target, NAME, true, first, events)) {
            deletion = clients.submit(this::delete);
            assertTrue(told.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertFalse(deletion.isDone());
            // I/O may still succeed; it ends, in any case.
            bdev.run((channel, done) -> channel.read(block, 0, 1, done));
        }
        deletion.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        assertTrue(target.registry().find(NAME).isEmpty());
        create();
        assertTrue(target.registry().find(NAME).isPresent());
    }

    @Test
    void countsWhatItDoes() {
        IoVector three = Vectors.of(blocks(0, 3), arena);
        try (OpenBdev bdev = open(); OpenBdev other = bdev.on(second)) {
            target.call("bdev_reset_iostat", "{'name': '" + NAME + "'}");
            for (int i = 0; i < 5; i++) {
                bdev.run((channel, done) -> channel.read(three, 0, 3, done));
            }
            other.run((channel, done) -> channel.read(three, 0, 2, done));
            if (writable()) {
                other.run((channel, done) -> channel.write(three, 0, 3, done));
            }
            bdev.run((channel, done) -> channel.read(three, numBlocks(), 3, done));
            JsonNode counted = target.call("bdev_get_iostat", "{'names': ['" + NAME + "']}").get("bdevs").get(0);
            assertEquals(6, counted.get("num_read_ops").intValue());
            assertEquals(17L * blockSize(), counted.get("bytes_read").longValue());
            assertEquals(writable() ? 1 : 0, counted.get("num_write_ops").intValue());
            assertEquals(writable() ? 3L * blockSize() : 0, counted.get("bytes_written").longValue());
            assertTrue(counted.get("max_read_latency_ticks").longValue() >= counted.get("min_read_latency_ticks")
                    .longValue());
        }
    }

    @Test
    void isMadeAgainByItsSavedConfiguration() {
        JsonNode before = shown();
        JsonNode saved = target.call("framework_get_config", "{'name': 'bdev'}");
        List<JsonNode> calls = saved.valueStream()
                .filter(entry -> NAME.equals(entry.path("params").path("name").asString(""))).toList();
        assertEquals(1, calls.size(), saved.toString());
        delete();
        target.application().rpcs().dispatch(calls.getFirst().get("method").stringValue(),
                calls.getFirst().get("params"));
        assertEquals(Json.indented(before, 1), Json.indented(shown(), 1));
        assertEquals(saved, target.call("framework_get_config", "{'name': 'bdev'}"));
    }

    private JsonNode shown() {
        return target.call("bdev_get_bdevs", "{'name': '" + NAME + "'}").get(0);
    }

    static <T> T get(Future<T> future) {
        try {
            return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

}
