package io.spindrift.nvmf.tcp;

import io.spindrift.framework.memory.Buffer;
import io.spindrift.framework.memory.BufferWaiter;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.Crc32c;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvmf.engine.Request;
import io.spindrift.sock.SendRequest;
import java.lang.foreign.MemorySegment;

/// A command of a TCP connection: its buffers, and what is sent for it. Pooled by the [TcpGroup], whose thread it belongs to.
final class TcpRequest extends Request {
    // A request's native memory: the SQE, and headers of what is sent.
    private static final int DATA_HEADER = SubmissionQueueEntry.SIZE;
    /// A header, its digest, and padding up to the largest HPDA.
    private static final int DATA_HEADER_SIZE = 128;
    private static final int DATA_DIGEST = DATA_HEADER + DATA_HEADER_SIZE;
    private static final int RESPONSE = DATA_DIGEST + 8;
    private static final int READY = RESPONSE + 32;
    static final int MEMORY = READY + 32;
    /// Ranges of a device's memory that a response can have.
    private static final int LENT_RANGES = 8;

    /// Where it is on its way.
    enum Stage {
        FREE,
        /// Its capsule is not whole, or it waits for buffers.
        OBTAINING,
        /// The host's data arrive.
        TRANSFER, EXECUTING,
        /// The response leaves.
        SENDING
    }

    private final TcpGroup group;
    private final Buffer[] buffers;
    /// Of its own: it has a view of this request's memory, and the group's has none that lasts.
    private final Crc32c headerCrc = new Crc32c();
    /// What a response consists of: data, a response capsule, or both.
    private final SendRequest c2hData;
    private final SendRequest capsuleResp;
    private final SendRequest ready;
    private final BufferWaiter waiter = new BufferWaiter() {
        @Override
        protected void onBuffer(Buffer buffer) {
            keep(buffer);
            collect();
            group.turns().goOn();
        }
    };
    /// Among the group's free requests, or those that take turns in collecting buffers.
    TcpRequest following;
    /// Whether it has, or waits for, its turn.
    boolean inTurn;
    Stage stage = Stage.FREE;
    /// Its place among its connection's requests, and so its transfer tag.
    int slot;
    /// Why it fails before it is executed; 0 if it does not.
    int refusal;
    /// Whether its data are those of the capsule.
    boolean inCapsule;
    /// Bytes of the capsule's data before its own.
    long skip;
    /// Whether the host has data for it that are still to come.
    boolean fromHost;
    /// Bytes of data that have arrived.
    long arrived;
    /// Its response has been sent before the kernel let go of its R2T.
    boolean respondedEarly;
    private final int mostRanges;
    private int bufferCount;
    private long wanted;

    TcpRequest(TcpGroup group, MemorySegment memory, long at, int maxBuffers) {
        super(memory, at, maxBuffers);
        this.group = group;
        this.buffers = new Buffer[maxBuffers];
        this.mostRanges = group.zeroCopy() ? Math.max(maxBuffers, LENT_RANGES) : maxBuffers;
        this.c2hData = new ResponsePart(mostRanges + 2);
        this.capsuleResp = new ResponsePart(1);
        this.ready = new SendRequest(1) {
            @Override
            protected void sent(int errno) {
                owner().readySent(TcpRequest.this);
            }
        };
    }

    private final class ResponsePart extends SendRequest {
        ResponsePart(int maxRanges) {
            super(maxRanges);
        }

        @Override
        protected void sent(int errno) {
            owner().responsePartLeft(TcpRequest.this);
        }
    }

    private TcpQueuePair owner() {
        return (TcpQueuePair) queue();
    }

    /// Begins the command whose capsule is at `at` of `pdu`.
    void begin(TcpQueuePair queue, int atSlot, MemorySegment pdu, long at) {
        begin(queue);
        MemorySegment.copy(pdu, at + CapsuleCmd.SQE, sqe, sqeAt, SubmissionQueueEntry.SIZE);
        slot = atSlot;
        refusal = 0;
        inCapsule = false;
        skip = 0;
        fromHost = false;
        arrived = 0;
        respondedEarly = false;
        wanted = 0;
        data.clear();
        stage = Stage.OBTAINING;
    }

    /// Its data, `bytes` of them, are no part of the capsule.
    void toTransfer(long bytes, boolean comeFromHost) {
        wanted = bytes;
        fromHost = comeFromHost;
    }

    // ---- buffers ----------------------------------------------------------------------------------------------

    /// Obtains buffers of `bytes` in all. False if some have to be waited for: [TcpQueuePair#buffersReady] tells of them.
    boolean obtain(long bytes) {
        wanted = bytes;
        stage = Stage.OBTAINING;
        if (bytes > group.largestBuffer() && !group.turns().begin(this)) {
            return false;
        }
        return obtainMore();
    }

    /// Goes on after a buffer has come, or when it is its turn.
    void collect() {
        if (obtainMore()) {
            owner().buffersReady(this);
        }
    }

    /// Whether the pool has no buffer for it at the moment.
    boolean waitsForBuffer() {
        return waiter.isWaiting();
    }

    private boolean obtainMore() {
        while (data.byteLength() < wanted) {
            Buffer buffer = group.buffers().get(nextLength(), waiter);
            if (buffer == null) {
                return false;
            }
            keep(buffer);
        }
        if (inTurn) {
            group.turns().end(this);
        }
        return true;
    }

    private long nextLength() {
        return Math.min(wanted - data.byteLength(), group.largestBuffer());
    }

