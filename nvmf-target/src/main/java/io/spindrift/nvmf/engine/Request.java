package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.IoWaiter;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvmf.GroupNamespace;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.ParkedCommand;
import java.lang.foreign.MemorySegment;

/// A command on its way through a queue pair, with its data buffers; made once and used again and again.
///
/// Everything on the thread of its poll group. A transport extends it: it copies the submission queue entry, obtains
/// buffers, moves data in and calls [QueuePair#execute]; at the end [#respond()] moves data out, sends the completion queue
/// entry and frees what the command had. Nothing here allocates.
public abstract class Request extends ParkedCommand implements BdevCompletion {
    /// The submission queue entry's place: a copy that the peer cannot change any more.
    protected final MemorySegment sqe;
    protected final long sqeAt;
    /// The data buffers, as long as the transfer; empty without data.
    protected final IoVector data;
    private final IoWaiter waiter = new IoWaiter() {
        @Override
        protected void ioAvailable() {
            waited();
        }
    };
    private QueuePair queue;
    private GroupNamespace namespace;
    private GroupSubsystem managed;
    private int dw0;
    private int dw1;
    private int status;
    /// Counts the commands that it has been: odd while one is on its way.
    private int lives;
    /// Bytes of `data` that go to the host.
    private long returned;
    /// Bytes of a read that has no buffers, since its device is to lend its memory; 0 for all others.
    private long borrows;
    private int mostRanges;
    /// The I/O by which a device has lent its memory, and the namespace that counts the command until it is given back.
    private BdevIo lent;
    private GroupNamespace lender;
    /// The I/Os of a command that has several.
    final RangeCommand ranges = new RangeCommand();
    /// An Abort that waits for the host's data; null if there is none.
    PendingAbort pendingAbort;
    // What FusedCommands knows of it:
    /// The other command of a fused operation; null for a command by itself.
    Request partner;
    /// Whether it is ready and waits for its partner.
    boolean held;
    /// How it ends when it is ready; 0 if nothing speaks against it. Good after [QueuePair#arrived].
    int fusedStatus;

    /// A request whose submission queue entry is at `sqeAt` of `sqe`.
    protected Request(MemorySegment sqe, long sqeAt, int dataRanges) {
        this.sqe = sqe;
        this.sqeAt = sqeAt;
        this.data = new IoVector(dataRanges);
    }

    // ---- for transports ---------------------------------------------------------------------------------------

    /// Begins a command of `owner`.
    protected final void begin(QueuePair owner) {
        assert !open();
        lives++;
        queue = owner;
        namespace = null;
        managed = null;
        dw0 = 0;
        dw1 = 0;
        status = Status.SUCCESS;
        returned = 0;
        borrows = 0;
    }

    /// The command, of which [QueuePair#mayBorrow] is true, has no buffers for its `bytes`: the device lends its memory, in
    /// `ranges` ranges at most, from which the transport sends; or [#obtainBuffers()] is called. Before [QueuePair#execute].
    protected final void borrow(long bytes, int ranges) {
        borrows = bytes;
        mostRanges = ranges;
    }

    /// Nobody lends memory for a command for which [#borrow] asked: obtains buffers, and calls [QueuePair#execute] again.
    protected void obtainBuffers() {
        throw new IllegalStateException("a command that has not asked for it has borrowed nothing");
    }

    /// What [#returned()] counts bytes of: the buffers, or what a device has lent, which others may write meanwhile. It is given
    /// back when the transport frees the request.
    protected final IoVector toHost() {
        return lent == null ? data : lent.vector();
    }

    /// The command has ended: gives the host [#returned()] bytes of `data`, if it succeeded, and the completion queue
    /// entry of [#writeCompletion]; then the request is free.
    protected abstract void respond();

    /// Whether a change of its namespace waits until its host has taken the data that a device has lent.
    protected final boolean lentAndAwaited() {
        return lent != null && lender.awaited();
    }

    /// Waits no more for buffers: the command may end now. False if it does not wait, or for the host's data.
    protected boolean stopWaiting() {
        return false;
    }

