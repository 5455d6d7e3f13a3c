package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// I/O that the module takes in parts or from other buffers only.
class BdevSplitTest extends BdevChannelFixture {
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
