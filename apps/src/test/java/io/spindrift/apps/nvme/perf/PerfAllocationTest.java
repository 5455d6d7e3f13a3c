package io.spindrift.apps.nvme.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.testing.AllocationProbe;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A load in steady state allocates nothing, with the driver's queue pairs below it.
class PerfAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {RandomReads.class, Writes.class, MixedAndRecorded.class, SeveralCommands.class,
            Skewed.class, MoreThanTheQueueHolds.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// One turn, in which I/Os end and the next begin.
    private abstract static class Turn implements Runnable {
        private final InstantLoad instant;
        private long before;

        Turn(PerfOptions options) {
            instant = new InstantLoad(options);
            instant.start();
        }

        @Override
        public void run() {
            instant.turn();
            long completed = instant.load.counters.completed();
            if (completed == before) {
                throw new AssertionError("no I/O has ended in this turn");
            }
            before = completed;
        }
    }

    private static PerfOptions options(Pattern pattern) {
        return InstantLoad.options(pattern, 4, 1024);
    }

    private static final class RandomReads extends Turn {
        RandomReads() {
            super(options(Pattern.RANDREAD));
        }
    }

    private static final class Writes extends Turn {
        Writes() {
            super(options(Pattern.WRITE));
        }
    }

    private static final class MixedAndRecorded extends Turn {
        MixedAndRecorded() {
            super(recorded(options(Pattern.RANDRW)));
        }

        private static PerfOptions recorded(PerfOptions options) {
            options.latencyLevel = 2;
            options.queuePairs = 2;
            return options;
        }
    }

    private static final class SeveralCommands extends Turn {
        SeveralCommands() {
            super(InstantLoad.options(Pattern.RANDREAD, 2, 32768));
        }
    }

    private static final class Skewed extends Turn {
        Skewed() {
            super(skewed(options(Pattern.RANDREAD)));
        }

        private static PerfOptions skewed(PerfOptions options) {
            options.zipfTheta = 1.1;
            return options;
        }
    }

    /// The controller gives 128 entries.
    private static final class MoreThanTheQueueHolds extends Turn {
        MoreThanTheQueueHolds() {
            super(InstantLoad.options(Pattern.RANDREAD, 300, 1024));
        }
    }
}
