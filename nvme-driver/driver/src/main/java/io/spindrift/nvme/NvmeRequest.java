package io.spindrift.nvme;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Opcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import java.lang.foreign.MemorySegment;

/// A command on its way through a [QueuePair], and its outcome; made by the queue pair once, used for many commands.
///
/// ```
///   QueuePair.acquire --> begin, data, ... --> submit --> (the controller's) --> completed --> submit again, or release
/// ```
/// Everything on the queue pair's thread. Between `submit` and `completed` nothing of it may be changed, and its data must
/// stay. Allocates nothing.
public final class NvmeRequest {
    static final int FREE = 0;
    static final int OWNED = 1;
    /// Submitted; the queue is full.
    static final int WAITING = 2;
    static final int OUTSTANDING = 3;

    private final QueuePair queuePair;
    private final int index;
    private final MemorySegment command;
    private final long commandAt;

    int state = FREE;
    /// Its own number in the low bits, how often it was used in the others.
    int cid;
    NvmeCompletion completion;
    long submitTick;
    /// The tick of the submission whose timeout was told last.
    long toldTick = Long.MIN_VALUE;
    /// Among the free or the waiting.
    NvmeRequest next;

    private IoVector data;
    private IoVector metadata;
    private int transfer;
    private Object context;
    private int status;
    private long result;
    private long transferred;

    NvmeRequest(QueuePair queuePair, int index, MemorySegment command, long commandAt) {
        this.queuePair = queuePair;
        this.index = index;
        this.command = command;
        this.commandAt = commandAt;
        this.cid = index;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    // ---- building a command -----------------------------------------------------------------------------------

    /// Begins another command without data: clears its 64 bytes. The owner may set dwords 2, 3 and 10 to 15 through
    /// [#command()]; identifier and data pointer are set when it is submitted.
    public NvmeRequest begin(int opcode, long nsid) {
        SubmissionQueueEntry.begin(command, commandAt, opcode, 0, nsid);
        transfer = Opcode.NO_DATA;
        data = null;
        metadata = null;
        return this;
    }

    /// Begins another command as a copy of the 64 bytes at `from`, for commands that this class does not know; but for their
    /// data and metadata pointers, which no command takes from elsewhere.
    public NvmeRequest begin(MemorySegment from, long fromAt) {
        MemorySegment.copy(from, fromAt, command, commandAt, SubmissionQueueEntry.SIZE);
        LittleEndian.clear(command, commandAt + SubmissionQueueEntry.MPTR,
                SubmissionQueueEntry.CDW10 - SubmissionQueueEntry.MPTR);
        SubmissionQueueEntry.psdt(command, commandAt, SubmissionQueueEntry.PSDT_PRP);
        transfer = Opcode.NO_DATA;
        data = null;
        metadata = null;
        return this;
    }

    /// The memory that its 64 bytes are in, at [#commandAt()]: for the accessors of [SubmissionQueueEntry] and those of the
    /// single commands.
    public MemorySegment command() {
        return command;
    }

    public long commandAt() {
        return commandAt;
    }

    /// Data that go the way that the opcode says; `vector` is lent until the command has ended.
    public NvmeRequest data(IoVector vector) {
        return data(vector, Opcode.transfer(SubmissionQueueEntry.opc(command, commandAt)));
    }

    /// Data for the controller.
    public NvmeRequest dataToController(IoVector vector) {
        return data(vector, Opcode.HOST_TO_CONTROLLER);
    }

    /// Data from the controller.
    public NvmeRequest dataToHost(IoVector vector) {
        return data(vector, Opcode.CONTROLLER_TO_HOST);
    }

    private NvmeRequest data(IoVector vector, int way) {
        data = vector;
        transfer = way;
        return this;
    }

    /// Metadata in a buffer of its own, where the transport can ([QueuePair#separateMetadata()]).
    public NvmeRequest metadata(IoVector vector) {
        metadata = vector;
        return this;
    }

    /// Begins a read of `blocks` (1 to 65,536) from `lba` on. `flags` are those of [LbaCommand].
    public NvmeRequest read(long nsid, long lba, int blocks, int flags, IoVector vector) {
        begin(NvmOpcode.READ, nsid);
        LbaCommand.set(command, commandAt, lba, blocks, flags);
        return data(vector, Opcode.CONTROLLER_TO_HOST);
    }

    /// Begins a write, likewise.
    public NvmeRequest write(long nsid, long lba, int blocks, int flags, IoVector vector) {
        begin(NvmOpcode.WRITE, nsid);
        LbaCommand.set(command, commandAt, lba, blocks, flags);
        return data(vector, Opcode.HOST_TO_CONTROLLER);
    }

    /// Begins a command for a range of blocks that has no data: Write Zeroes, Verify, Write Uncorrectable.
    public NvmeRequest range(int opcode, long nsid, long lba, int blocks, int flags) {
        begin(opcode, nsid);
        LbaCommand.set(command, commandAt, lba, blocks, flags);
        return this;
    }

    /// Anything of the owner's, to know the request by in [NvmeCompletion#completed].
    public NvmeRequest context(Object owners) {
        context = owners;
        return this;
    }

    public Object context() {
        return context;
    }

    // ---- its way ----------------------------------------------------------------------------------------------

    /// Sends the command; `whenCompleted` is called once, later. False, and nothing has happened, if the queue pair is not
    /// connected.
    public boolean submit(NvmeCompletion whenCompleted) {
        completion = whenCompleted;
        return queuePair.submit(this);
    }

    /// Gives the request back to its queue pair. Not while it is submitted.
    public void release() {
        queuePair.release(this);
    }

    // ---- its outcome ------------------------------------------------------------------------------------------

    /// How the command ended, as in [Status]; 0 is success.
    public int status() {
        return status;
    }

    public boolean succeeded() {
        return status == Status.SUCCESS;
    }

    /// Dword 0 of the completion.
    public int dw0() {
        return (int) result;
    }

    /// Dwords 0 and 1 of the completion.
    public long result() {
        return result;
    }

    /// Bytes of data that the controller has sent, where the transport counts them; else all that were asked for.
    public long transferred() {
        return transferred;
    }

    /// When it was submitted, on its thread's clock.
    public long submitTick() {
        return submitTick;
    }

    // ---- for transports ---------------------------------------------------------------------------------------

    /// Its number in its queue pair, from 0 on.
    public int index() {
        return index;
    }

    /// The command identifier of this submission.
    public int cid() {
        return cid;
    }

    /// [Opcode#NO_DATA], [Opcode#HOST_TO_CONTROLLER] or [Opcode#CONTROLLER_TO_HOST].
    public int transfer() {
        return transfer;
    }

    /// Its data; null if it has none.
    public IoVector data() {
        return data;
    }

    /// Its separate metadata; null if it has none.
    public IoVector metadata() {
        return metadata;
    }

    /// Bytes of data.
    public long dataBytes() {
        return data == null ? 0 : data.byteLength();
    }

    void begins(int newCid, long tick) {
        state = OUTSTANDING;
        cid = newCid;
        submitTick = tick;
        LittleEndian.u16(command, commandAt + SubmissionQueueEntry.CID, newCid);
    }

    void outcome(int newStatus, long newResult, long bytes) {
        status = newStatus;
        result = newResult;
        transferred = bytes;
    }

    @Override
    public String toString() {
        int opcode = SubmissionQueueEntry.opc(command, commandAt);
        return queuePair.commandName(opcode) + " (CID " + cid + ") of " + queuePair;
    }
}
