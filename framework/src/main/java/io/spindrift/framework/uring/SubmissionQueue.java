package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The ring of requests: we write entries and move the tail, the kernel reads them and moves the head.
///
/// ```
///      head (kernel)          tail (ours)
///        |  prepared entries    |   free
/// -------+----------------------+------------->  modulo entries
/// ```
///
/// The index array between tail and entries is the identity, written once. Owner thread only.
final class SubmissionQueue {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();

    private final MemorySegment ring;
    private final long headAt;
    private final long tailAt;
    private final long flagsAt;
    private final int entries;
    private final int mask;
    private int tail;
    private int knownHead;
    private long taken;

    SubmissionQueue(MemorySegment ring, MemorySegment params) {
        this.ring = ring;
        headAt = RingParams.get(params, RingParams.SQ_OFF_HEAD);
        tailAt = RingParams.get(params, RingParams.SQ_OFF_TAIL);
        flagsAt = RingParams.get(params, RingParams.SQ_OFF_FLAGS);
        entries = RingParams.get(params, RingParams.SQ_ENTRIES);
        mask = entries - 1;
        long array = RingParams.get(params, RingParams.SQ_OFF_ARRAY);
        for (int i = 0; i < entries; i++) {
            ring.set(ValueLayout.JAVA_INT, array + 4L * i, i);
        }
    }

    int entries() {
        return entries;
    }

    /// Takes the next entry and returns its offset among the entries, or -1 when all are taken.
    long take() {
        if (tail - knownHead == entries) {
            return -1;
        }
        taken++;
        return (long) (tail++ & mask) * Sqe.SIZE;
    }

    /// How many entries were taken since the ring was opened.
    long taken() {
        return taken;
    }

    /// Whether entries wait for [#publish()] and a system call.
    boolean pending() {
        return tail != knownHead;
    }

    /// Shows the prepared entries to the kernel and returns how many it has not consumed.
    int publish() {
        // Release pairs with the kernel's acquire of the tail: the entries are whole before it sees them.
        INT.setRelease(ring, tailAt, tail);
        return tail - knownHead;
    }

    /// Notes what the kernel consumed during a system call.
    void refresh() {
        // Acquire pairs with the kernel's release of the head: it has finished reading the entries before it.
        knownHead = (int) INT.getAcquire(ring, headAt);
    }

    /// IORING_SQ_* as the kernel set them. Opaque: a flag seen late is seen by the next poll.
    int flags() {
        return (int) INT.getOpaque(ring, flagsAt);
    }
}
