package io.spindrift.nvme.pcie;

import io.spindrift.nvme.NvmeRequest;

/// Requests of a queue pair in order of their coming, each at most once. On the queue's thread; allocates nothing.
final class RequestList {
    private final PcieSlot[] slots;
    private NvmeRequest first;
    private NvmeRequest last;

    RequestList(PcieSlot[] slots) {
        this.slots = slots;
    }

    boolean isEmpty() {
        return first == null;
    }

    /// The oldest, or null.
    NvmeRequest first() {
        return first;
    }

    void add(NvmeRequest request) {
        slots[request.index()].next = null;
        if (first == null) {
            first = request;
        } else {
            slots[last.index()].next = request;
        }
        last = request;
    }

    /// Puts back what was removed.
    void addFirst(NvmeRequest request) {
        slots[request.index()].next = first;
        if (first == null) {
            last = request;
        }
        first = request;
    }

    void removeFirst() {
        PcieSlot slot = slots[first.index()];
        first = slot.next;
        slot.next = null;
    }

    void clear() {
        while (first != null) {
            removeFirst();
        }
    }
}