    /// Has the command, if data of the host are still to come for it, end with `status` when they have come, or be executed
    /// after all ([Status#SUCCESS]). False if it does not wait for such.
    protected boolean endWhenMoved(int status) {
        return false;
    }

    /// Whose command it is.
    public final QueuePair queue() {
        return queue;
    }

    /// Ends the command, whoever found out first: the engine, or a transport that cannot move its data.
    public final void complete(int endStatus) {
        assert open();
        lives++;
        status = endStatus == Status.SUCCESS ? endStatus : queue.failed(this, endStatus);
        GroupNamespace used = namespace;
        GroupSubsystem subsystem = managed;
        Request other = partner == null ? null : queue.fused().part(this);
        PendingAbort abort = pendingAbort;
        namespace = null;
        managed = null;
        queue.completed(this, status);
        try {
            respond();
        } finally {
            // Last, since a change that waited for this goes on now.
            if (used != null) {
                used.end();
            }
            if (subsystem != null) {
                subsystem.endManagement();
            }
        }
        if (other != null) {
            FusedCommands.refuse(other, GenericStatus.ABORTED_FAILED_FUSED);
        }
        if (abort != null) {
            abort.ended(endStatus);
        }
    }

    /// The transport frees the request, of which nothing is being sent any more: its command, if it was not answered because
    /// the connection is over, ends; memory that was lent goes back.
    protected final void forget() {
        if (lent != null) {
            BdevIo io = lent;
            lent = null;
            lender.giveBack(io);
        }
        if (open()) {
            lives++;
            if (pendingAbort != null) {
                pendingAbort.ended(GenericStatus.ABORTED_SQ_DELETION);
            }
            Request other = partner == null ? null : queue.fused().part(this);
            if (other != null) {
                FusedCommands.refuse(other, GenericStatus.ABORTED_FAILED_FUSED);
            }
        }
    }

    /// Whether a command is on its way.
    final boolean open() {
        return (lives & 1) != 0;
    }

    /// Which of the commands that it is used for one after the other.
    final int lives() {
        return lives;
    }

    /// How it ended: the status field.
    public final int status() {
        return status;
    }

    /// Bytes of `data` that go to the host after success.
    public final long returned() {
        return returned;
    }

    /// Writes the completion queue entry, 16 bytes.
    protected final void writeCompletion(MemorySegment cqe, long at) {
        CompletionQueueEntry.write(cqe, at, dw0, dw1, queue.sqhd(), 0, cid(), status);
    }

    /// Whether the entry says no more than that the command succeeded.
    protected final boolean plainSuccess() {
        return status == Status.SUCCESS && dw0 == 0 && dw1 == 0;
    }

    // ---- for commands -----------------------------------------------------------------------------------------

    final void complete(int endStatus, int result) {
        dw0 = result;
        complete(endStatus);
    }

    final void complete(int endStatus, long result) {
        dw0 = (int) result;
        dw1 = (int) (result >>> 32);
        complete(endStatus);
    }

    /// Ends well with `bytes` of `data` for the host.
    final void completeWith(long bytes) {
        returned = bytes;
        complete(Status.SUCCESS);
    }

    final void returns(long bytes) {
        returned = bytes;
    }

    /// Counts it in for a namespace, until its end.
    final void use(GroupNamespace used) {
        namespace = used;
        used.begin();
    }

    final GroupNamespace namespace() {
        return namespace;
    }

    /// Counts it in as a management command, until its end.
    final void manage(GroupSubsystem subsystem) {
        managed = subsystem;
        subsystem.beginManagement();
    }

    /// Counts it out although it has not ended: it goes on where changes of the subsystem are made, which may wait for those
    /// that are counted.
    final void countOut() {
        GroupNamespace used = namespace;
        GroupSubsystem subsystem = managed;
        namespace = null;
        managed = null;
        if (used != null) {
            used.end();
        }
        if (subsystem != null) {
            subsystem.endManagement();
        }
    }

