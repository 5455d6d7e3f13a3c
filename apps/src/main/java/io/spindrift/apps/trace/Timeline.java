package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceGroups;
import io.spindrift.framework.trace.TraceObject;
import io.spindrift.framework.trace.TraceRecord;
import io.spindrift.framework.trace.TraceRingSnapshot;
import io.spindrift.framework.trace.Tracepoint;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// The records of several cores in one order, by tick; objects followed from their first event.
///
/// Where a ring has overwritten its oldest records, what other cores recorded before its first is left out: until then
/// the picture has a hole.
final class Timeline {
    private final List<TraceRingSnapshot> rings;
    private final Map<Integer, Tracepoint> tracepoints = new HashMap<>();
    private final Map<ObjectKey, ObjectStart> objects = new HashMap<>();
    private final Map<TraceObject, Long> counters = new HashMap<>();
    private final long base;

    private record ObjectKey(TraceObject type, long id) {}

    private record ObjectStart(long number, long tick) {}

    private static final class Cursor {
        private final TraceRingSnapshot ring;
        private int next;

        Cursor(TraceRingSnapshot ring) {
            this.ring = ring;
        }

        boolean atEnd() {
            return next == ring.size();
        }

        long tick() {
            return ring.tick(next);
        }
    }

    /// `capacity` is how many records each ring holds.
    Timeline(TraceGroups groups, List<TraceRingSnapshot> rings, int capacity) {
        this.rings = rings.stream().filter(ring -> ring.size() > 0).toList();
        groups.all().forEach(group -> group.tracepoints().forEach(each -> tracepoints.put(each.index(), each)));
        long wrapped = this.rings.stream().filter(ring -> ring.first() > 0 && ring.written() - ring.first() >= capacity)
                .mapToLong(ring -> ring.tick(0)).max().orElse(Long.MIN_VALUE);
        long earliest = this.rings.stream().mapToLong(ring -> ring.tick(0)).min().orElse(0);
        this.base = Math.max(wrapped, earliest);
    }

    /// The tick from which times are counted.
    long base() {
        return base;
    }

    /// Hands every event to `consumer`, earliest first. Once.
    void forEach(Consumer<Event> consumer) {
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(
                Comparator.comparingLong(Cursor::tick).thenComparingInt(cursor -> cursor.ring.core()));
        rings.forEach(ring -> cursors.add(new Cursor(ring)));
        while (!cursors.isEmpty()) {
            Cursor cursor = cursors.poll();
            Event event = event(cursor.ring.record(cursor.next++));
            if (event.record().tick() >= base) {
                consumer.accept(event);
            }
            if (!cursor.atEnd()) {
                cursors.add(cursor);
            }
        }
    }

    private Event event(TraceRecord record) {
        Tracepoint tracepoint = tracepoints.get(record.tracepoint());
        if (tracepoint == null) {
            return new Event(record, Optional.empty(), Optional.empty(), 0);
        }
        ObjectKey key = new ObjectKey(tracepoint.object(), record.objectId());
        if (tracepoint.startsObject()) {
            long number = counters.merge(tracepoint.object(), 1L, Long::sum) - 1;
            objects.put(key, new ObjectStart(number, record.tick()));
        }
        ObjectStart start = objects.get(key);
        return new Event(record, Optional.of(tracepoint),
                Optional.ofNullable(start).map(each -> "" + tracepoint.object().prefix() + each.number()),
                start == null ? 0 : start.tick());
    }
}
