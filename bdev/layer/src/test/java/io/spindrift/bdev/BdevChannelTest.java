package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BdevChannelTest extends BdevChannelFixture {
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
}
