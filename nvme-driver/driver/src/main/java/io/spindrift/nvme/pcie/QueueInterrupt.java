package io.spindrift.nvme.pcie;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;

/// What wakes a queue pair's reactor: its MSI-X vector, masked while the queue is polled ([MsixMask]).
///
/// On the queue pair's thread. Arming and disarming are one write to the device each; the descriptor is read once a wake.
final class QueueInterrupt {
    /// How often an admin queue is looked at whose device has no vectors: it always has commands, which events answer.
    private static final long WITHOUT_NANOS = 10_000_000;

    private final IoThread thread;
    private final IntSupplier poll;
    private final MemorySegment count = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private VfioDevice device;
    private int event;
    private boolean alwaysOutstanding;
    private boolean armed;
    /// Null without a vector.
    private MsixMask mask;
    private Poller wake;

    /// `poll` is run when it wakes.
    QueueInterrupt(IoThread thread, IntSupplier poll) {
        this.thread = thread;
        this.poll = poll;
    }

    /// Takes `vector` of the device, or none if it is negative. `admin` for a queue that always has commands.
    void begin(VfioDevice of, int vector, boolean admin) {
        device = of;
        armed = false;
        alwaysOutstanding = admin;
        if (vector < 0) {
            mask = null;
            wake = admin ? thread.addTimedPoller("nvme_pcie_admin", poll, WITHOUT_NANOS) : null;
            return;
        }
        event = of.msixEvent(vector);
        mask = new MsixMask(of.bar(), vector);
        mask.mask();
        wake = thread.addFdPoller("nvme_pcie_interrupt", event, this::fired);
    }

    private int fired() {
        disarm();
        device.drain(event, count);
        return 1 + poll.getAsInt();
    }

    /// A completion wakes from now on; the caller looks once more for those that came before. False if none will.
    boolean arm() {
        if (mask == null) {
            return alwaysOutstanding;
        }
        if (!armed) {
            armed = true;
            mask.unmask();
        }
        return true;
    }

    void disarm() {
        if (armed) {
            armed = false;
            mask.mask();
        }
    }

    void end() {
        if (wake != null) {
            wake.unregister();
            wake = null;
        }
    }
}
