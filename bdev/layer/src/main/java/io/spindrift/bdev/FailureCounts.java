package io.spindrift.bdev;

import java.util.function.BiConsumer;

/// How many I/Os of a channel failed, by status: a small table of longs, since failures are counted on the data path.
///
/// What does not fit counts as [BdevStatus#FAILED]. One thread.
final class FailureCounts {
    private static final int DISTINCT = 32;

    private final long[] statuses = new long[DISTINCT];
    private final long[] counts = new long[DISTINCT];

    void count(long status) {
        int i = 0;
        while (i < DISTINCT - 1 && counts[i] > 0 && statuses[i] != status) {
            i++;
        }
        statuses[i] = i < DISTINCT - 1 ? status : BdevStatus.FAILED;
        counts[i]++;
    }

    void forEach(BiConsumer<Long, Long> action) {
        for (int i = 0; i < DISTINCT && counts[i] > 0; i++) {
            action.accept(statuses[i], counts[i]);
        }
    }

    void clear() {
        java.util.Arrays.fill(counts, 0);
    }
}
