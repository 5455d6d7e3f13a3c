package io.spindrift.nvme.pcie;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.nvme.CommandResult;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.QueueCommand;
import io.spindrift.nvme.spi.TransportQueuePair;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A pair of rings that a device reads and writes.
///
/// ```
///   CLOSED --connect--> POLLED <--> ARMED (an interrupt wakes) --device breaks a rule, disconnect--> CLOSED
/// ```
/// On the queue pair's thread, but for what says otherwise. Commands are put into the ring as they come, and told to the
/// device once a poll. What the device writes is checked: an entry for a command that it does not have ends its use.
final class PcieQueuePair extends TransportQueuePair implements PollFunction {
    /// What [DataPointer] can tell, however the data begin, and [DataMapping] can copy.
    static final long MAX_TRANSFER_BYTES = (long) DataPointer.MAX_PAGES * DataPointer.PAGE_BYTES;

    private static final int BATCH = 64;

    private final PcieController controller;
    private final QueuePair owner;
    private final int entries;
    private final QueueMemory memory;
    private final PcieSlot[] slots;
    private final DataMapping mapping;
    /// Commands that wait for memory for a copy, and those that came after them.
    private final RequestList waiting;
    /// Commands that end at the next poll: they have more data than can be copied.
    private final RequestList refused;
    private final QueueInterrupt interrupt;
    private final DeviceWatch watch;
    private final PcieCounters counters = new PcieCounters();
    /// Made anew by each [#prepare].
    private SubmissionRing submissions;
    /// Of the controller, if it has some.
    private Optional<ControllerMemory.Part> submissionMemory = Optional.empty();
    private CompletionRing completions;
    private Poller poller;
    private boolean open;
    /// On the control path: what the controller knows of.
    private boolean completionQueueCreated;
    private boolean submissionQueueCreated;

    /// On the control path.
    PcieQueuePair(PcieController controller, QueuePair owner, int requests) {
        this.controller = controller;
        this.owner = owner;
        this.entries = owner.depth() + 1;
        Memory pages = controller.memory();
        slots = new PcieSlot[requests];
        for (int i = 0; i < requests; i++) {
            slots[i] = new PcieSlot();
        }
        memory = new QueueMemory(pages, entries, requests);
        mapping = mapping(pages);
        waiting = new RequestList(slots);
        refused = new RequestList(slots);
        interrupt = new QueueInterrupt(owner.thread(), this::poll);
        watch = new DeviceWatch(controller, owner.thread(), this);
    }

    private DataMapping mapping(Memory pages) {
        boolean complete = false;
        try {
            DataMapping made = new DataMapping(pages, memory, slots, MAX_TRANSFER_BYTES);
            complete = true;
            return made;
        } finally {
            if (!complete) {
                memory.free();
            }
        }
    }

    // ---- on the control path ----------------------------------------------------------------------------------

    /// Begins both rings anew.
    void prepare() {
        int qid = owner.qid();
        memory.completions().fill((byte) 0);
        submissionMemory = qid == 0
                ? Optional.empty()
                : controller.controllerMemory().take((long) entries * SubmissionQueueEntry.SIZE);
        submissions = new SubmissionRing(submissionMemory.map(ControllerMemory.Part::memory)
                .orElse(memory.submissions()), entries, controller.submissionDoorbell(qid, counters));
        completions = new CompletionRing(memory.completions(), entries, controller.completionDoorbell(qid, counters));
        mapping.reach(controller.dataPointer(qid), controller.consumerIndex());
    }

    long submissionIova() {
        return submissionMemory.map(ControllerMemory.Part::iova)
                .orElseGet(() -> memory.iova(memory.submissions(), controller.consumerIndex()));
    }

    long completionIova() {
        return memory.iova(memory.completions(), controller.consumerIndex());
    }

    @Override
    public void connect(long limitMillis) {
        if (owner.qid() != 0) {
            prepare();
            createQueues();
        }
        owner.thread().run(this::onConnected);
    }

