package io.spindrift.framework.trace;

import java.util.Arrays;

/// The start ticks of objects under way: a fixed open-addressing table, for one thread, without allocation.
final class PairTable {
    /// More objects than this at once and the newest are not measured.
    static final int MAX_OBJECTS = 8192;

    private static final int SLOTS = MAX_OBJECTS * 2;
    private static final int SLOT_MASK = SLOTS - 1;
    private static final long FREE = Long.MIN_VALUE;

    /// What [#remove] returns for an object whose start was not seen.
    static final long ABSENT = FREE;

    private final long[] ids = new long[SLOTS];
    private final long[] ticks = new long[SLOTS];
    private int size;

    PairTable() {
        Arrays.fill(ticks, FREE);
    }

    /// Notes that the object starts at `tick`; false when there is no room.
    boolean put(long id, long tick) {
        int slot = home(id);
        while (ticks[slot] != FREE && ids[slot] != id) {
            slot = slot + 1 & SLOT_MASK;
        }
        if (ticks[slot] == FREE) {
            if (size == MAX_OBJECTS) {
                return false;
            }
            size++;
        }
        ids[slot] = id;
        ticks[slot] = tick;
        return true;
    }

    /// Forgets the object and returns its start tick, or [#ABSENT].
    long remove(long id) {
        int slot = home(id);
        while (ticks[slot] != FREE && ids[slot] != id) {
            slot = slot + 1 & SLOT_MASK;
        }
        long tick = ticks[slot];
        if (tick != FREE) {
            size--;
            closeGap(slot);
        }
        return tick;
    }

    /// Empties `gap` and moves later entries of the same run back, so that a search may stop at a free slot.
    private void closeGap(int gap) {
        int free = gap;
        int slot = free + 1 & SLOT_MASK;
        while (ticks[slot] != FREE) {
            int distanceFromHome = slot - home(ids[slot]) & SLOT_MASK;
            int distanceFromFree = slot - free & SLOT_MASK;
            if (distanceFromHome >= distanceFromFree) {
                ids[free] = ids[slot];
                ticks[free] = ticks[slot];
                free = slot;
            }
            slot = slot + 1 & SLOT_MASK;
        }
        ticks[free] = FREE;
    }

    private static int home(long id) {
        long mixed = id * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 40) & SLOT_MASK;
    }

    int size() {
        return size;
    }
}
