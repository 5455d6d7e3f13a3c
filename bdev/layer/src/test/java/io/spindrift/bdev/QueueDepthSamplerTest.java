package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A period of 100 us on a clock that the test moves; the application's first thread is on core 0, as is thread a.
class QueueDepthSamplerTest {
    private static final long PERIOD_NANOS = 100_000;

    private final BdevFixture fixture = new BdevFixture();
    private final Arena arena = Arena.ofShared();
    private final FakeDisk disk = fixture.disk("d", 100, BdevGeometry.of(512), BdevFixture.READ_WRITE);
    private final BdevDescriptor descriptor = fixture.open("d");
    private final BdevChannel onA = fixture.channel(descriptor, fixture.a);
    private final BdevChannel onB = fixture.channel(descriptor, fixture.b);
    private final QueueDepthSampler sampler = fixture.manual.run(fixture.manual.reactors().appThread(),
            () -> new QueueDepthSampler(descriptor.bdev(), fixture.manual.reactors().appThread(), 100));

    @AfterEach
    void close() {
        fixture.close();
        arena.close();
    }

    private void hold(BdevChannel channel, int count) {
        IoVector data = new IoVector(1);
        data.add(arena.allocate(512, 4096), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        for (int i = 0; i < count; i++) {
            fixture.begin(channel, done -> channel.read(data, 0, 1, done));
        }
    }

    private void passes(int periods) {
        fixture.manual.clock().advance(periods * PERIOD_NANOS);
    }

    @Test
    void addsUpWhatIsInFlightOnEachThread() {
        hold(onA, 3);
        hold(onB, 2);
        passes(1);
        fixture.manual.stepAll(); // which reads the clock
        fixture.manual.settle();
        assertEquals(5, sampler.queueDepth());
        assertEquals(100, sampler.ioTimeMicros());
        assertEquals(500, sampler.weightedIoTimeMicros());
        passes(1);
        fixture.manual.stepAll(); // which reads the clock
        fixture.manual.settle();
        assertEquals(200, sampler.ioTimeMicros());
        assertEquals(1000, sampler.weightedIoTimeMicros());
    }

    @Test
    void countsNoTimeWithoutIo() {
        passes(1);
        fixture.manual.stepAll(); // which reads the clock
        fixture.manual.settle();
        assertEquals(0, sampler.queueDepth());
        assertEquals(0, sampler.ioTimeMicros());
    }

    /// Thread b is asked on its own core, whose reactor does not run for three periods.
    @Test
    void waitsForAThreadThatIsBusyAndCountsThePeriodsMeanwhile() {
        hold(onB, 2);
        for (int period = 0; period < 3; period++) {
            passes(1);
            for (int step = 0; step < 10; step++) {
                fixture.manual.step(0);
            }
        }
        assertEquals(0, sampler.queueDepth());
        fixture.manual.settle();
        assertEquals(2, sampler.queueDepth());
        assertEquals(300, sampler.ioTimeMicros());
        assertEquals(600, sampler.weightedIoTimeMicros());
    }
}
