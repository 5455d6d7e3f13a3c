package io.spindrift.bdev.uring;

import java.util.Arrays;

/// The requests that a channel has, by the slot that the kernel gives back as user data.
final class RequestTable {
    private UringRequest[] requests = new UringRequest[0];
    private int[] free = new int[0];
    private int freeCount;

    /// Gives `request` a slot. Allocates only when there were never so many.
    void add(UringRequest request) {
        if (freeCount == 0) {
            grow();
        }
        int slot = free[--freeCount];
        requests[slot] = request;
        request.slot = slot;
    }

    void remove(UringRequest request) {
        int slot = request.slot;
        request.slot = UringRequest.NO_SLOT;
        requests[slot] = null;
        free[freeCount++] = slot;
    }

    UringRequest get(int slot) {
        return requests[slot];
    }

    /// Slots below this are in use or were.
    int slots() {
        return requests.length;
    }

    private void grow() {
        int old = requests.length;
        requests = Arrays.copyOf(requests, Math.max(64, old * 2));
        free = new int[requests.length];
        for (int slot = requests.length - 1; slot >= old; slot--) {
            free[freeCount++] = slot;
        }
    }
}
