package io.spindrift.bdev.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A place where a test's controller is: what it says, whether it can be reached, what becomes of commands. All its
/// controllers have the same namespaces, which those of other places may have, too.
final class FakePort {
    static final int BLOCK_SHIFT = 12;
    /// The most blocks of a Copy command.
    static final int LONGEST_COPY = 16;
    private static final int QUEUES = 8;

    final String traddr;
    final int cntlid;
    volatile boolean reachable = true;
    volatile int queues = QUEUES;
    /// I/O queues that are refused before others are not.
    final AtomicInteger queuesToRefuse = new AtomicInteger();
    volatile int anaState = AnaGroupDescriptor.STATE_OPTIMIZED;
    /// Blocks of namespace 1; 0 if there is none.
    volatile long blocks = 1000;
    /// What EUI64 of namespace 1 is.
    volatile long eui64 = 0x1122334455667788L;
    /// Statuses of the next I/O commands; then they succeed.
    final Deque<Integer> statuses = new ConcurrentLinkedDeque<>();
    /// The longest transfer: 4 KiB times 2 to this power.
    volatile int mdts = 5;
    /// Whether I/O commands are not answered.
    volatile boolean silent;
    /// Whether the I/O commands of a turn are answered from the last to the first.
    volatile boolean backwards;
    volatile long ioCommands;
    volatile int connections;
    final List<FakeQueuePair> live = new CopyOnWriteArrayList<>();
    private int cc;

    FakePort(String traddr, int cntlid) {
        this.traddr = traddr;
        this.cntlid = cntlid;
    }

    void requireReachable() {
        if (!reachable) {
            throw new NvmeException(Errno.ECONNREFUSED, traddr + " cannot be reached");
        }
    }

    void requireQueue() {
        requireReachable();
        if (queuesToRefuse.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new NvmeException(Errno.EIO, traddr + " refuses an I/O queue");
        }
    }

    /// Breaks all connections.
    void cut() {
        live.forEach(each -> each.owner().thread().send(() -> each.fail("the test cuts it")));
    }

    // ---- registers --------------------------------------------------------------------------------------------

    long property(int offset) {
        requireReachable();
        return switch (offset) {
            case ControllerProperty.CAP -> Cap.of(1024, 1, 0, 0, 0) | Cap.CSS_NVM;
            case ControllerProperty.VS -> Version.of(1, 4, 0);
            case ControllerProperty.CC -> cc;
            case ControllerProperty.CSTS -> Cc.enabled(cc) ? 1 : 0;
            default -> 0;
        };
    }

    void propertyTo(int offset, long value) {
        requireReachable();
        if (offset == ControllerProperty.CC) {
            cc = (int) value;
            if ((cc & 3 << 14) != 0) {
                cc = 0; // shutdown
            }
        }
    }

    // ---- admin commands ---------------------------------------------------------------------------------------

    /// Fills `data`, which a command of the admin queue has asked for; returns its dword 0.
    int answer(MemorySegment sqe, long at, MemorySegment data) {
        switch (SubmissionQueueEntry.opc(sqe, at)) {
            case AdminOpcode.IDENTIFY -> identify(SubmissionQueueEntry.cdw10(sqe, at) & 0xff,
                    SubmissionQueueEntry.nsid(sqe, at), data);
            case AdminOpcode.GET_LOG_PAGE -> log(GetLogPageCommand.lid(sqe, at), data);
            case AdminOpcode.SET_FEATURES -> {
                return queues - 1 | queues - 1 << 16;
            }
            default -> {
                // succeeds and says nothing
            }
        }
        return 0;
    }

    private void identify(int cns, long nsid, MemorySegment page) {
        switch (cns) {
            case Cns.CONTROLLER -> {
                IdentifyController.CNTLID.set(page, 0, cntlid);
                IdentifyController.MDTS.set(page, 0, mdts);
                IdentifyController.CMIC.set(page, 0,
                        ControllerBits.CMIC_ANA | ControllerBits.CMIC_MULTIPLE_CONTROLLERS);
                IdentifyController.NANAGRPID.set(page, 0, 1);
                IdentifyController.NN.set(page, 0, 1);
                IdentifyController.ANATT.set(page, 0, 10);
                IdentifyController.CRDT1.set(page, 0, 2);
                IdentifyController.ONCS.set(page, 0,
                        ControllerBits.ONCS_DATASET_MANAGEMENT | ControllerBits.ONCS_WRITE_ZEROES
                                | ControllerBits.ONCS_COMPARE | ControllerBits.ONCS_COPY);
                IdentifyController.FUSES.set(page, 0, ControllerBits.FUSES_COMPARE_AND_WRITE);
            }
            case Cns.ACTIVE_NAMESPACES -> LittleEndian.u32(page, 0, nsid == 0 && blocks > 0 ? 1 : 0);
            case Cns.NAMESPACE -> {
                IdentifyNamespace.NSZE.set(page, 0, blocks);
                IdentifyNamespace.MSSRL.set(page, 0, LONGEST_COPY);
                LbaFormat.LBADS.set(page, IdentifyNamespace.LBAF.at(0, 0), BLOCK_SHIFT);
                IdentifyNamespace.NMIC.set(page, 0, IdentifyNamespace.NMIC_SHARED);
                LittleEndian.u64(page, IdentifyNamespace.EUI64.offset(), eui64);
            }
            default -> {
                // zeroes
            }
        }
    }

    private void log(int lid, MemorySegment page) {
        if (lid == Lid.ANA && page.byteSize() >= AnaLog.SIZE + AnaGroupDescriptor.SIZE + 4) {
            AnaLog.GROUPS.set(page, 0, 1);
            AnaGroupDescriptor.NSIDS.set(page, AnaLog.SIZE, 1);
            AnaGroupDescriptor.STATE.set(page, AnaLog.SIZE, anaState);
            LittleEndian.u32(page, AnaGroupDescriptor.nsidAt(AnaLog.SIZE, 0), 1);
        }
    }

    /// Has the controllers tell that their ANA states have changed, or their namespaces.
    void tell(int notice) {
        int dw0 = AsyncEvent.TYPE_NOTICE | notice << 8;
        live.forEach(each -> each.owner().thread().send(() -> each.event(dw0)));
    }
}
