package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BdevChannelTest {
    private static final int BLOCKS = 1024;

    private BdevFixture fixture = new BdevFixture();
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        fixture.close();
        arena.close();
    }

    private MemorySegment random(long bytes) {
        MemorySegment segment = arena.allocate(bytes, 4096);
        Random random = new Random(7);
        for (long i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        return segment;
    }

    private static byte[] bytes(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private IoVector vector(MemorySegment segment, long offset, long length) {
        IoVector vector = new IoVector(1);
        vector.add(segment, offset, length);
        return vector;
    }

    @Test
    void readsWhatWasWritten() {
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(4096);
        MemorySegment back = arena.allocate(4096);
        assertEquals(0, fixture.complete(channel, o -> channel.write(vector(data, 0, 4096), 16, 8, o)));
        assertEquals(0, fixture.complete(channel, o -> channel.read(vector(back, 0, 4096), 16, 8, o)));
        assertEquals(-1, data.mismatch(back));
    }

    @Test
    void neverCompletesInsideTheCallThatSubmits() {
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        fixture.begin(channel, o -> {
            assertTrue(channel.write(data, 0, 1, o));
            assertNull(o.status);
        });
    }

    @Test
    void refusesRangesOutsideTheDeviceByStatus() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        long[][] ranges = {{BLOCKS, 1}, {-1, 1}, {0, 0}, {0, -1}, {Long.MAX_VALUE, 1}, {1, Long.MAX_VALUE},
                {Long.MIN_VALUE, 1}, {BLOCKS - 1, 2}};
        for (long[] range : ranges) {
            assertEquals(BdevStatus.LBA_OUT_OF_RANGE,
                    fixture.complete(channel, o -> channel.read(data, range[0], range[1], o)),
                    range[0] + "+" + range[1]);
            assertEquals(BdevStatus.LBA_OUT_OF_RANGE,
                    fixture.complete(channel, o -> channel.writeZeroes(range[0], range[1], o)));
        }
        assertEquals(List.of(), disk.submits);
    }

    @Test
    void refusesAVectorThatIsTooShortAndCutsOneThatIsTooLong() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(4096);
        assertEquals(BdevStatus.INVALID, fixture.complete(channel, o -> channel.write(vector(data, 0, 511), 0, 1, o)));
        assertEquals(0, fixture.complete(channel, o -> channel.write(vector(data, 0, 4096), 0, 1, o)));
        assertArrayEquals(bytes(data, 0, 512), disk.bytes(0, 512));
        assertArrayEquals(new byte[3584], disk.bytes(512, 3584));
    }

    @Test
    void refusesWritesThroughAReadOnlyDescriptor() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.registry.open("d", false, fixture.a, BdevEvents.IGNORE),
                fixture.a);
        IoVector data = vector(random(512), 0, 512);
        assertEquals(BdevStatus.WRITE_PROTECTED, fixture.complete(channel, o -> channel.write(data, 0, 1, o)));
        assertEquals(BdevStatus.WRITE_PROTECTED, fixture.complete(channel, o -> channel.writeZeroes(0, 1, o)));
        assertEquals(BdevStatus.WRITE_PROTECTED,
                fixture.complete(channel, o -> channel.compareAndWrite(data, data, 0, 1, null, o)));
        assertEquals(0, fixture.complete(channel, o -> channel.read(data, 0, 1, o)));
        assertEquals(List.of("read 0+1 x1"), disk.submits);
    }

    @Test
    void failsOnlyTheIoOfAModuleThatThrows() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.THROW;
        assertEquals(BdevStatus.FAILED, fixture.complete(channel, o -> channel.read(data, 0, 1, o)));
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        assertEquals(0, fixture.complete(channel, o -> channel.read(data, 0, 1, o)));
        assertEquals(1, fixture.manual.reactors().exceptionCount());
    }

    @Test
    void containsACompletionThatThrows() {
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        fixture.manual.run(fixture.a, () -> channel.read(data, 0, 1, io -> {
            throw new IllegalStateException("broken caller");
        }));
        assertEquals(0, fixture.complete(channel, o -> channel.read(data, 0, 1, o)));
        assertEquals(0, channel.inFlight());
        assertEquals(1, fixture.manual.reactors().exceptionCount());
    }

    @Test
    void queuesInOrderWhileTheModuleHasNoRoom() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.NO_ROOM;
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int block = i;
            outcomes.add(fixture.begin(channel, o -> channel.write(data, block, 1, o)));
        }
        disk.submits.clear();
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.stepUntil(() -> outcomes.stream().allMatch(o -> o.status != null));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            expected.add("write " + i + "+1 x1");
            assertEquals(0L, outcomes.get(i).status);
        }
        assertEquals(expected, disk.submits);
    }

    @Test
    void splitsAtTheBoundaryAndAtTheLongestTransfer() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withBoundary(16, true).withLimits(10, 0, 0),
                BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(40 * 512);
        assertEquals(0, fixture.complete(channel, o -> channel.write(vector(data, 0, 40 * 512), 12, 40, o)));
        assertEquals(List.of("write 12+4 x1", "write 16+10 x1", "write 26+6 x1", "write 32+10 x1", "write 42+6 x1",
                "write 48+4 x1"), disk.submits);
        assertArrayEquals(bytes(data, 0, 40 * 512), disk.bytes(12 * 512, 40 * 512));
        assertEquals(1, channel.counters().statistics().operations(BdevIoType.WRITE));
        assertEquals(40, channel.counters().statistics().blocks(BdevIoType.WRITE));
    }

    @Test
    void splitsByTheNumberAndTheLengthOfRanges() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withLimits(0, 2, 1024), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(8192);
        IoVector scattered = new IoVector(3);
        scattered.add(data, 0, 512);
        scattered.add(data, 1024, 2560);
        scattered.add(data, 4096, 1024);
        assertEquals(0, fixture.complete(channel, o -> channel.write(scattered, 0, 8, o)));
        assertEquals(List.of("write 0+3 x2", "write 3+3 x2", "write 6+2 x1"), disk.submits);
        byte[] expected = new byte[4096];
        System.arraycopy(bytes(data, 0, 512), 0, expected, 0, 512);
        System.arraycopy(bytes(data, 1024, 2560), 0, expected, 512, 2560);
        System.arraycopy(bytes(data, 4096, 1024), 0, expected, 3072, 1024);
        assertArrayEquals(expected, disk.bytes(0, 4096));
    }

    @Test
    void bouncesABlockThatLiesInTooManyRanges() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withLimits(0, 2, 0), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(4096);
        IoVector scattered = FakeDisk.vector(data, 128, 0, 256, 512, 768, 1024, 1280, 1536, 1792);
        assertEquals(0, fixture.complete(channel, o -> channel.write(scattered, 4, 2, o)));
        assertEquals(List.of("write 4+2 x1"), disk.submits);
        for (int i = 0; i < 8; i++) {
            assertArrayEquals(bytes(data, i * 256, 128), disk.bytes(4 * 512 + i * 128, 128));
        }
    }

    @Test
    void bouncesBuffersThatAreNotAligned() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withBufferAlignment(512),
                BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment data = random(300 * 512 + 8);
        IoVector unaligned = vector(data, 8, 300 * 512);
        assertEquals(0, fixture.complete(channel, o -> channel.write(unaligned, 0, 300, o)));
        assertEquals(List.of("write 0+264 x1", "write 264+36 x1"), disk.submits); // 135168 / 512 = 264
        assertArrayEquals(bytes(data, 8, 300 * 512), disk.bytes(0, 300 * 512));
        MemorySegment back = arena.allocate(300 * 512 + 1, 4096);
        assertEquals(0, fixture.complete(channel, o -> channel.read(vector(back, 1, 300 * 512), 0, 300, o)));
        assertArrayEquals(bytes(data, 8, 300 * 512), bytes(back, 1, 300 * 512));
    }

    @Test
    void waitsForABounceBufferWhenThePoolIsEmpty() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(65535, 256, false, 0, 0),
                new BufferPoolOptions(64, 8, 8192, 135_168, false));
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withBufferAlignment(512),
                BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        List<Outcome> outcomes = new ArrayList<>();
        MemorySegment data = random(1024);
        for (int i = 0; i < 100; i++) {
            int block = i;
            outcomes.add(fixture.begin(channel, o -> channel.write(vector(data, 4, 512), block, 1, o)));
        }
        fixture.manual.settle();
        assertEquals(64, disk.held.size());
        while (!disk.held.isEmpty()) {
            fixture.manual.run(fixture.a, disk::finishOldest);
            fixture.manual.settle();
        }
        assertTrue(outcomes.stream().allMatch(o -> o.status != null && o.status == 0));
        assertArrayEquals(bytes(data, 4, 512), disk.bytes(99 * 512, 512));
    }

    @Test
    void emulatesWriteZeroesByWrites() {
        FakeDisk disk = fixture.disk("d", 4096, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        disk.contents.fill((byte) 0x5a);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        assertEquals(0, fixture.complete(channel, o -> channel.writeZeroes(1, 3000, o)));
        assertEquals(List.of("write 1+2048 x1", "write 2049+952 x1"), disk.submits); // 1 MiB of zeroes at a time
        assertArrayEquals(new byte[3000 * 512], disk.bytes(512, 3000 * 512));
        assertEquals(0x5a, disk.bytes(511, 1)[0]);
        assertEquals(0x5a, disk.bytes(3001 * 512, 1)[0]);
    }

    @Test
    void emulatesCompareByReads() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        MemorySegment data = random(600 * 512);
        MemorySegment.copy(data, 0, disk.contents, 0, 600 * 512);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector all = vector(data, 0, 600 * 512);
        assertEquals(0, fixture.complete(channel, o -> channel.compare(all, 0, 600, null, o)));
        long last = 600 * 512 - 1;
        disk.contents.set(ValueLayout.JAVA_BYTE, last, (byte) ~data.get(ValueLayout.JAVA_BYTE, last));
        assertEquals(BdevStatus.MISCOMPARE, fixture.complete(channel, o -> channel.compare(all, 0, 600, null, o)));
    }

    @Test
    void emulatesCopy() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        MemorySegment data = random(300 * 512);
        MemorySegment.copy(data, 0, disk.contents, 0, 300 * 512);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        assertEquals(0, fixture.complete(channel, o -> channel.copy(500, 0, 300, o)));
        assertArrayEquals(bytes(data, 0, 300 * 512), disk.bytes(500 * 512, 300 * 512));
        assertEquals(BdevStatus.LBA_OUT_OF_RANGE, fixture.complete(channel, o -> channel.copy(0, BLOCKS - 1, 2, o)));
    }

    @Test
    void anEmulatedCompareAndWriteHoldsWritesOfOthersToItsRange() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevDescriptor descriptor = fixture.open("d");
        BdevChannel channel = fixture.channel(descriptor, fixture.a);
        BdevChannel other = fixture.channel(fixture.open("d"), fixture.b);
        MemorySegment data = random(4096);
        IoVector zero = vector(arena.allocate(512), 0, 512);
        IoVector mine = vector(data, 0, 512);
        IoVector theirs = vector(data, 512, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome before = fixture.begin(other, o -> other.write(zero, 4, 1, o));
        Outcome swap = fixture.begin(channel, o -> channel.compareAndWrite(zero, mine, 4, 1, null, o));
        fixture.manual.settle();
        assertEquals(List.of("write 4+1 x1"), disk.submits, "it waits for the write in flight");
        fixture.manual.run(fixture.b, disk::finishOldest);
        fixture.manual.stepUntil(() -> disk.submits.size() == 2);
        assertEquals(0L, before.status);
        Outcome held = fixture.begin(other, o -> other.write(theirs, 4, 1, o));
        Outcome elsewhere = fixture.begin(other, o -> other.write(theirs, 5, 1, o));
        fixture.manual.settle();
        assertEquals(List.of("write 4+1 x1", "read 4+1 x1", "write 5+1 x1"), disk.submits);
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.b, () -> disk.finish(disk.held.remove(1)));
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> swap.status != null && held.status != null && elsewhere.status != null);
        assertEquals(0L, swap.status);
        assertEquals(0L, held.status);
        assertEquals(List.of("write 4+1 x1", "read 4+1 x1", "write 5+1 x1", "write 4+1 x1", "write 4+1 x1"),
                disk.submits);
        assertArrayEquals(bytes(data, 512, 512), disk.bytes(4 * 512, 512), "the held write came last");
        assertEquals(BdevStatus.MISCOMPARE,
                fixture.complete(channel, o -> channel.compareAndWrite(zero, mine, 4, 1, null, o)));
    }

    @Test
    void aChannelMadeDuringACompareAndWriteHonoursItsLock() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector zero = vector(arena.allocate(512), 0, 512);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome swap = fixture.begin(channel, o -> channel.compareAndWrite(zero, data, 4, 1, null, o));
        fixture.manual.stepUntil(() -> disk.submits.equals(List.of("read 4+1 x1")));
        BdevChannel late = fixture.channel(fixture.open("d"), fixture.b);
        Outcome held = fixture.begin(late, o -> late.write(zero, 4, 1, o));
        fixture.manual.settle();
        assertEquals(1, disk.submits.size());
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> swap.status != null && held.status != null);
        assertEquals(List.of("read 4+1 x1", "write 4+1 x1", "write 4+1 x1"), disk.submits);
        assertEquals(0L, fixture.complete(late, o -> late.write(zero, 4, 1, o)), "the lock is gone from it");
    }

    @Test
    void abortsWhatTheModuleHasAndWhatIsQueued() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome inModule = fixture.begin(channel, o -> channel.write(data, 0, 1, o));
        disk.behaviour = FakeDisk.Behaviour.NO_ROOM;
        Outcome queued = fixture.begin(channel, o -> channel.write(data, 1, 1, o));
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        Outcome aborted = fixture.begin(channel, o -> {
            channel.abort(queued, new Outcome());
            channel.abort(inModule, o);
        });
        fixture.manual.stepUntil(() -> aborted.status != null && queued.status != null);
        assertEquals(0L, aborted.status);
        assertEquals(BdevStatus.ABORTED, inModule.status);
        assertTrue(queued.status == BdevStatus.ABORTED || queued.status == 0, "the retry may have come first");
        assertEquals(BdevStatus.FAILED, fixture.complete(channel, o -> channel.abort(inModule, o)), "nothing to abort");
    }

    /// The compiler may not read the size once and keep that.
    @Test
    void resizeShowsToAThreadThatDoesNothingButAsk() throws InterruptedException {
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        Bdev bdev = fixture.registry.get("d");
        long[] asked = new long[1];
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            while (bdev.numBlocks() == BLOCKS) {
                asked[0]++;
            }
        });
        reader.join(Duration.ofSeconds(1)); // long enough for the loop to be compiled
        bdev.numBlocks(BLOCKS + 1);
        assertTrue(reader.join(Duration.ofSeconds(20)), "the reader still sees the old size");
    }

    @Test
    void resizeShowsInTheRangeCheck() {
        fixture.disk("d", 8, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        assertEquals(BdevStatus.LBA_OUT_OF_RANGE, fixture.complete(channel, o -> channel.read(data, 8, 1, o)));
        assertFalse(fixture.registry.get("d").numBlocks() == 9);
        fixture.registry.resize(fixture.registry.get("d"), 9);
        assertEquals(9, fixture.registry.get("d").numBlocks());
    }

    @Test
    void aCallerThatFindsThePoolEmptyIsToldWhenAnIoComesFree() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(4, 4, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        for (int i = 0; i < 4; i++) {
            fixture.begin(channel, o -> assertTrue(channel.write(data, 0, 1, o)));
        }
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.a, () -> {
            assertFalse(channel.write(data, 0, 1, new Outcome()));
            channel.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                    assertTrue(channel.write(data, 0, 1, new Outcome()));
                }
            });
        });
        fixture.manual.settle();
        assertEquals(List.of(), told);
        fixture.manual.run(fixture.a, disk::finishOldest);
        assertEquals(List.of("told"), told);
    }

    @Test
    void channelsGiveBackWhatTheyNeedNotKeepWhenAnotherLacksIos() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(40, 8, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevDescriptor descriptor = fixture.open("d");
        BdevChannel rich = fixture.channel(descriptor, fixture.a);
        BdevChannel poor = fixture.channel(descriptor, fixture.b);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        for (int i = 0; i < 40; i++) {
            fixture.begin(rich, o -> assertTrue(rich.write(data, 0, 1, o)));
        }
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.b, () -> {
            assertFalse(poor.write(data, 0, 1, new Outcome()));
            poor.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                    assertTrue(poor.write(data, 0, 1, new Outcome()));
                }
            });
        });
        fixture.manual.stepAll();
        assertEquals(List.of(), told, "none is free yet");
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> !told.isEmpty());
        assertEquals(39, rich.inFlight());
        assertEquals(1, poor.inFlight());
    }

    @Test
    void tellsOfAnIoThatTakesTooLongOnce() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        List<Long> late = new ArrayList<>();
        fixture.manual.run(fixture.a, () -> channel.timeout(1000, io -> late.add(io.offsetBlocks())));
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.begin(channel, o -> channel.write(data, 3, 1, o));
        fixture.manual.clock().advance(900);
        fixture.manual.settle();
        fixture.begin(channel, o -> channel.write(data, 4, 1, o));
        assertEquals(List.of(), late);
        fixture.manual.clock().advance(300);
        fixture.manual.settle();
        fixture.manual.clock().advance(300);
        fixture.manual.settle();
        assertEquals(List.of(3L), late);
        fixture.manual.run(fixture.a, () -> channel.timeout(0, null));
    }

    @Test
    void anAdmissionHoldsIoBackInOrderUntilThereIsQuota() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        int[] quota = {1};
        fixture.manual.run(fixture.a, () -> channel.slow().admission(io -> quota[0]-- > 0));
        for (int i = 0; i < 4; i++) {
            int block = i;
            fixture.begin(channel, o -> channel.write(data, block, 1, o));
        }
        assertEquals(List.of("write 0+1 x1"), disk.submits);
        quota[0] = 2;
        fixture.manual.run(fixture.a, channel.slow()::readmit);
        assertEquals(List.of("write 0+1 x1", "write 1+1 x1", "write 2+1 x1"), disk.submits);
        fixture.manual.run(fixture.a, () -> channel.slow().admission(null));
        fixture.manual.settle();
        assertEquals("write 3+1 x1", disk.submits.getLast());
        assertEquals(0, channel.inFlight());
    }

    /// The write waits for a lock on another channel's behalf, then for quota behind the one that came after it.
    @Test
    void aWriteThatALockHeldBackIsWithinTheRateLimit() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevDescriptor descriptor = fixture.open("d");
        BdevChannel swapper = fixture.channel(descriptor, fixture.a);
        BdevChannel writer = fixture.channel(descriptor, fixture.b);
        IoVector zero = vector(arena.allocate(512, 4096), 0, 512);
        int[] quota = {0};
        fixture.manual.run(fixture.b, () -> writer.slow().admission(io -> quota[0]-- > 0));
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome swap = fixture.begin(swapper, o -> swapper.compareAndWrite(zero, zero, 4, 1, null, o));
        fixture.manual.settle();
        assertEquals(List.of("read 4+1 x1"), disk.submits, "the range is locked");
        fixture.begin(writer, o -> writer.write(zero, 4, 1, o));
        fixture.begin(writer, o -> writer.write(zero, 9, 1, o));
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.settle();
        assertEquals(0L, swap.status);
        assertEquals(List.of("read 4+1 x1", "write 4+1 x1"), disk.submits, "there is no quota yet");
        quota[0] = 1;
        fixture.manual.run(fixture.b, writer.slow()::readmit);
        assertEquals("write 9+1 x1", disk.submits.getLast());
        quota[0] = 1;
        fixture.manual.run(fixture.b, writer.slow()::readmit);
        fixture.manual.settle();
        assertEquals(List.of("read 4+1 x1", "write 4+1 x1", "write 9+1 x1", "write 4+1 x1"), disk.submits);
        assertEquals(0, writer.inFlight());
    }

    @Test
    void aChannelThatGoesDoesNotHoldUpALockThatWaitedForIt() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevDescriptor descriptor = fixture.open("d");
        BdevChannel swapper = fixture.channel(descriptor, fixture.a);
        BdevChannel writer = fixture.channel(descriptor, fixture.b);
        IoVector zero = vector(arena.allocate(512, 4096), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.manual.run(fixture.b, () -> writer.write(zero, 4, 1, io -> writer.release()));
        Outcome swap = fixture.begin(swapper, o -> swapper.compareAndWrite(zero, zero, 4, 1, null, o));
        fixture.manual.step(0);
        fixture.manual.step(1);
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.b, disk::finishOldest);
        fixture.manual.stepUntil(() -> swap.status != null);
        assertEquals(0L, swap.status);
    }

    @Test
    void aWaiterThatThrowsKeepsNoOtherCompletionBack() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(2, 2, false, 0, 0), BufferPoolOptions.DEFAULT);
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        Outcome second = new Outcome();
        fixture.manual.run(fixture.a, () -> {
            assertTrue(channel.write(data, 0, 1, new Outcome()));
            assertTrue(channel.write(data, 1, 1, second));
            assertFalse(channel.write(data, 2, 1, new Outcome()));
            channel.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    throw new IllegalStateException("broken caller");
                }
            });
        });
        fixture.manual.settle();
        assertEquals(0L, second.status);
        assertEquals(0, channel.inFlight());
        assertTrue(fixture.manual.reports().getLast().contains("broken caller"), fixture.manual.reports().toString());
    }

    @Test
    void aReleasedChannelForgetsThoseWhoWaitForAnIo() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(1, 1, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel rich = fixture.channel(fixture.open("d"), fixture.a);
        BdevChannel poor = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.begin(rich, o -> assertTrue(rich.write(data, 0, 1, o)));
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.a, () -> {
            assertFalse(poor.write(data, 0, 1, new Outcome()));
            poor.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                }
            });
            poor.release();
        });
        fixture.manual.stepAll();
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.run(fixture.a, rich::release);
        fixture.manual.settle();
        assertEquals(List.of(), told);
        assertFalse(fixture.registry.budget().anyStarving());
        assertEquals(1, fixture.registry.budget().left());
    }

    @Test
    void whatNeedsABufferIsRefusedIfABlockIsLargerThanAny() {
        int blockSize = 2 << 20;
        fixture.disk("d", 8, BdevGeometry.of(blockSize).withBufferAlignment(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment memory = arena.allocate(blockSize + 1, 4096);
        IoVector data = vector(memory, 0, blockSize);
        IoVector unaligned = vector(memory, 1, blockSize);
        assertEquals(0L, fixture.complete(channel, o -> channel.write(data, 0, 1, o)));
        assertEquals(BdevStatus.UNSUPPORTED, fixture.complete(channel, o -> channel.write(unaligned, 0, 1, o)));
        assertEquals(BdevStatus.UNSUPPORTED, fixture.complete(channel, o -> channel.compare(data, 0, 1, null, o)));
        assertEquals(BdevStatus.UNSUPPORTED, fixture.complete(channel, o -> channel.copy(1, 0, 1, o)));
        assertEquals(BdevStatus.UNSUPPORTED, fixture.complete(channel, o -> channel.writeZeroes(0, 1, o)));
        assertEquals(0, channel.inFlight());
    }
}
