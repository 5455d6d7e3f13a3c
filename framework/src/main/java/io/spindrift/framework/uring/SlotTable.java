package io.spindrift.framework.uring;

/// Free places of a registered table, lowest first while none has been freed.
final class SlotTable {
    private final int[] free;
    private int count;

    SlotTable(int capacity) {
        free = new int[capacity];
        for (int slot = capacity - 1; slot >= 0; slot--) {
            free[count++] = slot;
        }
    }

    /// A free slot, now taken, or -1.
    int take() {
        return count == 0 ? -1 : free[--count];
    }

    void release(int slot) {
        free[count++] = slot;
    }
}
