package io.spindrift.sock;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/// What a group, or all groups of an implementation, have counted.
///
/// A group's own thread adds, any thread reads: whole values, newer ones in time.
public final class SockStats {
    private static final int SIZE = SockCounter.values().length;

    private final AtomicLongArray values = new AtomicLongArray(SIZE);

    /// Everything 0.
    public SockStats() {}

    /// On the owner.
    public void add(SockCounter counter, long amount) {
        int index = counter.ordinal();
        values.setOpaque(index, values.getPlain(index) + amount); // nobody else writes
    }

    /// Adds all of `other`. On the owner.
    void addAll(SockStats other) {
        for (int i = 0; i < SIZE; i++) {
            values.setOpaque(i, values.getPlain(i) + other.values.getOpaque(i));
        }
    }

    /// Any thread.
    public long get(SockCounter counter) {
        return values.getOpaque(counter.ordinal());
    }

    /// All values now. Any thread.
    public Map<SockCounter, Long> snapshot() {
        Map<SockCounter, Long> snapshot = new EnumMap<>(SockCounter.class);
        for (SockCounter counter : SockCounter.values()) {
            snapshot.put(counter, get(counter));
        }
        return snapshot;
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