    private void createQueues() {
        int qid = owner.qid();
        create(AdminOpcode.CREATE_IO_CQ, completionIova(),
                (sqe, at) -> QueueCommand.createCompletionQueue(sqe, at, qid, entries, controller.vector(qid)));
        completionQueueCreated = true;
        create(AdminOpcode.CREATE_IO_SQ, submissionIova(),
                (sqe, at) -> QueueCommand.createSubmissionQueue(sqe, at, qid, entries, qid));
        submissionQueueCreated = true;
    }

    /// The dwords of a command that creates or deletes a queue.
    private interface Dwords {
        void set(MemorySegment sqe, long at);
    }

    private void create(int opcode, long iova, Dwords dwords) {
        execute(opcode, (sqe, at) -> {
            SubmissionQueueEntry.prp1(sqe, at, iova);
            dwords.set(sqe, at);
        });
    }

    private void execute(int opcode, Dwords dwords) {
        CommandResult result = controller.controller().admin().execute(request -> {
            request.begin(opcode, Nsid.NONE);
            dwords.set(request.command(), request.commandAt());
        });
        result.orThrow(controller + ": " + AdminOpcode.name(opcode) + " " + owner.qid());
    }

    @Override
    public void disconnect() {
        if (controller.running()) {
            deleteQueues();
        }
        completionQueueCreated = false;
        submissionQueueCreated = false;
        owner.thread().callIfAlive(this::onDisconnected);
        submissionMemory.ifPresent(controller.controllerMemory()::free);
        submissionMemory = Optional.empty();
    }

    /// A controller that does not delete them is stopped: it must not touch their memory any more. Then it is of no use to
    /// others either, who learn of that.
    private void deleteQueues() {
        try {
            Dwords dwords = (sqe, at) -> QueueCommand.delete(sqe, at, owner.qid());
            if (submissionQueueCreated) {
                execute(AdminOpcode.DELETE_IO_SQ, dwords);
            }
            if (completionQueueCreated) {
                execute(AdminOpcode.DELETE_IO_CQ, dwords);
            }
        } catch (NvmeException e) {
            controller.stop();
            controller.adminQueue().failFromControl("it was stopped, since queue " + owner.qid()
                    + " could not be deleted: " + e.getMessage());
        }
    }

    private void failFromControl(String reason) {
        owner.thread().callIfAlive(() -> fail(reason));
    }

    PcieCounters counters() {
        return counters;
    }

    String threadName() {
        return owner.thread().name();
    }

    /// The device is stopped, and was not started again since it had its run `run`: nobody waits any longer for what it has
    /// not answered.
    void abandon(int run) {
        owner.thread().callIfAlive(() -> {
            if (controller.run() == run) {
                abortAll();
            }
        });
    }

    /// Touches the device no more, until it is connected anew.
    void quiesce() {
        owner.thread().callIfAlive(() -> {
            if (open) {
                closePollers();
            }
        });
    }

