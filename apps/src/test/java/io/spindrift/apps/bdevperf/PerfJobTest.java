package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.apps.load.LatencyHistogram;
import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PerfJobTest {
    private static final int BLOCKS = 64;

    private final PerfFixture fixture = new PerfFixture();
    private final FaultyDisk disk = fixture.disk("disk", BLOCKS);

    @AfterEach
    void close() {
        fixture.close();
    }

    private void hold() {
        disk.fault = (d, io) -> FaultyDisk.HELD;
    }

    @ParameterizedTest
    @EnumSource(Workload.class)
    void endsWithNothingOnItsWay(Workload workload) {
        PerfJob job = fixture.start(fixture.spec("disk", workload, 4));
        fixture.turns(100);
        fixture.expire();
        assertTrue(fixture.failures.isEmpty(), fixture.failures::toString);
        assertTrue(job.statistics().completed() > 100);
        assertEquals(0, job.channel.inFlight());
        assertFalse(job.broken());
    }

    @Test
    void keepsItsDepthOnTheWay() {
        hold();
        PerfJob job = fixture.start(fixture.spec("disk", Workload.RANDREAD, 5));
        for (int i = 0; i < 100; i++) {
            BdevIo io = disk.held.remove(i % 5);
            fixture.manual.run(fixture.thread, () -> io.complete(BdevStatus.SUCCESS));
            assertEquals(5, disk.held.size());
        }
        assertEquals(100, job.counters.statistics(0).completed());
    }

    @Test
    void goesThroughTheRangeInOrderAndBegins() {
        JobSpec whole = fixture.spec("disk", Workload.READ, 1, 4);
        fixture.start(new JobSpec(whole.bdev(), whole.cores(), whole.workload(), whole.ioSize(), 1, 0, 8, 17));
        fixture.turns(8);
        assertEquals(List.of(8L, 12L, 16L, 20L, 8L, 12L), disk.offsets.get(BdevIoType.READ).subList(0, 6));
    }

    @Test
    void picksEveryPlaceAtRandom() {
        fixture.start(fixture.spec("disk", Workload.RANDREAD, 16));
        fixture.turns(200);
        assertEquals(LongStream.range(0, BLOCKS).boxed().toList(),
                new HashSet<>(disk.offsets.get(BdevIoType.READ)).stream().sorted().toList());
    }

    @Test
    void mixesReadsAndWritesAsAsked() {
        JobSpec half = fixture.spec("disk", Workload.RANDRW, 10);
        fixture.start(new JobSpec(half.bdev(), half.cores(), half.workload(), half.ioSize(), 10, 70, 0, BLOCKS));
        fixture.turns(2000);
        long reads = disk.offsets.get(BdevIoType.READ).size();
        long all = reads + disk.offsets.get(BdevIoType.WRITE).size();
        // 20,000 draws with p = 0.7: the standard deviation is sqrt(0.21 / 20000) = 0.0032.
        assertEquals(0.7, (double) reads / all, 5 * 0.0032);
    }

    @Test
    void visitsEachPlaceOnceWithARandomMap() {
        fixture.start(fixture.spec("disk", Workload.RANDREAD, 4), RunSettings.of(10, 1).withRandomMap());
        fixture.turns(3 * BLOCKS / 4);
        List<Long> offsets = disk.offsets.get(BdevIoType.READ);
        Set<List<Long>> orders = new HashSet<>();
        for (int round = 0; round < 2; round++) {
            List<Long> one = offsets.subList(round * BLOCKS, (round + 1) * BLOCKS);
            assertEquals(BLOCKS, Set.copyOf(one).size());
            orders.add(one);
        }
        assertEquals(2, orders.size(), "another order each time");
    }

    @Test
    void measuresLatencyByTheTurnsOfItsThread() {
        hold();
        PerfJob job = fixture.start(fixture.spec("disk", Workload.READ, 1));
        long[] latencies = {7_000, 3_000, 20_000};
        for (long latency : latencies) {
            BdevIo io = disk.held.removeFirst();
            fixture.manual.clock().advance(latency);
            fixture.manual.step(0);
            fixture.manual.run(fixture.thread, () -> io.complete(BdevStatus.SUCCESS));
        }
        JobStatistics done = job.counters.statistics(1);
        assertEquals(3, done.completed());
        assertEquals(10.0, done.averageLatencyMicros());
        assertEquals(3.0, done.minLatencyMicros());
        assertEquals(20.0, done.maxLatencyMicros());
    }

    @Test
    void stopsAtTheFirstFailureAndNamesIt() {
        disk.fault = (d, io) -> io.offsetBlocks() == 6 ? BdevStatus.errno(5) : d.perform(io);
        PerfJob job = fixture.start(fixture.spec("disk", Workload.WRITE, 2));
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(job.broken());
        assertEquals(1, job.statistics().failed());
        assertEquals(1, fixture.failures.size());
        assertTrue(fixture.failures.getFirst().startsWith("job disk: write of 1 blocks at block 6 failed: "),
                fixture.failures.getFirst());
    }

    @Test
    void goesOnAfterFailuresIfToldTo() {
        disk.fault = (d, io) -> io.offsetBlocks() == 6 ? BdevStatus.FAILED : d.perform(io);
        PerfJob job = fixture.start(fixture.spec("disk", Workload.WRITE, 2),
                RunSettings.of(10, 1).continuingOnFailure());
        fixture.turns(5 * BLOCKS / 2);
        fixture.expire();
        assertTrue(job.statistics().failed() >= 5);
        assertEquals(disk.offsets.get(BdevIoType.WRITE).stream().filter(block -> block == 6).count(),
                job.statistics().failed());
        assertEquals(1, fixture.failures.size(), "one sentence is enough");
    }

    @Test
    void waitsForAPooledIoInsteadOfGivingUp() {
        try (PerfFixture poor = new PerfFixture(3)) {
            FaultyDisk ownDisk = poor.disk("disk", BLOCKS);
            PerfJob job = poor.start(poor.spec("disk", Workload.RANDREAD, 8));
            poor.turns(100);
            poor.expire();
            assertTrue(job.statistics().completed() > 100);
            assertTrue(poor.failures.isEmpty());
            assertTrue(ownDisk.held.isEmpty());
        }
    }

    @Test
    void countsStarvedIoOnce() {
        hold();
        PerfJob job = fixture.start(fixture.spec("disk", Workload.READ, 4), RunSettings.of(10, 1).withTimeout(2));
        fixture.manual.clock().advance(PerfFixture.SECOND);
        fixture.manual.settle();
        assertEquals(0, job.counters.statistics(1).timedOut());
        fixture.manual.clock().advance(PerfFixture.SECOND);
        fixture.manual.settle();
        fixture.manual.clock().advance(PerfFixture.SECOND);
        fixture.manual.settle();
        assertEquals(4, job.counters.statistics(1).timedOut());
        assertEquals(4, disk.held.size(), "nothing is aborted unless asked");
    }

    @Test
    void abortsStarvedIoIfToldTo() {
        disk.fault = (d, io) -> io.type() == BdevIoType.READ ? FaultyDisk.HELD : d.perform(io);
        PerfJob job = fixture.start(fixture.spec("disk", Workload.READ, 4),
                RunSettings.of(10, 1).withTimeout(2).abortingStarved().continuingOnFailure());
        fixture.manual.clock().advance(2 * PerfFixture.SECOND);
        fixture.manual.settle();
        assertEquals(4, job.counters.statistics(1).timedOut());
        assertEquals(4, job.counters.statistics(1).failed());
        assertEquals(4, disk.held.size(), "the next four");
    }

    @Test
    void resetsTheDeviceNowAndThenAndForgivesAbortedIo() {
        disk.fault = (d, io) -> io.type() == BdevIoType.RESET
                ? d.perform(io)
                : d.offsets.get(BdevIoType.RESET).isEmpty() ? d.perform(io) : BdevStatus.ABORTED;
        PerfJob job = fixture.start(fixture.spec("disk", Workload.RESET, 4));
        fixture.turns(10);
        fixture.manual.clock().advance(3 * PerfFixture.SECOND);
        fixture.turns(20);
        assertEquals(1, disk.offsets.get(BdevIoType.RESET).size());
        fixture.expire();
        assertTrue(job.statistics().failed() > 0);
        assertFalse(job.broken());
    }

    @Test
    void writesDataThatIsDifferentEachTimeIfToldTo() {
        Set<Long> checksums = new HashSet<>();
        int[] writes = new int[1];
        disk.fault = (d, io) -> {
            java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
            crc.update(io.vector().segment(0).asSlice(io.vector().offset(0), io.vector().length(0)).asByteBuffer());
            checksums.add(crc.getValue());
            writes[0]++;
            return d.perform(io);
        };
        fixture.start(fixture.spec("disk", Workload.RANDWRITE, 4), RunSettings.of(10, 1).withUniqueData());
        fixture.turns(100);
        assertEquals(writes[0], checksums.size());
    }

    @Test
    void stopsWhenItsDeviceIsRemoved() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.READ, 4),
                RunSettings.of(10, 1).continuingOnFailure());
        fixture.manual.run(fixture.thread, job::onRemoved);
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(job.broken());
    }

    @Test
    void doesNotBeginOnADeviceThatIsBeingRemoved() throws Exception {
        PerfJob job = fixture.open(fixture.spec("disk", Workload.READ, 4), RunSettings.of(10, 1));
        Bdev bdev = fixture.descriptor.bdev();
        Future<?> removal = fixture.manual.reactors().control().submit(() -> {
            fixture.registry.unregister(bdev);
            return null;
        });
        while (!bdev.removing()) {
            Thread.onSpinWait();
        }
        fixture.manual.run(fixture.thread, job::onStart);
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertTrue(job.broken());
        fixture.manual.settle();
        fixture.descriptor.close();
        removal.get();
    }

    @Test
    void recordsLatenciesIfToldTo() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.READ, 1), RunSettings.of(10, 1).withLatencyLevel(1));
        fixture.turns(1000);
        LatencyHistogram latencies = job.counters.histogram().orElseThrow();
        assertEquals(job.counters.statistics(1).completed(), latencies.count());
        assertEquals(1000, latencies.percentile(50), 10);
    }

    @Test
    void borrowsMemoryInsteadOfCopyingIfToldTo() {
        PerfJob job = fixture.start(fixture.spec("disk", Workload.RANDRW, 4), RunSettings.of(10, 1).withZeroCopy());
        fixture.turns(100);
        fixture.expire();
        assertTrue(fixture.failures.isEmpty(), fixture.failures::toString);
        assertTrue(job.statistics().completed() > 100);
        assertTrue(disk.offsets.get(BdevIoType.READ).isEmpty());
        assertEquals(disk.offsets.get(BdevIoType.ZCOPY_START).size(), disk.offsets.get(BdevIoType.ZCOPY_END).size());
    }
}
