package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.testing.AllocationProbe;
import java.lang.foreign.Arena;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DifAllocationTest {
    @ParameterizedTest
    @ValueSource(classes = {Guard16.class, Guard32.class, Guard64.class})
    void allocatesNothing(Class<? extends Runnable> operation) {
        assertEquals(0, AllocationProbe.allocatedBytes(operation));
    }

    /// Generates, verifies and rewrites two blocks in each layout, with success and with an error.
    private abstract static class EveryOperation implements Runnable {
        private static final int CHECKS = Dif.CHECK_GUARD | Dif.CHECK_APPLICATION_TAG | Dif.CHECK_REFERENCE_TAG;

        private final Dif interleaved;
        private final Dif separate;
        private final IoVector vector = vector(100, 415, 17, 508, 16);
        private final IoVector metadata = vector(3, 20, 9);
        private int round;

        EveryOperation(PiFormat pi) {
            interleaved = new Dif(new DifFormat(512, 16, true, DifType.TYPE_1, pi, false));
            separate = new Dif(new DifFormat(512, 16, false, DifType.TYPE_1, pi, true));
        }

        private static IoVector vector(int... lengths) {
            IoVector vector = new IoVector(lengths.length);
            for (int length : lengths) {
                vector.add(Arena.global().allocate(length), 0, length);
            }
            return vector;
        }

        @Override
        public void run() {
            round++;
            interleaved.tags(round, 1, 0xFFFF);
            interleaved.generate(vector, 2);
            interleaved.tags(round + (round & 1), 1, 0xFFFF);
            long expected = (round & 1) == 0 ? DifResult.OK : DifResult.of(DifResult.REFERENCE_TAG, 0);
            require(interleaved.verify(CHECKS, vector, 2) == expected);
            separate.tags(round, 1, 0xFFFF);
            separate.generate(vector, metadata, 2);
            interleaved.tags(round, 1, 0xFFFF);
            interleaved.retag(vector, 2);
            separate.tags(round, 1, 0xFFFF);
            separate.retagMetadata(metadata, 2);
            separate.tags(round, 1, 0xFFFF);
            long result = separate.verify(CHECKS & ~Dif.CHECK_GUARD, vector, metadata, 2);
            require(result == DifResult.OK);
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError("wrong result");
            }
        }
    }

    private static final class Guard16 extends EveryOperation {
        Guard16() {
            super(PiFormat.GUARD_16);
        }
    }

    private static final class Guard32 extends EveryOperation {
        Guard32() {
            super(PiFormat.GUARD_32);
        }
    }

    private static final class Guard64 extends EveryOperation {
        Guard64() {
            super(PiFormat.GUARD_64);
        }
    }
}
