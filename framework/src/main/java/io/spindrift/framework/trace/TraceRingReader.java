package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// The reading end of one ring, safe beside a running writer and on whatever a file claims.
final class TraceRingReader {
    private static final int WORDS = RECORD_BYTES / Long.BYTES;

    private final int core;
    private final MemorySegment header;
    private final MemorySegment records;
    private final int capacity;

    TraceRingReader(int core, MemorySegment header, MemorySegment records, int capacity) {
        this.core = core;
        this.header = header;
        this.records = records;
        this.capacity = capacity;
    }

    int core() {
        return core;
    }

    /// Records written so far.
    long written() {
        // Pairs with the release in TraceRing.write: those records are there, unless overwritten since.
        return Math.max(longAcquire(header, RING_WRITTEN), 0);
    }

    /// The oldest record that may still be there, given the count `written`.
    long first(long written) {
        // Pairs with the release in TraceRing.clear.
        long cleared = longAcquire(header, RING_FIRST);
        return Math.max(Math.max(written - capacity, cleared), 0);
    }

    /// The most heap that [#snapshot()] takes.
    long snapshotBytes() {
        long written = written();
        return Math.clamp(written - first(written), 0, capacity) * RECORD_BYTES;
    }

    /// Copies the records that are there now, oldest first.
    TraceRingSnapshot snapshot() {
        long written = written();
        long first = first(written);
        int claimed = Math.clamp(written - first, 0, capacity);
        long[] words = new long[claimed * WORDS];
        int count = 0;
        for (int i = 0; i < claimed; i++) {
            if (read(first + i, words, count * WORDS)) {
                count++;
            }
        }
        return new TraceRingSnapshot(core, written, first, claimed - count,
                Arrays.copyOf(words, count * WORDS));
    }

    /// Copies record `number` to `words[at..]`; false if it is not (or no longer) whole.
    private boolean read(long number, long[] words, int at) {
        long offset = (number & capacity - 1) * RECORD_BYTES;
        // Pairs with the release of the sequence in TraceRing.write: the fields are there.
        if (longAcquire(records, offset + RECORD_SEQUENCE) != number + 1) {
            return false;
        }
        MemorySegment.copy(records, LONG, offset, words, at, WORDS);
        // Pairs with the release fence in TraceRing.write: had a new field been copied, the sequence would be seen changed.
        VarHandle.acquireFence();
        return longAcquire(records, offset + RECORD_SEQUENCE) == number + 1;
    }
}