    private void keep(Buffer buffer) {
        long length = Math.min(nextLength(), buffer.capacity());
        buffers[bufferCount++] = buffer;
        data.add(buffer, length);
    }

    /// Instead of buffers: the device's memory, from which the response is sent.
    void borrow() {
        borrow(wanted, mostRanges);
    }

    @Override
    protected void obtainBuffers() {
        TcpQueuePair queue = owner();
        if (queue.over() || obtain(wanted)) {
            queue.buffersReady(this);
        }
    }

    /// Whether a change of its namespace waits for the kernel to let go of what it sends.
    boolean keepsChange() {
        return lentAndAwaited();
    }

    /// Data of the host, from `position` of the transfer, or of the capsule, on.
    void receive(MemorySegment from, long offset, long length, long position) {
        long skipped = Math.clamp(skip - position, 0, length);
        data.copyFrom(from, offset + skipped, position + skipped - skip, length - skipped);
    }

    @Override
    protected boolean endWhenMoved(int endStatus) {
        if (stage != Stage.TRANSFER) {
            return false;
        }
        if (refusal != GenericStatus.TRANSIENT_TRANSPORT_ERROR) {
            refusal = endStatus;
        }
        return true;
    }

    /// Whether it has all its buffers.
    boolean obtained() {
        return data.byteLength() == wanted;
    }

    /// Bytes of the whole transfer.
    long wanted() {
        return wanted;
    }

    @Override
    protected boolean stopWaiting() {
        if (stage != Stage.OBTAINING || inCapsule || !waiter.isWaiting() && !inTurn) {
            return false;
        }
        stopObtaining();
        stage = Stage.EXECUTING;
        return true;
    }

    private void stopObtaining() {
        if (waiter.isWaiting()) {
            group.buffers().cancel(waiter);
        }
        if (inTurn) {
            group.turns().end(this);
            group.turns().goOnLater();
        }
    }

    /// Gives all that it has back, and waits for nothing.
    void release() {
        stopObtaining();
        for (int i = 0; i < bufferCount; i++) {
            Buffer buffer = buffers[i];
            buffers[i] = null;
            group.buffers().release(buffer);
        }
        bufferCount = 0;
        data.clear();
        stage = Stage.FREE;
        forget();
    }

    // ---- sending ----------------------------------------------------------------------------------------------

    /// Whether the kernel may still read an R2T of this request.
    boolean readyUnsent() {
        return ready.queued();
    }

    /// Whether the host may have seen an R2T of this request.
    boolean readyLeft() {
        return ready.begun();
    }

    /// Whether the kernel may still read some of the response.
    boolean responding() {
        return c2hData.queued() || capsuleResp.queued();
    }

    /// Asks the host for all of the command's data.
    void sendReady() {
        TcpQueuePair queue = owner();
        long at = sqeAt + READY;
        R2T.write(sqe, at, queue.headerDigest(), cid(), slot, 0, wanted);
        long length = withDigest(at, R2T.SIZE);
        ready.clear();
        ready.add(sqe, at, length);
        queue.send(ready);
    }

    @Override
    protected void respond() {
        TcpQueuePair queue = owner();
        if (queue.over()) {
            queue.responseSent(this);
            return;
        }
        stage = Stage.SENDING;
        queue.responseBegins();
        boolean withData = status() == Status.SUCCESS && returned() > 0;
        boolean successInData = withData && plainSuccess() && queue.successInData();
        if (withData) {
            sendData(queue, successInData);
        }
        if (!successInData) {
            sendCapsule(queue);
        }
    }

    private void sendCapsule(TcpQueuePair queue) {
        long at = sqeAt + RESPONSE;
        CapsuleResp.write(sqe, at, queue.headerDigest());
        writeCompletion(sqe, at + CapsuleResp.CQE);
        capsuleResp.clear();
        capsuleResp.add(sqe, at, withDigest(at, CapsuleResp.SIZE));
        queue.sendBehind(capsuleResp);
    }

    private void sendData(TcpQueuePair queue, boolean success) {
        long at = sqeAt + DATA_HEADER;
        long length = returned();
        C2HData.write(sqe, at, queue.headerDigest(), queue.dataDigest(), queue.hostAlignment(),
                PduHeader.LAST_PDU | (success ? PduHeader.SUCCESS : 0), cid(), 0, length);
        withDigest(at, C2HData.SIZE);
        c2hData.clear();
        c2hData.add(sqe, at, PduHeader.pdo(sqe, at));
        Crc32c crc = group.crc();
        crc.reset();
        IoVector from = toHost();
        long left = length;
        for (int i = 0; left > 0; i++) {
            long part = Math.min(left, from.length(i));
            c2hData.add(from.segment(i), from.offset(i), part);
            if (queue.dataDigest()) {
                // what goes with a digest is never lent
                crc.update(buffers[i].view(), data.offset(i), part);
            }
            left -= part;
        }
        if (queue.dataDigest()) {
            LittleEndian.dword(sqe, sqeAt + DATA_DIGEST, crc.value());
            c2hData.add(sqe, sqeAt + DATA_DIGEST, PduHeader.DIGEST_SIZE);
        }
        queue.send(c2hData);
    }

    /// Puts the digest of the header at `at` behind it, if there are digests; returns the length of both.
    private long withDigest(long at, int size) {
        if (!owner().headerDigest()) {
            return size;
        }
        LittleEndian.dword(sqe, at + size, headerCrc.of(sqe, at, size));
        return size + PduHeader.DIGEST_SIZE;
    }
}
