package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the module cannot do itself, and the locks of ranges that this takes.
class BdevEmulationTest extends BdevChannelFixture {
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
    void aCompareAndWriteOfMisalignedMemoryComparesAndWritesThroughBuffers() {
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512).withBufferAlignment(512), BdevIoType.READ,
                BdevIoType.WRITE, BdevIoType.COMPARE, BdevIoType.COMPARE_AND_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        MemorySegment memory = random(4096);
        IoVector zero = vector(arena.allocate(1024, 512), 3, 512);
        IoVector data = vector(memory, 5, 512);
        assertEquals(0L, fixture.complete(channel, o -> channel.compareAndWrite(zero, data, 4, 1, null, o)));
        assertArrayEquals(bytes(memory, 5, 512), disk.bytes(4 * 512, 512));
        assertEquals(List.of("compare 4+1 x1", "write 4+1 x1"), disk.submits);
        assertEquals(BdevStatus.MISCOMPARE,
                fixture.complete(channel, o -> channel.compareAndWrite(zero, data, 4, 1, null, o)));
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
}
