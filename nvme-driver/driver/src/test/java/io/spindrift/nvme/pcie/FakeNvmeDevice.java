package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Aqa;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Csts;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.command.QueueCommand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// An NVMe controller on plain memory, without a thread: it does what its registers and queues ask for when it is stepped.
///
/// It reaches memory only by IOVAs that are mapped. A test may hold commands back, answer for it, or take it away.
final class FakeNvmeDevice {
    static final int BAR_BYTES = 0x4000;
    static final int BLOCK = 512;

    /// A command as it was fetched, and where it came from.
    record Fetched(int sqid, MemorySegment sqe) {
        int opcode() {
            return SubmissionQueueEntry.opc(sqe, 0);
        }

        int cid() {
            return SubmissionQueueEntry.cid(sqe, 0);
        }
    }

    final MemorySegment bar = Arena.ofAuto().allocate(BAR_BYTES, 4096);
    final FakeVfio vfio = new FakeVfio(bar);
    final FakeIdentify identify = new FakeIdentify();
    final Map<Integer, FakeQueue> submissionQueues = new TreeMap<>();
    final Map<Integer, FakeQueue> completionQueues = new TreeMap<>();
    final List<Fetched> executed = new ArrayList<>();
    final List<Fetched> held = new ArrayList<>();
    private final Deque<Integer> eventRequests = new ArrayDeque<>();
    private final Map<Integer, MemorySegment> shadows = new HashMap<>();
    private Predicate<Fetched> holding = fetched -> false;
    private boolean gone;
    private boolean stuck;
    int enables;

    /// One with a namespace 1 of 2,048 blocks.
    FakeNvmeDevice() {
        identify.namespaces.put(1L, new byte[2048 * BLOCK]);
        registers64(ControllerProperty.CAP, Cap.of(255, 4, 0, 0, 4) | Cap.CSS_NVM | Cap.CQR);
        registers(ControllerProperty.VS, Version.NVME_1_4);
    }

    // ---- for tests --------------------------------------------------------------------------------------------

    /// Keeps commands like these, instead of executing them.
    void hold(Predicate<Fetched> which) {
        holding = which;
    }

    /// Executes what was held, and holds no more.
    void releaseHeld() {
        holding = fetched -> false;
        List<Fetched> now = List.copyOf(held);
        held.clear();
        now.forEach(this::execute);
    }

    /// It is pulled out: registers read all ones, and nothing is done any more.
    void pull() {
        gone = true;
        bar.fill((byte) 0xff);
    }

    /// Has 64 KiB of memory in BAR2, for submission queues.
    void offerMemory() {
        registers64(ControllerProperty.CAP, registers64(ControllerProperty.CAP) | Cap.CMBS);
        registers(ControllerProperty.CMBLOC, 2);
        registers(ControllerProperty.CMBSZ, 16 << 12 | 1);
    }

    /// Does not obey CC.EN any more.
    void stick() {
        stuck = true;
    }

    /// Reports a fatal error.
    void fatal() {
        registers(ControllerProperty.CSTS, registers(ControllerProperty.CSTS) | Csts.CFS);
    }

    /// Answers an Asynchronous Event Request; false if there is none.
    boolean event(int dw0) {
        Integer cid = eventRequests.poll();
        if (cid != null) {
            post(0, 0, cid, Status.SUCCESS, dw0);
        }
        return cid != null;
    }

    // ---- a step -----------------------------------------------------------------------------------------------

    /// Does what there is to do; returns how many commands it has fetched.
    int step() {
        if (gone) {
            return 0;
        }
        obeyConfiguration();
        int fetched = 0;
        for (FakeQueue queue : List.copyOf(submissionQueues.values())) {
            while (submissionQueues.containsValue(queue) && queue.head != tail(queue)) {
                MemorySegment sqe = MemorySegment.ofArray(new long[8]);
                sqe.copyFrom(vfio.at(queue.iova + 64L * queue.head, 64));
                queue.head = (queue.head + 1) % queue.size;
                fetched++;
                Fetched command = new Fetched(queue.id, sqe);
                if (holding.test(command)) {
                    held.add(command);
                } else {
                    execute(command);
                }
            }
        }
        return fetched;
    }

    private int tail(FakeQueue queue) {
        MemorySegment shadow = queue.id == 0 ? null : shadows.get(0);
        int register = register(queue.id);
        int tail = shadow == null ? register : queue.tail;
        if (shadow != null && register != queue.register) { // it looks there only when it is told so
            queue.register = register;
            tail = shadow.get(ValueLayout.JAVA_INT, 8L * queue.id);
            queue.tail = tail;
            shadows.get(1).set(ValueLayout.JAVA_INT, 8L * queue.id, tail);
        }
        if (tail < 0 || tail >= queue.size) {
            throw new AssertionError("tail " + tail + " of submission queue " + queue.id + " of " + queue.size);
        }
        return tail;
    }

    private int register(int sqid) {
        return registers(ControllerProperty.DOORBELLS + 8 * sqid);
    }

