package io.spindrift.nvme.pcie;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.nvme.spec.ControllerProperty;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A controller's registers: BAR0, which a test makes of plain memory.
///
/// All accesses are of 32 bits, which every controller takes (NVMe over PCIe transport specification 1.0, "PCI Express
/// Register Access"); one of 64 bits is two, the low half first unless a method says otherwise. Each is ordered: what was
/// written to memory before a write here is seen by the device that acts on it, and what is read from memory after a read here
/// is not older. A device that is gone reads as all ones. Any thread.
final class Registers {
    /// What every controller has: the properties, and the doorbells of the admin queue.
    static final long MIN_BYTES = ControllerProperty.DOORBELLS + 8;

    private static final VarHandle INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle()
            .withInvokeExactBehavior();

    private final MemorySegment bar;

    /// Registers in `bar`, at least [#MIN_BYTES].
    Registers(MemorySegment bar) {
        if (bar.byteSize() < MIN_BYTES) {
            throw new IllegalArgumentException("bar has " + bar.byteSize() + " bytes, at least " + MIN_BYTES
                    + " are needed");
        }
        this.bar = bar;
    }

    int read32(long offset) {
        return (int) INT.getAcquire(bar, offset); // pairs with the device's writes to memory before it set the register
    }

    void write32(long offset, int value) {
        INT.setRelease(bar, offset, value); // pairs with the device's reads of memory after it got the write
    }

    long read64(long offset) {
        long low = Integer.toUnsignedLong(read32(offset));
        return low | (long) read32(offset + 4) << 32;
    }

    void write64(long offset, long value) {
        write32(offset, (int) value);
        write32(offset + 4, (int) (value >>> 32));
    }

    /// As [#write64], but the high half first: for a register that the low half puts into effect.
    void write64HighFirst(long offset, long value) {
        write32(offset + 4, (int) (value >>> 32));
        write32(offset, (int) value);
    }

    // ---- doorbells --------------------------------------------------------------------------------------------

    /// Where the tail of submission queue `qid` is written, with a stride as in CAP.DSTRD.
    ///
    /// @throws ErrnoException if the device has no such register
    long submissionDoorbell(int qid, int dstrd) {
        return doorbell(2L * qid, dstrd);
    }

    /// Where the head of completion queue `qid` is written.
    ///
    /// @throws ErrnoException if the device has no such register
    long completionDoorbell(int qid, int dstrd) {
        return doorbell(2L * qid + 1, dstrd);
    }

    private long doorbell(long index, int dstrd) {
        long offset = ControllerProperty.DOORBELLS + index * (4L << dstrd);
        if (offset + 4 > bar.byteSize()) {
            throw new ErrnoException(Errno.ENXIO, "doorbell " + index + " with CAP.DSTRD=" + dstrd
                    + " is at byte " + offset + " of BAR0, of which " + bar.byteSize() + " bytes can be mapped");
        }
        return offset;
    }
}
