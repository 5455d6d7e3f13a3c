package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.INT;
import static io.spindrift.framework.trace.TraceFileLayout.LONG;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_ARGUMENT_0;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_ARGUMENT_1;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_ARGUMENT_2;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_BYTES;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_OBJECT;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_SEQUENCE;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_SIZE;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_THREAD;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_TICK;
import static io.spindrift.framework.trace.TraceFileLayout.RECORD_TRACEPOINT;
import static io.spindrift.framework.trace.TraceFileLayout.RING_FIRST;
import static io.spindrift.framework.trace.TraceFileLayout.RING_WRITTEN;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// The writing end of one reactor's ring, used by that reactor's thread only. Never full: it overwrites its oldest record.
final class TraceRing {
    private final MemorySegment header;
    private final MemorySegment records;
    private final long slotMask;
    /// Records written since the ring was made.
    private long written;

    /// `capacity` is a power of two; both segments belong to the trace file and must outlive this ring.
    TraceRing(MemorySegment header, MemorySegment records, int capacity) {
        this.header = header;
        this.records = records;
        this.slotMask = capacity - 1L;
    }

    void write(long tick, int tracepoint, long threadId, long objectId, long size, long arg0, long arg1, long arg2) {
        long number = written;
        long at = (number & slotMask) * RECORD_BYTES;
        TraceFileLayout.longOpaque(records, at + RECORD_SEQUENCE, 0);
        // Pairs with the acquire fence in TraceRingReader.read: a reader that saw a new field sees the 0 too.
        VarHandle.releaseFence();
        records.set(LONG, at + RECORD_TICK, tick);
        records.set(INT, at + RECORD_TRACEPOINT, tracepoint);
        records.set(INT, at + RECORD_THREAD, (int) threadId);
        records.set(LONG, at + RECORD_OBJECT, objectId);
        records.set(LONG, at + RECORD_SIZE, size);
        records.set(LONG, at + RECORD_ARGUMENT_0, arg0);
        records.set(LONG, at + RECORD_ARGUMENT_1, arg1);
        records.set(LONG, at + RECORD_ARGUMENT_2, arg2);
        written = number + 1;
        // Pairs with the acquire of the sequence in TraceRingReader.read.
        TraceFileLayout.longRelease(records, at + RECORD_SEQUENCE, number + 1);
        // Pairs with the acquire in TraceRingReader.written.
        TraceFileLayout.longRelease(header, RING_WRITTEN, number + 1);
    }

    long written() {
        return written;
    }

    /// Hides every record written so far from readers. Numbers go on, so that no reader mistakes a new record for an old.
    void clear() {
        // Pairs with the acquire in TraceRingReader.first.
        TraceFileLayout.longRelease(header, RING_FIRST, written);
    }
}
