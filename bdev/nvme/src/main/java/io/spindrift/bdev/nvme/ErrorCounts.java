package io.spindrift.bdev.nvme;

import io.spindrift.nvme.spec.Status;
import java.util.concurrent.atomic.AtomicLongArray;

/// How often commands of a bdev ended with which status, if that is wanted. Any thread.
final class ErrorCounts {
    private static final int TYPES = 8;
    private static final int CODES = 256;

    private final AtomicLongArray counts;

    ErrorCounts(boolean wanted) {
        counts = new AtomicLongArray(wanted ? TYPES * CODES : 0);
    }

    boolean wanted() {
        return counts.length() > 0;
    }

    void count(int status) {
        if (counts.length() > 0) {
            counts.getAndIncrement(Status.code(status));
        }
    }

    /// Commands that ended with this status code type and status code.
    long count(int sct, int sc) {
        return counts.get(Status.of(sct, sc));
    }
}