    /// A bdev has no pooled I/O left: tries again when there is one.
    final void waitForIo() {
        queue.group().counters().pendingBdevIo++;
        namespace.channel().waitForIo(waiter);
    }

    private void waited() {
        queue.group().counters().pendingBdevIo--;
        if (partner != null) {
            FusedCommands.submit(this);
        } else if (RangeCommand.is(opcode())) {
            ranges.goOn();
        } else {
            NvmCommands.submit(this);
        }
    }

    /// The bdev's answer to a command of one I/O.
    @Override
    public void completed(BdevIo io) {
        if (partner != null) {
            queue.fused().completed(this, io);
            return;
        }
        long outcome = io.status();
        if (borrows > 0 && outcome == BdevStatus.SUCCESS) {
            borrowed(io);
            return;
        }
        complete(outcome == BdevStatus.SUCCESS ? Status.SUCCESS : BdevStatus.toNvme(outcome),
                BdevStatus.cdw0(outcome));
    }

    /// A device has lent its memory. The command, but not the namespace's use, ends with the response.
    private void borrowed(BdevIo io) {
        GroupNamespace from = namespace;
        namespace = null;
        if (io.vector().count() > mostRanges) {
            from.giveBack(io);
            useBuffers();
            return;
        }
        lent = io;
        lender = from;
        complete(Status.SUCCESS);
    }

    /// Bytes of the command's data, there or to be borrowed.
    final long transferLength() {
        return borrows > 0 ? borrows : data.byteLength();
    }

    final boolean borrows() {
        return borrows > 0;
    }

    /// Has the transport obtain buffers after all. The command uses no namespace meanwhile: a change that waits for those that
    /// do would keep the buffers of the commands that wait for the change.
    final void useBuffers() {
        borrows = 0;
        obtainBuffers();
    }

    /// Who wants to know whether a command was aborted.
    interface AbortAnswer {
        /// Once, on the thread of the command.
        void told(boolean aborted);
    }

    /// Gives the command up, as far as that can be done. Off the data path: it allocates.
    final void abort(AbortAnswer answer) {
        if (held || queue.subsystem().unpark(this) || stopWaiting()) {
            complete(GenericStatus.ABORT_REQUESTED);
            answer.told(true);
        } else if (namespace == null) {
            PendingAbort.begin(this, answer);
        } else if (partner == null && namespace.channel().cancelWait(waiter)) {
            queue.group().counters().pendingBdevIo--;
            complete(GenericStatus.ABORT_REQUESTED);
            answer.told(true);
        } else {
            abortIo(answer);
        }
    }

    /// What the bdev has of it ends by itself, aborted or not. The namespace's channel is kept until the bdev has answered.
    private void abortIo(AbortAnswer answer) {
        boolean severalIos = RangeCommand.is(opcode());
        boolean cut = severalIos && ranges.cut();
        Request carrier = partner != null && fuse() == SubmissionQueueEntry.FUSE_SECOND ? partner : this;
        GroupNamespace used = namespace;
        used.begin();
        boolean taken = used.channel().abort(severalIos ? ranges : carrier, io -> {
            answer.told(cut || io.status() == BdevStatus.SUCCESS);
            used.end();
        });
        if (!taken) {
            answer.told(cut);
            used.end();
        }
    }

    @Override
    protected void resumed() {
        queue.execute(this);
    }

    // ---- the submission queue entry ---------------------------------------------------------------------------

    public final int opcode() {
        return SubmissionQueueEntry.opc(sqe, sqeAt);
    }

    final int fuse() {
        return SubmissionQueueEntry.fuse(sqe, sqeAt);
    }

    public final int cid() {
        return SubmissionQueueEntry.cid(sqe, sqeAt);
    }

    final long nsid() {
        return SubmissionQueueEntry.nsid(sqe, sqeAt);
    }

    final MemorySegment sqe() {
        return sqe;
    }

    final long sqeAt() {
        return sqeAt;
    }

    final IoVector data() {
        return data;
    }
}