    @Override
    public void close() {
        controller.forget(this);
        mapping.close();
        memory.free();
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    @Override
    public MemorySegment commands() {
        return memory.commands();
    }

    @Override
    public long commandAt(int index) {
        return (long) index * SubmissionQueueEntry.SIZE;
    }

    @Override
    public boolean separateMetadata() {
        return true;
    }

    @Override
    public void submit(NvmeRequest request) {
        counters.submitted.add(1);
        if (!waiting.isEmpty() || !put(request)) {
            counters.queued.add(1);
            waiting.add(request);
        }
    }

    /// False if it must wait.
    private boolean put(NvmeRequest request) {
        return switch (mapping.map(request)) {
            case DataMapping.MAPPED -> give(request);
            case DataMapping.LATER -> false;
            default -> {
                refused.add(request);
                yield true;
            }
        };
    }

    /// False if the ring is in memory of a device that is gone, which [DeviceWatch] notices.
    private boolean give(NvmeRequest request) {
        try {
            submissions.put(request.command(), request.commandAt());
        } catch (InternalError fault) { // what the JVM makes of a fault in mapped memory
            mapping.unmap(request, false);
            return false;
        }
        slots[request.index()].given = true;
        return true;
    }

    private void take(NvmeRequest request, boolean succeeded) {
        slots[request.index()].given = false;
        mapping.unmap(request, succeeded);
    }

    private void putWaiting() {
        while (!waiting.isEmpty()) {
            NvmeRequest request = waiting.first();
            waiting.removeFirst();
            if (!put(request)) {
                waiting.addFirst(request);
                return;
            }
        }
    }

    // ---- polling ----------------------------------------------------------------------------------------------

    @Override
    public int poll() {
        try {
            return pollRings();
        } catch (InternalError e) { // what the JVM makes of a fault in mapped memory
            watch.lost(PcieController.UNREACHABLE);
            return 1;
        }
    }

    private int pollRings() {
        int work = ring();
        int done = complete();
        if (done > 0) {
            interrupt.disarm();
            completions.ring();
            putWaiting();
            work += done + ring(); // what came in answer to completions need not wait for a turn
        }
        if (!refused.isEmpty()) {
            work += endRefused();
        }
        counters.polls.add(1);
        counters.completions.add(done);
        if (done == 0) {
            counters.idlePolls.add(1);
        }
        return work;
    }

    private int ring() {
        if (!open || !submissions.untold()) {
            return 0;
        }
        submissions.ring();
        return 1;
    }

    private int complete() {
        int done = 0;
        while (done < BATCH && open && completions.hasNext()) {
            NvmeRequest request = owner.outstanding(completions.cid());
            if (request == null || !slots[request.index()].given || completions.sqid() != owner.qid()) {
                fail("the controller has completed command " + completions.cid() + " of submission queue "
                        + completions.sqid() + ", which it does not have");
                break;
            }
            int status = completions.status();
            long result = completions.result();
            completions.advance();
            done++;
            take(request, status == Status.SUCCESS);
            owner.complete(request, status, result, request.dataBytes());
        }
        return done;
    }

    private int endRefused() {
        int ended = 0;
        while (!refused.isEmpty() && ended < BATCH) {
            NvmeRequest request = refused.first();
            refused.removeFirst();
            owner.complete(request, Status.withDnr(GenericStatus.INVALID_FIELD), 0, 0);
            ended++;
        }
        return ended;
    }

    /// Nothing outstanding needs nothing; what is wakes the reactor, if the queue has an interrupt.
    @Override
    public boolean readyToSleep() {
        if (!open) {
            return true;
        }
        if (submissions.untold() || !refused.isEmpty()) {
            return false;
        }
        return owner.outstanding() == 0 || interrupt.arm() && !completions.hasNext();
    }

    // ---- beginning and end ------------------------------------------------------------------------------------

    private void onConnected() {
        open = true;
        int vector = controller.vector(owner.qid());
        interrupt.begin(controller.device(), vector, owner.qid() == 0);
        poller = owner.thread().addPoller("nvme_pcie", this);
        if (owner.qid() == 0) {
            watch.begin();
        }
    }

    @Override
    public boolean connected() {
        return open;
    }

    /// Without its admin queue the device is stopped too: what it was asked there is often waited for by those who would
    /// disconnect it.
    @Override
    public void fail(String reason) {
        if (open) {
            closePollers();
        }
        owner.failed(reason);
        if (owner.qid() == 0) {
            controller.letGo();
        }
    }

    private void closePollers() {
        open = false;
        poller.unregister();
        interrupt.end();
        watch.end();
    }

    /// The device has let go of all commands: those that it has not answered are aborted.
    private void onDisconnected() {
        if (open) {
            while (complete() > 0) {
                // what it has answered has ended as it says
            }
        }
        if (open) {
            closePollers();
        }
        abortAll();
    }

    private void abortAll() {
        waiting.clear();
        refused.clear();
        for (int i = 0; i < owner.requestCount(); i++) {
            NvmeRequest request = owner.request(i);
            if (owner.outstanding(request)) {
                take(request, false);
                owner.abort(request);
            }
        }
    }
}
