package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceRingTest {
    private static final int CAPACITY = 8;

    private final MemorySegment header = Arena.ofAuto().allocate(RING_BYTES, Long.BYTES);
    private final MemorySegment records = Arena.ofAuto().allocate(RECORD_BYTES * CAPACITY, Long.BYTES);
    private final TraceRing ring = new TraceRing(header, records, CAPACITY);
    private final TraceRingReader reader = new TraceRingReader(5, header, records, CAPACITY);

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            long n = ring.written();
            ring.write(1000 + n, 193, 7, n, 512, n * 2, -n, n + 3);
        }
    }

    private List<Long> numbers() {
        TraceRingSnapshot snapshot = reader.snapshot();
        return IntStream.range(0, snapshot.size()).mapToObj(i -> snapshot.record(i).number()).toList();
    }

    @Test
    void hasNothingAtFirst() {
        assertEquals(List.of(), numbers());
        assertEquals(0, reader.snapshot().written());
    }

    @Test
    void givesBackEveryFieldOfARecord() {
        ring.write(-3, 4095, 0xFFFF_FFFFL, Long.MIN_VALUE, 4096, Long.MAX_VALUE, -1, 0);
        assertEquals(new TraceRecord(5, 0, -3, 4095, -1, Long.MIN_VALUE, 4096, Long.MAX_VALUE, -1, 0),
                reader.snapshot().record(0));
    }

    @Test
    void putsFieldsWhereTheDocumentedLayoutSays() {
        write(2);
        assertEquals(2, records.get(LONG, 64 + 0)); // record 1: sequence, tick, tracepoint, thread, object, ...
        assertEquals(1001, records.get(LONG, 64 + 8));
        assertEquals(193, records.get(INT, 64 + 16));
        assertEquals(7, records.get(INT, 64 + 20));
        assertEquals(1, records.get(LONG, 64 + 24));
        assertEquals(512, records.get(LONG, 64 + 32));
        assertEquals(2, records.get(LONG, 64 + 40));
        assertEquals(-1, records.get(LONG, 64 + 48));
        assertEquals(4, records.get(LONG, 64 + 56));
        assertEquals(2, header.get(LONG, 64));
    }

    @Test
    void keepsTheLastCapacityRecordsWhenItWraps() {
        write(CAPACITY);
        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L), numbers());
        write(3);
        assertEquals(List.of(3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L), numbers());
        assertEquals(11, reader.snapshot().written());
        assertEquals(3, reader.snapshot().first());
        assertEquals(0, reader.snapshot().lost());
    }

    @Test
    void hidesWhatWasClearedAndGoesOn() {
        write(5);
        ring.clear();
        assertEquals(List.of(), numbers());
        write(2);
        assertEquals(List.of(5L, 6L), numbers());
        assertEquals(7, reader.snapshot().written());
    }

    @Test
    void skipsARecordThatAKilledWriterLeftHalfMade() {
        write(CAPACITY + 2);
        // The writer died in record 10, which goes where record 2 was: sequence 0, not yet counted.
        records.set(LONG, 2 * RECORD_BYTES + RECORD_SEQUENCE, 0);
        assertEquals(List.of(3L, 4L, 5L, 6L, 7L, 8L, 9L), numbers());
        assertEquals(1, reader.snapshot().lost());
    }

    @Test
    void skipsARecordThatWasOverwrittenAfterTheCountWasRead() {
        write(CAPACITY + 1);
        // As if the writer overtook: slot 1 holds record 9 while the count still says 9.
        records.set(LONG, RECORD_BYTES + RECORD_SEQUENCE, 10);
        assertEquals(List.of(2L, 3L, 4L, 5L, 6L, 7L, 8L), numbers());
        assertEquals(1, reader.snapshot().lost());
    }

    @Test
    void toleratesCountsThatNoWriterWrites() {
        write(3);
        for (long written : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40}) {
            for (long first : new long[]{-1, Long.MIN_VALUE, Long.MAX_VALUE, 2}) {
                header.set(LONG, RING_WRITTEN, written);
                header.set(LONG, RING_FIRST, first);
                TraceRingSnapshot snapshot = reader.snapshot();
                assertEquals(0, snapshot.size());
                assertEquals(true, reader.snapshotBytes() >= 0 && reader.snapshotBytes() <= records.byteSize());
            }
        }
    }

    /// Fields are functions of the number, so that a torn record shows.
    @Test
    void givesAConcurrentReaderOnlyWholeRecords() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                write(1000);
            }
        });
        try {
            long seen = 0;
            long last = -1;
            while (seen < 20_000) {
                TraceRingSnapshot snapshot = reader.snapshot();
                long previous = -1;
                for (int i = 0; i < snapshot.size(); i++) {
                    TraceRecord record = snapshot.record(i);
                    long n = record.number();
                    assertEquals(new TraceRecord(5, n, 1000 + n, 193, 7, n, 512, n * 2, -n, n + 3), record);
                    assertEquals(true, n > previous);
                    previous = n;
                    seen++;
                }
                assertEquals(true, snapshot.written() >= last);
                last = snapshot.written();
            }
        } finally {
            stop.set(true);
            writer.join();
        }
    }
}