    private void obeyConfiguration() {
        int cc = registers(ControllerProperty.CC);
        int csts = registers(ControllerProperty.CSTS);
        long cmbmsc = registers64(ControllerProperty.CMBMSC);
        vfio.cmbBase = (cmbmsc & 2) == 0 ? -1 : cmbmsc & ~0xfff;
        if (stuck) {
            return;
        }
        if (Cc.enabled(cc) && !Csts.ready(csts)) {
            enables++;
            int aqa = registers(ControllerProperty.AQA);
            submissionQueues.put(0, new FakeQueue(0, registers64(ControllerProperty.ASQ), Aqa.asqs(aqa) + 1, 0));
            completionQueues.put(0, new FakeQueue(0, registers64(ControllerProperty.ACQ), Aqa.acqs(aqa) + 1, 0));
            registers(ControllerProperty.CSTS, Csts.RDY);
        } else if (!Cc.enabled(cc) && Csts.ready(csts)) {
            submissionQueues.clear();
            completionQueues.clear();
            eventRequests.clear();
            shadows.clear();
            held.clear();
            bar.asSlice(ControllerProperty.DOORBELLS, 0x1000).fill((byte) 0);
            registers(ControllerProperty.CSTS, 0);
        } else if (Cc.shn(cc) != Cc.SHN_NONE) {
            registers(ControllerProperty.CSTS, Csts.withShst(csts, Csts.SHST_COMPLETE));
        }
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    void execute(Fetched command) {
        executed.add(command);
        if (command.sqid() == 0) {
            executeAdmin(command);
        } else {
            executeIo(command);
        }
    }

    private void executeAdmin(Fetched command) {
        MemorySegment sqe = command.sqe();
        int qid = QueueCommand.qid(sqe, 0);
        switch (command.opcode()) {
            case AdminOpcode.IDENTIFY -> {
                byte[] page = identify.page(sqe);
                if (page.length == 0) {
                    answer(command, Status.withDnr(GenericStatus.INVALID_FIELD), 0);
                } else {
                    new FakeTransfer(vfio, sqe).toHost(page, 0, page.length);
                    answer(command, Status.SUCCESS, 0);
                }
            }
            case AdminOpcode.GET_LOG_PAGE -> {
                new FakeTransfer(vfio, sqe).toHost(new byte[4096], 0, 4096);
                answer(command, Status.SUCCESS, 0);
            }
            case AdminOpcode.SET_FEATURES -> answer(command, Status.SUCCESS, 3 | 3 << 16); // four queues of each
            case AdminOpcode.CREATE_IO_CQ -> create(command, completionQueues);
            case AdminOpcode.CREATE_IO_SQ -> create(command, submissionQueues);
            case AdminOpcode.DELETE_IO_CQ -> delete(command, completionQueues, qid);
            case AdminOpcode.DELETE_IO_SQ -> delete(command, submissionQueues, qid);
            case AdminOpcode.ASYNC_EVENT_REQUEST -> eventRequests.add(command.cid());
            case AdminOpcode.DOORBELL_BUFFER_CONFIG -> {
                shadows.put(0, vfio.at(SubmissionQueueEntry.prp1(sqe, 0), 4096));
                shadows.put(1, vfio.at(SubmissionQueueEntry.prp2(sqe, 0), 4096));
                answer(command, Status.SUCCESS, 0);
            }
            default -> answer(command, Status.withDnr(GenericStatus.INVALID_OPCODE), 0);
        }
    }

    private void create(Fetched command, Map<Integer, FakeQueue> queues) {
        MemorySegment sqe = command.sqe();
        int qid = QueueCommand.qid(sqe, 0);
        if (queues.containsKey(qid)) {
            answer(command, Status.withDnr(CommandSpecificStatus.INVALID_QUEUE_IDENTIFIER), 0);
            return;
        }
        int vector = queues == completionQueues && QueueCommand.interruptsEnabled(sqe, 0)
                ? QueueCommand.iv(sqe, 0)
                : -1;
        FakeQueue made = new FakeQueue(qid, SubmissionQueueEntry.prp1(sqe, 0), QueueCommand.size(sqe, 0), vector);
        made.register = register(qid);
        queues.put(qid, made);
        answer(command, Status.SUCCESS, 0);
    }

    private void delete(Fetched command, Map<Integer, FakeQueue> queues, int qid) {
        boolean there = queues.remove(qid) != null;
        answer(command, there ? Status.SUCCESS : Status.withDnr(CommandSpecificStatus.INVALID_QUEUE_IDENTIFIER), 0);
    }

    private void executeIo(Fetched command) {
        MemorySegment sqe = command.sqe();
        byte[] blocks = identify.namespaces.get(SubmissionQueueEntry.nsid(sqe, 0));
        if (blocks == null) {
            answer(command, Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT), 0);
            return;
        }
        if (command.opcode() == NvmOpcode.FLUSH) {
            answer(command, Status.SUCCESS, 0);
            return;
        }
        long at = LbaCommand.slba(sqe, 0) * BLOCK;
        int length = LbaCommand.blocks(sqe, 0) * BLOCK;
        if (at + length > blocks.length) {
            answer(command, Status.withDnr(GenericStatus.LBA_OUT_OF_RANGE), 0);
            return;
        }
        FakeTransfer transfer = new FakeTransfer(vfio, sqe);
        if (command.opcode() == NvmOpcode.WRITE) {
            transfer.toDevice(blocks, (int) at, length);
        } else {
            transfer.toHost(blocks, (int) at, length);
        }
        answer(command, Status.SUCCESS, 0);
    }

    private void answer(Fetched command, int status, int dw0) {
        post(command.sqid(), command.sqid(), command.cid(), status, dw0);
    }

    /// Writes an entry to completion queue `cqid`, true or not.
    void post(int cqid, int sqid, int cid, int status, int dw0) {
        FakeQueue submissions = submissionQueues.get(sqid);
        completionQueues.get(cqid).post(vfio, submissions == null ? 0 : submissions.head, sqid, cid, status, dw0);
    }

    // ---- registers --------------------------------------------------------------------------------------------

    int registers(int offset) {
        return bar.get(ValueLayout.JAVA_INT, offset);
    }

    void registers(int offset, int value) {
        bar.set(ValueLayout.JAVA_INT, offset, value);
    }

    long registers64(int offset) {
        return bar.get(ValueLayout.JAVA_LONG, offset);
    }

    void registers64(int offset, long value) {
        bar.set(ValueLayout.JAVA_LONG, offset, value);
    }
}
