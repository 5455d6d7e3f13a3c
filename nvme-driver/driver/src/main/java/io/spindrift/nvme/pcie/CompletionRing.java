package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A completion queue: a ring of entries of 16 bytes that the controller writes. Each has a phase tag, which is not what it
/// was in the round before once the entry is new.
///
/// On the queue's thread.
final class CompletionRing {
    private static final VarHandle INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle()
            .withInvokeExactBehavior();
    /// Command identifier in bits 15:0, phase tag in bit 16, status in bits 31:17.
    private static final int LAST_DWORD = CompletionQueueEntry.CID;
    private static final int PHASE = 1 << 16;

    private final MemorySegment entries;
    private final int count;
    private final Doorbell doorbell;
    private int head;
    private int told;
    private int newPhase = PHASE;
    private int lastDword;

    /// `entries` is `count` times 16 bytes, all zero.
    CompletionRing(MemorySegment entries, int count, Doorbell doorbell) {
        if (entries.byteSize() != (long) count * CompletionQueueEntry.SIZE) {
            throw new IllegalArgumentException("count=" + count + " entries do not take " + entries.byteSize()
                    + " bytes");
        }
        this.entries = entries;
        this.count = count;
        this.doorbell = doorbell;
    }

    /// Whether there is a new entry: then the accessors are of it, until [#advance].
    boolean hasNext() {
        // pairs with the controller's write of the phase tag, which comes after the rest of the entry and all data
        lastDword = (int) INT.getAcquire(entries, at() + LAST_DWORD);
        return (lastDword & PHASE) == newPhase;
    }

    private long at() {
        return (long) head * CompletionQueueEntry.SIZE;
    }

    int cid() {
        return lastDword & 0xffff;
    }

    /// As in [io.spindrift.nvme.spec.Status].
    int status() {
        return lastDword >>> 17;
    }

    int sqid() {
        return CompletionQueueEntry.sqid(entries, at());
    }

    /// Dwords 0 and 1.
    long result() {
        return LittleEndian.u64(entries, at());
    }

    /// Goes on to the next entry; the controller learns that this one is free by [#ring].
    void advance() {
        head++;
        if (head == count) {
            head = 0;
            newPhase ^= PHASE;
        }
    }

    /// Tells the controller which entries are free, if there are new ones: one write, however many.
    void ring() {
        if (head != told) {
            told = head;
            doorbell.ring(head);
        }
    }
}
