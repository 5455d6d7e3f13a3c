package io.spindrift.apps.nvme.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.nvme.spec.GenericStatus;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// A load whose I/Os take one turn each.
class NamespaceLoadTest {
    private static void turns(InstantLoad instant, int count, long nanos) {
        for (int i = 0; i < count; i++) {
            instant.manual.clock().advance(nanos);
            instant.turn();
        }
    }

    @Test
    void averagesAreTheDepthByTheRate() {
        InstantLoad instant = new InstantLoad(InstantLoad.options(Pattern.RANDREAD, 8, 4096));
        instant.start();
        turns(instant, 100, 10_000);
        JobStatistics done = instant.load.statistics();
        assertEquals(100 * 8, done.completed());
        assertEquals(8 * done.runtimeNanos() / 1e3 / 800, done.averageLatencyMicros(), 0.001); // Little's law
        assertEquals(10, done.maxLatencyMicros(), 0.001);
    }

    @Test
    void endsAfterItsNumberOfIos() {
        PerfOptions options = InstantLoad.options(Pattern.WRITE, 8, 4096);
        options.ios = OptionalLong.of(20);
        InstantLoad instant = new InstantLoad(options);
        instant.start();
        turns(instant, 2, 1000);
        assertFalse(instant.ended);
        turns(instant, 1, 1000);
        assertTrue(instant.ended);
        assertEquals(20, instant.load.statistics().completed());
        assertFalse(instant.load.broken());
    }

    @Test
    void anIoOfSeveralCommandsIsOne() {
        PerfOptions options = InstantLoad.options(Pattern.READ, 2, 20_480); // 8 KiB, 8 KiB, 4 KiB
        options.ios = OptionalLong.of(10);
        InstantLoad instant = new InstantLoad(options);
        assertEquals(3, instant.load.namespace().commands());
        instant.start();
        turns(instant, 8, 1000);
        assertTrue(instant.ended);
        assertEquals(10, instant.load.statistics().completed());
    }

    @Test
    void countsFailedIoAndGoesOn() {
        InstantLoad instant = new InstantLoad(InstantLoad.options(Pattern.RANDREAD, 4, 4096));
        instant.start();
        instant.transport.status = GenericStatus.LBA_OUT_OF_RANGE;
        turns(instant, 1, 1000);
        instant.transport.status = 0;
        turns(instant, 1, 1000);
        assertEquals(4, instant.load.statistics().failed());
        assertEquals(4, instant.failures.size());
        assertTrue(instant.load.statistics().completed() >= 4);
        assertTrue(instant.load.broken());
        assertFalse(instant.ended);
    }

    @Test
    void aNamespaceThatIsGoneEndsIt() {
        InstantLoad instant = new InstantLoad(InstantLoad.options(Pattern.RANDREAD, 4, 4096));
        instant.start();
        instant.transport.status = GenericStatus.INVALID_NAMESPACE_OR_FORMAT;
        turns(instant, 2, 1000);
        assertTrue(instant.ended);
        assertTrue(instant.load.broken());
    }

    @Test
    void failuresAreForgivenIfItIsToGoOn() {
        PerfOptions options = InstantLoad.options(Pattern.RANDREAD, 4, 4096);
        options.goOn = true;
        InstantLoad instant = new InstantLoad(options);
        instant.start();
        instant.transport.status = GenericStatus.INVALID_NAMESPACE_OR_FORMAT;
        turns(instant, 2, 1000);
        assertFalse(instant.ended);
        assertFalse(instant.load.broken());
    }

    @Test
    void aControllerThatIsResetEndsIt() {
        InstantLoad instant = new InstantLoad(InstantLoad.options(Pattern.RANDREAD, 4, 4096));
        instant.start();
        instant.control(() -> {
            instant.controller.disconnect("the test has ended it");
            return null;
        });
        assertTrue(instant.ended);
        assertTrue(instant.load.broken());
    }
}
