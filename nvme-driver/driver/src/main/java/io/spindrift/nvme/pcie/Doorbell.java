package io.spindrift.nvme.pcie;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// How a controller learns of a queue's new tail or head: a register, or a place in memory that it looks at (Doorbell Buffer
/// Config, base specification 2.0, 5.8), when it says in another up to where it does.
///
/// On the queue's thread.
final class Doorbell {
    private static final VarHandle INT = ValueLayout.JAVA_INT.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN).varHandle()
            .withInvokeExactBehavior();

    private final Registers registers;
    private final long offset;
    /// Null without a doorbell buffer.
    private final MemorySegment shadow;
    private final MemorySegment eventIndex;
    private final long shadowAt;
    private final PcieCounters.Doorbells counters;
    private int last;

    /// The register at `offset` alone.
    Doorbell(Registers registers, long offset, PcieCounters.Doorbells counters) {
        this(registers, offset, counters, null, null, 0);
    }

    /// With its places in the buffers, each of 4 bytes at `shadowAt`.
    Doorbell(Registers registers, long offset, PcieCounters.Doorbells counters, MemorySegment shadow,
            MemorySegment eventIndex, long shadowAt) {
        this.registers = registers;
        this.offset = offset;
        this.counters = counters;
        this.shadow = shadow;
        this.eventIndex = eventIndex;
        this.shadowAt = shadowAt;
    }

    /// Tells the controller, which sees all that was written before.
    void ring(int value) {
        if (shadow == null) {
            counters.registerWrites.add(1);
            registers.write32(offset, value);
        } else {
            ringShadow(value);
        }
    }

    private void ringShadow(int value) {
        counters.shadowWrites.add(1);
        INT.setRelease(shadow, shadowAt, value); // pairs with the controller's read of the entries after it
        // The controller says where it will look no more, then looks once again; both fences are full: one sees the other.
        VarHandle.fullFence();
        int event = (int) INT.getOpaque(eventIndex, shadowAt);
        if (isPassed(event, value, last)) {
            counters.registerWrites.add(1);
            registers.write32(offset, value);
        }
        last = value;
    }

    /// Whether the way from `before` to `now` passes `event`, in numbers of 16 bits that wrap.
    static boolean isPassed(int event, int now, int before) {
        return (now - event - 1 & 0xffff) < (now - before & 0xffff);
    }
}
