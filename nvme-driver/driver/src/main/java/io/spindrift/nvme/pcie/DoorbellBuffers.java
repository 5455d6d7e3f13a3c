package io.spindrift.nvme.pcie;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.AdminCommands;
import io.spindrift.nvme.CommandResult;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.identify.ControllerBits;
import java.lang.foreign.MemorySegment;

/// The two pages by which an emulated controller learns of commands without a write to a register, each of which would
/// be an exit of the virtual machine (Doorbell Buffer Config, base specification 2.0, 5.8).
///
/// The admin queue keeps its registers: whether it takes part is not clear from the specification, and drivers differ.
/// On the control path.
final class DoorbellBuffers {
    /// The bit of OACS that offers them.
    static final int OACS = ControllerBits.OACS_DOORBELL_BUFFER_CONFIG;
    private static final int PAGE_BYTES = 4096;

    private final Memory memory;
    /// Null until it is needed: a page of tails and heads, and one of what the controller says of them.
    private MemoryRegion region;
    private boolean enabled;

    DoorbellBuffers(Memory memory) {
        this.memory = memory;
    }

    /// Tells the controller of the pages. One that refuses keeps its registers.
    void enable(AdminCommands admin, int consumerIndex, NvmeController controller) {
        if (region == null) {
            region = memory.allocate("nvme pcie doorbells", 2 * PAGE_BYTES);
        }
        region.segment().fill((byte) 0);
        long iova = region.value(consumerIndex);
        CommandResult result = admin.execute(request -> {
            request.begin(AdminOpcode.DOORBELL_BUFFER_CONFIG, Nsid.NONE);
            SubmissionQueueEntry.prp1(request.command(), request.commandAt(), iova);
            SubmissionQueueEntry.prp2(request.command(), request.commandAt(), iova + PAGE_BYTES);
        });
        enabled = result.succeeded();
        if (!enabled) {
            controller.driver().context().log().notice(
                    "%s: Doorbell Buffer Config ended with %s; its registers are used",
                    controller.name(), Status.text(result.status(), false));
        }
    }

    void disable() {
        enabled = false;
    }

    /// Doorbell `index` of all, which belongs to queue pair `qid` and has its register at `offset`. The queue is not made yet:
    /// both places begin at 0, whatever one of that number has left there.
    Doorbell of(Registers registers, int qid, int index, long offset, long cap, PcieCounters.Doorbells counters) {
        long at = (long) index * (4L << Cap.dstrd(cap));
        if (!enabled || qid == 0 || at + 4 > PAGE_BYTES) {
            return new Doorbell(registers, offset, counters);
        }
        MemorySegment both = region.segment();
        both.asSlice(at, 4).fill((byte) 0);
        both.asSlice(PAGE_BYTES + at, 4).fill((byte) 0);
        return new Doorbell(registers, offset, counters, both.asSlice(0, PAGE_BYTES),
                both.asSlice(PAGE_BYTES, PAGE_BYTES), at);
    }

    /// The controller is stopped.
    void close() {
        if (region != null) {
            memory.free(region);
            region = null;
        }
    }
}
