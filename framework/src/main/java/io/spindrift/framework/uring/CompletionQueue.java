package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The ring of completions: the kernel writes entries and moves the tail, we read them and move the head.
///
/// Owner thread only.
final class CompletionQueue {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();

    private final MemorySegment ring;
    private final long headAt;
    private final long tailAt;
    private final long flagsAt;
    private final long overflowAt;
    private final long cqesAt;
    private final int entries;
    private final int mask;
    private int head;
    private long ended;
    private boolean draining;

    CompletionQueue(MemorySegment ring, MemorySegment params) {
        this.ring = ring;
        headAt = RingParams.get(params, RingParams.CQ_OFF_HEAD);
        tailAt = RingParams.get(params, RingParams.CQ_OFF_TAIL);
        flagsAt = RingParams.get(params, RingParams.CQ_OFF_FLAGS);
        overflowAt = RingParams.get(params, RingParams.CQ_OFF_OVERFLOW);
        cqesAt = RingParams.get(params, RingParams.CQ_OFF_CQES);
        entries = RingParams.get(params, RingParams.CQ_ENTRIES);
        mask = entries - 1;
    }

    int entries() {
        return entries;
    }

    /// How many completions can be read now.
    int ready() {
        // Acquire pairs with the kernel's release of the tail: the entries before it are whole.
        return (int) INT.getAcquire(ring, tailAt) - head;
    }

    /// Hands at most `limit` completions to `handler` and returns how many.
    int drain(CompletionHandler handler, int limit) {
        assert !draining : "a completion handler must not poll its ring";
        int count = Math.min(ready(), limit);
        if (count == 0) {
            return 0;
        }
        draining = true;
        try {
            for (int i = 0; i < count; i++) {
                long at = cqesAt + (long) (head & mask) * Cqe.SIZE;
                long userData = Cqe.userData(ring, at);
                int res = Cqe.res(ring, at);
                int flags = Cqe.flags(ring, at);
                head++;
                if ((flags & Cqe.F_MORE) == 0) {
                    ended++;
                }
                handler.complete(userData, res, flags);
            }
        } finally {
            // Release pairs with the kernel's acquire of the head: it reuses entries only after we have read them.
            INT.setRelease(ring, headAt, head);
            draining = false;
        }
        return count;
    }

    /// How many requests have ended since the ring was opened.
    long ended() {
        return ended;
    }

    /// Lets the kernel signal the ring's eventfd on completions, or stops it.
    void eventsEnabled(boolean enabled) {
        INT.setRelease(ring, flagsAt, enabled ? 0 : RingParams.CQ_EVENTFD_DISABLED);
    }

    /// Completions that the kernel lost for want of memory; above 0, requests hang.
    int lost() {
        return (int) INT.getOpaque(ring, overflowAt);
    }
}
