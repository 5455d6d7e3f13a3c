package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
import io.spindrift.framework.thread.CpuMask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs on devices whose blocks carry protection information.
class ProtectionTest {
    private final PerfFixture fixture = new PerfFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private FaultyDisk disk(int type, int piFormat, boolean interleaved, boolean head) {
        BdevGeometry geometry = BdevGeometry.of(interleaved ? 528 : 512).withMetadata(16, interleaved)
                .withDif(type, piFormat, head, type == 3 ? Dif.CHECK_GUARD : Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG);
        return fixture.disk("disk", geometry, 64, BdevIoType.READ, BdevIoType.WRITE);
    }

    private static Dif dif(int type, int piFormat, boolean interleaved, boolean head) {
        return new Dif(new DifFormat(512, 16, interleaved, DifType.ofCode(type).orElseThrow(),
                PiFormat.ofCode(piFormat).orElseThrow(), head));
    }

    /// Fails writes whose protection information is wrong.
    private static FaultyDisk.Fault checking(Dif dif, boolean interleaved) {
        return (disk, io) -> {
            if (io.type() == BdevIoType.WRITE) {
                dif.tags(io.offsetBlocks(), 0, 0);
                int checks = Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG;
                int blocks = (int) io.numBlocks();
                assertEquals(0, interleaved
                        ? dif.verify(checks, io.vector(), blocks)
                        : dif.verify(checks, io.vector(), io.options().metadata(), blocks));
            }
            return interleaved ? disk.perform(io) : performSeparate(disk, dif, io);
        };
    }

    /// Keeps no metadata: makes it anew for reads.
    private static long performSeparate(FaultyDisk disk, Dif dif, BdevIo io) {
        long status = disk.perform(io);
        if (io.type() == BdevIoType.READ) {
            dif.tags(io.offsetBlocks(), 0, 0);
            dif.generate(io.vector(), io.options().metadata(), (int) io.numBlocks());
        }
        return status;
    }

    @ParameterizedTest
    @CsvSource({"1, 0, true, false", "1, 0, false, true", "2, 1, true, true", "3, 2, false, false",
            "1, 2, true, false"})
    void writesWhatTheDeviceAcceptsAndComparesAllOfIt(int type, int piFormat, boolean interleaved, boolean head) {
        FaultyDisk disk = disk(type, piFormat, interleaved, head);
        disk.fault = checking(dif(type, piFormat, interleaved, head), interleaved);
        PerfJob job = fixture.start(new JobSpec(fixture.registry.get("disk"), CpuMask.of(0),
                Workload.VERIFY, 4 * 512, 4, 0, 0, 64));
        fixture.turns(300);
        fixture.expire();
        assertTrue(fixture.failures.isEmpty(), fixture.failures::toString);
        assertTrue(job.statistics().completed() > 100);
        assertTrue(fixture.manual.reports().isEmpty(), fixture.manual.reports()::toString);
    }

    @Test
    void detectsAReadWhoseProtectionInformationIsWrong() {
        FaultyDisk disk = disk(1, 0, true, false);
        Dif dif = dif(1, 0, true, false);
        disk.fault = (d, io) -> {
            dif.tags(io.offsetBlocks() + (io.offsetBlocks() == 5 ? 1 : 0), 0, 0);
            dif.generate(io.vector(), 1);
            return 0;
        };
        fixture.start(new JobSpec(fixture.registry.get("disk"), CpuMask.of(0),
                Workload.READ, 512, 1, 0, 0, 64));
        fixture.manual.stepUntil(() -> fixture.ended == 1);
        assertEquals("job disk: read of 1 blocks at block 5 got wrong protection information: block 0: reference tag is"
                + " 0x6, expected 0x5", fixture.failures.getFirst());
    }
}
