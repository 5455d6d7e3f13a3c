package io.spindrift.nvmf.tcp;

import java.util.Arrays;

/// The requests of a connection that are on their way, by slots: a request's slot is its transfer tag.
///
/// Grows with the commands that a host has on their way at once. On the connection's thread.
final class TcpSlots {
    private static final int FIRST = 8;

    private TcpRequest[] requests = new TcpRequest[FIRST];
    private int[] free = new int[FIRST];
    private int freeCount;

    TcpSlots() {
        addFree(0, FIRST);
    }

    private void addFree(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            free[freeCount++] = slot;
        }
    }

    /// How many requests there are.
    int active() {
        return requests.length - freeCount;
    }

    /// Slots there are, free ones too.
    int size() {
        return requests.length;
    }

    /// The request in a slot, or null. Any number may be asked for.
    TcpRequest get(int slot) {
        return slot < requests.length ? requests[slot] : null;
    }

    /// Takes a slot, for [#put]; -1 if `depth` of them are taken.
    int take(int depth) {
        if (active() >= depth) {
            return -1;
        }
        if (freeCount == 0) {
            int old = requests.length;
            int grown = Math.min(2 * old, depth);
            requests = Arrays.copyOf(requests, grown);
            free = Arrays.copyOf(free, grown);
            addFree(old, grown);
        }
        return free[--freeCount];
    }

    void put(int slot, TcpRequest request) {
        requests[slot] = request;
    }

    void free(int slot) {
        requests[slot] = null;
        free[freeCount++] = slot;
    }
}
