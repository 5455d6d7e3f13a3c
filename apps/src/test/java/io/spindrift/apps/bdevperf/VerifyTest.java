package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.bdevperf.FaultyDisk.Fault;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A verifying job on a disk that does what a broken one would.
class VerifyTest {
    private static final int BLOCKS = 64;

    private final PerfFixture fixture = new PerfFixture();
    private final FaultyDisk disk = fixture.disk("disk", BLOCKS);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static boolean is(BdevIo io, int type, long block) {
        return io.type() == type && io.offsetBlocks() == block;
    }

    /// Runs with `fault` until the job has complained, and returns the complaint.
    private String complaint(Fault fault) {
        disk.fault = fault;
        PerfJob job = fixture.start(fixture.spec("disk", Workload.VERIFY, 4));
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(job.broken());
        assertTrue(job.statistics().failed() > 0);
        assertEquals(1, fixture.failures.size(), fixture.failures::toString);
        return fixture.failures.getFirst();
    }

    @Test
    void findsNothingWrongWithASoundDisk() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.VERIFY, 4));
        fixture.turns(1000);
        fixture.expire();
        assertEquals(0, job.statistics().failed());
        assertTrue(fixture.failures.isEmpty());
        assertTrue(job.statistics().completed() > 20 * BLOCKS, "several passes over the disk");
    }

    @Test
    void countsAWriteAndItsReadAsOne() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.VERIFY, 1));
        fixture.turns(20);
        fixture.expire();
        assertEquals(disk.offsets.get(BdevIoType.WRITE).size(), job.statistics().completed());
    }

    @Test
    void detectsAFlippedBit() {
        String found = complaint((d, io) -> {
            long status = d.perform(io);
            if (is(io, BdevIoType.WRITE, 17)) {
                d.flipBit(17, 8 * 100 + 3);
            }
            return status;
        });
        assertTrue(found.contains("block 17 holds wrong data: 1 bits in 1 of its 64 words differ, first at byte 96"),
                found);
    }

    @Test
    void detectsAFlippedBitInEachByteOfABlock() {
        for (int at = 0; at < 512; at++) {
            int bit = at * 8;
            try (PerfFixture own = new PerfFixture()) {
                FaultyDisk ownDisk = own.disk("disk", BLOCKS);
                ownDisk.fault = (d, io) -> {
                    long status = d.perform(io);
                    if (is(io, BdevIoType.WRITE, 5)) {
                        d.flipBit(5, bit);
                    }
                    return status;
                };
                own.start(own.spec("disk", Workload.VERIFY, 1));
                own.manual.stepUntil(() -> own.ended == 1);
                assertEquals(1, own.failures.size());
                assertTrue(own.failures.getFirst().contains("block 5 "), own.failures.getFirst());
            }
        }
    }

    @Test
    void detectsALostWrite() {
        int[] writes = new int[1];
        String found = complaint((d, io) -> is(io, BdevIoType.WRITE, 9) && ++writes[0] == 3
                ? BdevStatus.SUCCESS
                : d.perform(io));
        assertTrue(found.contains("block 9 holds wrong data: it holds its data of pass 1 instead of pass 2"), found);
    }

    @Test
    void detectsTheVeryFirstWriteLost() {
        String found = complaint((d, io) -> is(io, BdevIoType.WRITE, 9) ? BdevStatus.SUCCESS : d.perform(io));
        assertTrue(found.contains("block 9 holds wrong data"), found);
    }

    @Test
    void detectsAMisplacedWrite() {
        String found = complaint((d, io) -> d.performAt(io, is(io, BdevIoType.WRITE, 9) ? 10 : io.offsetBlocks()));
        assertTrue(found.contains("block 9 holds wrong data") || found.contains("block 10 holds wrong data"), found);
    }

    @Test
    void detectsAMisplacedRead() {
        String found = complaint((d, io) -> d.performAt(io, is(io, BdevIoType.READ, 9) ? 8 : io.offsetBlocks()));
        assertTrue(found.contains("block 9 holds wrong data: it holds the data of block 8"), found);
    }

    @Test
    void detectsATornWrite() {
        disk.fault = (d, io) -> {
            if (!is(io, BdevIoType.WRITE, 8)) {
                return d.perform(io);
            }
            io.vector().copyTo(d.contents, 8 * 512, 0, 3 * 512 + 256); // 3 and a half of 4 blocks
            return BdevStatus.SUCCESS;
        };
        fixture.start(fixture.spec("disk", Workload.VERIFY, 2, 4));
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(fixture.failures.getFirst().contains("block 11 holds wrong data"), fixture.failures.getFirst());
    }

    @Test
    void detectsDataOfAnEarlierRun() {
        fixture.start(fixture.spec("disk", Workload.VERIFY, 4), RunSettings.of(10, 1));
        fixture.turns(2 * BLOCKS / 4 + 2);
        fixture.expire();
        fixture.ended = 0;
        disk.fault = (d, io) -> io.type() == BdevIoType.WRITE ? BdevStatus.SUCCESS : d.perform(io);
        fixture.start(fixture.spec("disk", Workload.VERIFY, 4), RunSettings.of(10, 2));
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertEquals(1, fixture.failures.size());
    }

    @Test
    void detectsLaterDamageToABlockThatWasFineWhenItWasReadBack() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.VERIFY, 4));
        fixture.turns(3 * BLOCKS);
        for (long block = 0; block < BLOCKS; block++) {
            disk.flipBit(block, 8 * 300);
        }
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(job.broken());
    }

    @Test
    void neverHasTwoWritesOfOneBlockOnTheirWay() {
        java.util.Set<Long> busy = new java.util.HashSet<>();
        disk.fault = (d, io) -> {
            assertTrue(busy.add(io.offsetBlocks()), "block " + io.offsetBlocks() + " is in use");
            return FaultyDisk.HELD;
        };
        fixture.start(fixture.spec("disk", Workload.VERIFY, 7));
        java.util.Random random = new java.util.Random(1);
        for (int i = 0; i < 5000; i++) {
            BdevIo io = disk.held.remove(random.nextInt(disk.held.size()));
            busy.remove(io.offsetBlocks());
            fixture.manual.run(fixture.thread, () -> io.complete(disk.perform(io)));
        }
        assertTrue(fixture.failures.isEmpty(), fixture.failures::toString);
        assertEquals(BLOCKS, java.util.Set.copyOf(disk.offsets.get(BdevIoType.WRITE)).size());
    }

    @Test
    void comparesThroughBorrowedMemoryToo() {
        disk.fault = (d, io) -> {
            long status = d.perform(io);
            if (is(io, BdevIoType.ZCOPY_END, 17)) {
                d.flipBit(17, 77);
            }
            return status;
        };
        fixture.start(fixture.spec("disk", Workload.VERIFY, 4), RunSettings.of(10, 1).withZeroCopy());
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(fixture.failures.getFirst().contains("block 17 holds wrong data: 1 bits"),
                fixture.failures.getFirst());
        assertTrue(disk.offsets.get(BdevIoType.WRITE).isEmpty());
    }

    @Test
    void goesOnAfterWrongDataIfToldTo() {
        disk.fault = (d, io) -> {
            long status = d.perform(io);
            if (is(io, BdevIoType.WRITE, 17)) {
                d.flipBit(17, 77);
            }
            return status;
        };
        PerfJob job = fixture.start(fixture.spec("disk", Workload.VERIFY, 4),
                RunSettings.of(10, 1).continuingOnFailure());
        fixture.turns(500);
        fixture.expire();
        assertTrue(job.statistics().failed() > 3, "once each pass");
        assertTrue(job.statistics().completed() > 60 * job.statistics().failed());
        assertEquals(1, fixture.failures.size());
    }
}
