package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The device's side of a ring.
final class FakeQueue {
    final int id;
    final long iova;
    final int size;
    /// Of a completion queue; -1 for no interrupts.
    final int vector;
    /// Of a submission queue, the next entry to fetch; of a completion queue, the next to write.
    int head;
    /// Of a submission queue with a doorbell buffer: its doorbell when that was looked at last, and what was found.
    int register;
    int tail;
    private int phase = 1;

    FakeQueue(int id, long iova, int size, int vector) {
        this.id = id;
        this.iova = iova;
        this.size = size;
        this.vector = vector;
    }

    void post(FakeVfio vfio, int sqhd, int sqid, int cid, int status, int dw0) {
        MemorySegment cqe = vfio.at(iova + 16L * head, 16);
        CompletionQueueEntry.write(cqe, 0, dw0, 0, sqhd, sqid, cid, 0);
        // the phase tag last
        cqe.set(java.lang.foreign.ValueLayout.JAVA_SHORT, CompletionQueueEntry.STATUS, (short) (status << 1 | phase));
        head = (head + 1) % size;
        if (head == 0) {
            phase ^= 1;
        }
        if (vector >= 0) {
            vfio.interrupt(vector);
        }
    }
}
