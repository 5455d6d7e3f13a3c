package io.spindrift.nvme.pcie;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The mask bit of one MSI-X vector, in the device's table (PCI Express base specification, 7.7.2).
///
/// Completions are polled for, and interrupts only wake: they are masked while a queue is polled, and unmasked by one write
/// when its reactor wants to sleep. A vector that would have fired while it was masked fires then, so that nothing is lost.
/// Neither is a system call. A table out of reach leaves the interrupts on, which costs the kernel one for each completion.
/// Of a device that is gone neither does anything: [DeviceWatch] notices that.
final class MsixMask {
    /// Vector Control, in an entry of 16 bytes.
    private static final int VECTOR_CONTROL = 12;
    private static final int ENTRY_BYTES = 16;
    private static final int MASKED = 1;

    private static final VarHandle INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle()
            .withInvokeExactBehavior();

    private final MemorySegment bar;
    /// -1 if the table is out of reach.
    private final long at;

    MsixMask(VfioDevice.Bar bar, int vector) {
        this.bar = bar.mapped();
        this.at = bar.msixTableAt() < 0 ? -1 : bar.msixTableAt() + (long) vector * ENTRY_BYTES + VECTOR_CONTROL;
    }

    void mask() {
        control(MASKED);
    }

    void unmask() {
        control(0);
    }

    private void control(int value) {
        if (at < 0) {
            return;
        }
        try {
            INT.setOpaque(bar, at, value);
        } catch (InternalError fault) {
            // What the JVM makes of a fault in mapped memory: no interrupt will come.
        }
    }
}
