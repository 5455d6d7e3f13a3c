package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;

/// A copy of one ring's records, oldest first. Immutable.
public final class TraceRingSnapshot {
    private static final int WORDS = RECORD_BYTES / Long.BYTES;

    private final int core;
    private final long written;
    private final long first;
    private final int lost;
    private final long[] words;

    TraceRingSnapshot(int core, long written, long first, int lost, long[] words) {
        this.core = core;
        this.written = written;
        this.first = first;
        this.lost = lost;
        this.words = words;
    }

    public int core() {
        return core;
    }

    /// Records ever written to this ring, overwritten ones included.
    public long written() {
        return written;
    }

    /// The number of the oldest record that was not overwritten or cleared when the copy began.
    public long first() {
        return first;
    }

    /// Records that were overwritten while they were copied, or that a killed writer left half-made.
    public int lost() {
        return lost;
    }

    /// Records here.
    public int size() {
        return words.length / WORDS;
    }

    /// The tick of record `i`, `0 <= i < size()`.
    public long tick(int i) {
        return word(i, RECORD_TICK);
    }

    /// Record `i`, `0 <= i < size()`.
    public TraceRecord record(int i) {
        long ids = word(i, RECORD_TRACEPOINT);
        return new TraceRecord(core, word(i, RECORD_SEQUENCE) - 1, word(i, RECORD_TICK), (int) ids, (int) (ids >>> 32),
                word(i, RECORD_OBJECT), word(i, RECORD_SIZE), word(i, RECORD_ARGUMENT_0), word(i, RECORD_ARGUMENT_1),
                word(i, RECORD_ARGUMENT_2));
    }

    private long word(int i, int offset) {
        return words[i * WORDS + offset / Long.BYTES];
    }
}
