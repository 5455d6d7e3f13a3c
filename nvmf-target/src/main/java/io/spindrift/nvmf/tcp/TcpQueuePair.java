package io.spindrift.nvmf.tcp;

import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHandler;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduReader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.engine.QueuePair;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.SendRequest;
import io.spindrift.sock.Sock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/// A connection: what arrives becomes commands, in the order of PDUs that the specification allows.
///
/// On the poll group's thread. A peer that breaks a rule gets a terminate request and loses its connection; nothing that it
/// sends throws.
/// ```
///   ICREQ --ICReq/ICResp--> READY --rule broken--> TERMINATING --> OVER        (OVER at any time)
/// ```
final class TcpQueuePair extends QueuePair implements Receiver, PduHandler {
    private enum Phase {
        ICREQ, READY, TERMINATING, OVER
    }

    /// Fabrics and admin commands may carry this much, whatever the transport's limit (as IOCCSZ counts for I/O queues).
    private static final long ADMIN_CAPSULE_DATA = 8192;
    private static final MemorySegment NOTHING = MemorySegment.NULL;
    /// Bytes of native memory that a connection has.
    static final int MEMORY = 512;

    private final TcpGroup group;
    private final TcpTransport transport;
    private final MemorySegment memory;
    private final SegmentAllocator allocator;
    private final PduReader reader;
    private Sock sock;
    private Phase phase = Phase.ICREQ;
    private boolean headerDigest;
    private boolean dataDigest;
    private int hostAlignment = PduRules.alignment(0);
    private final TcpPatience patience;
    private TcpControlPdu control;
    private final TcpSlots slots = new TcpSlots();
    /// Commands whose response is on its way, and whether a capsule waits for one of their slots.
    private int responding;
    private boolean waitsForSlot;
    /// Whose PDU is being read, or null if its data go nowhere.
    private TcpRequest current;
    /// A capsule whose data have no buffer yet.
    private TcpRequest pendingCapsule;
    /// The command of the capsule that is being read.
    private TcpRequest last;
    private boolean finished;

    TcpQueuePair(TcpGroup group, TcpTransport transport, TransportAddress listen, TransportAddress local,
            TransportAddress peer) {
        super(group.pollGroup(), transport, listen, local, Optional.of(peer));
        this.group = group;
        this.transport = transport;
        this.patience = new TcpPatience(group.thread().now());
        this.memory = group.takeMemory();
        this.allocator = SegmentAllocator.slicingAllocator(memory);
        this.reader = new PduReader(this, true, allocator);
        reader.agree(false, false, PduRules.alignment(0));
        reader.limits(Math.max(ADMIN_CAPSULE_DATA, transport.options().inCapsuleDataSize()),
                transport.options().maxIoSize());
    }

    void open(Sock opened) {
        sock = opened;
    }

    Sock sock() {
        return sock;
    }

    boolean headerDigest() {
        return headerDigest;
    }

    boolean dataDigest() {
        return dataDigest;
    }

    /// What PDO must be a multiple of in what is sent.
    int hostAlignment() {
        return hostAlignment;
    }

    /// Whether C2HData may tell success, without a response.
    boolean successInData() {
        return transport.c2hSuccess() && !flowControl();
    }

    /// Whether nothing can be sent any more.
    boolean over() {
        return phase == Phase.OVER || phase == Phase.TERMINATING;
    }

    // ---- receiving --------------------------------------------------------------------------------------------

    @Override
    public long received(MemorySegment buffer, long offset, long length) {
        if (!reader.insidePdu()) {
            patience.pduBegins(group.thread().now());
        }
        long used = reader.read(buffer, offset, length);
        return phase == Phase.READY || phase == Phase.ICREQ ? used : length;
    }

    @Override
    public void closed(int errno) {
        disconnect();
    }

    @Override
    public boolean header(int type, MemorySegment pdu, long at, long dataLength) {
        current = null;
        if (type == PduType.H2C_TERM_REQ) {
            return true;
        }
        if (phase == Phase.ICREQ != (type == PduType.IC_REQ)) {
            reader.violate(TermReq.FES_PDU_SEQUENCE_ERROR, 0, pdu, at);
            return true;
        }
        return switch (type) {
            case PduType.IC_REQ -> initialize(pdu, at);
            case PduType.CAPSULE_CMD -> capsule(pdu, at, dataLength);
            default -> hostData(pdu, at, dataLength);
        };
    }

    @Override
    public void data(MemorySegment buffer, long offset, long length, long position) {
        if (current != null) {
            current.receive(buffer, offset, length, current.arrived);
            current.arrived += length;
        }
    }

    @Override
    public void end(int type, boolean intact) {
        TcpRequest request = current;
        current = null;
        patience.pduBegins(group.thread().now());
        switch (type) {
            case PduType.H2C_TERM_REQ -> disconnect();
            case PduType.CAPSULE_CMD -> capsuleEnded(intact);
            case PduType.H2C_DATA -> hostDataEnded(request, intact);
            default -> {
                // ICReq: answered when its header came
            }
        }
    }

    @Override
    public void violated(int fes, int fei, MemorySegment pdu, long at, int length) {
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.TERMINATING;
        patience.terminates(group.thread().now());
        control().sendTermination(sock, fes, fei, pdu, at, Math.min(length, TermReq.MAX_DATA));
        ending();
        abandon();
    }

    private TcpControlPdu control() {
        if (control == null) {
            control = new TcpControlPdu(allocator, this);
        }
        return control;
    }

    // ---- ICReq ------------------------------------------------------------------------------------------------

    private boolean initialize(MemorySegment pdu, long at) {
        if (IcReq.pfv(pdu, at) != 0) {
            reader.violate(TermReq.FES_UNSUPPORTED_PARAMETER, IcReq.PFV, pdu, at);
            return true;
        }
        if (IcReq.hpda(pdu, at) > PduRules.MAX_PDA) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, IcReq.HPDA, pdu, at);
            return true;
        }
        headerDigest = (IcReq.dgst(pdu, at) & IcReq.HDGST_ENABLE) != 0;
        dataDigest = (IcReq.dgst(pdu, at) & IcReq.DDGST_ENABLE) != 0;
        hostAlignment = PduRules.alignment(IcReq.hpda(pdu, at));
        reader.agree(headerDigest, dataDigest, PduRules.alignment(0));
        phase = Phase.READY;
        control().sendInitialization(sock, headerDigest, dataDigest, transport.options().maxIoSize());
        return true;
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    private boolean capsule(MemorySegment pdu, long at, long dataLength) {
        TcpRequest request = pendingCapsule;
        if (request == null) {
            int slot = slots.take(depth());
            if (slot < 0 && responding > 0) {
                waitsForSlot = true; // the host may have a response that the kernel has not told of
                return false;
            }
            if (slot < 0) {
                reader.violate(TermReq.FES_PDU_SEQUENCE_ERROR, 0, pdu, at); // more commands than the queue is deep
                return true;
            }
            request = group.takeRequest();
            slots.put(slot, request);
            request.begin(this, slot, pdu, at);
            arrived(request);
            TcpSgl.read(request, pdu, at + CapsuleCmd.SQE, dataLength, mostInCapsule(),
                    transport.options().maxIoSize());
            if (request.inCapsule && !request.obtain(dataLength - request.skip)) {
                pendingCapsule = request;
                return false;
            }
        } else if (!request.obtained()) {
            return false;
        }
        pendingCapsule = null;
        current = request.inCapsule ? request : null;
        last = request;
        return true;
    }

    /// Bytes of data that a command of this queue may carry.
    private long mostInCapsule() {
        return state() == State.ENABLED && qid() != 0 ? transport.options().inCapsuleDataSize() : ADMIN_CAPSULE_DATA;
    }

    private void capsuleEnded(boolean intact) {
        TcpRequest request = last;
        last = null;
        if (request == null) {
            return;
        }
        if (request.refusal != 0) {
            request.stage = TcpRequest.Stage.EXECUTING;
            request.complete(request.refusal);
        } else if (request.inCapsule) {
            executeOrFail(request, intact);
        } else if (group.zeroCopy() && !dataDigest && request.wanted() > 0 && mayBorrow(request)) {
            // With a digest the data must be a copy, which nobody else can write before the host has checked it.
            request.borrow();
            request.stage = TcpRequest.Stage.EXECUTING;
            execute(request);
        } else if (request.wanted() > 0) {
            if (request.obtain(request.wanted())) {
                buffersReady(request);
            }
        } else {
            request.stage = TcpRequest.Stage.EXECUTING;
            execute(request);
        }
    }

    /// All buffers of a request are there.
    void buffersReady(TcpRequest request) {
        if (phase != Phase.READY) {
            free(request);
        } else if (request == pendingCapsule) {
            resumeReading();
        } else if (request.fromHost) {
            request.stage = TcpRequest.Stage.TRANSFER;
            patience.transferBegins(group.thread().now());
            request.sendReady();
        } else {
            request.stage = TcpRequest.Stage.EXECUTING;
            execute(request);
        }
    }

    /// The capsule that had to wait may be taken now.
    private void resumeReading() {
        patience.pduBegins(group.thread().now());
        fusedGoesOn(group.thread().now());
        if (sock.receivingPaused()) {
            sock.resumeReceiving();
        } else {
            reader.read(NOTHING, 0, 0);
        }
    }

    private void executeOrFail(TcpRequest request, boolean intact) {
        request.stage = TcpRequest.Stage.EXECUTING;
        if (intact) {
            execute(request);
        } else {
            request.complete(GenericStatus.TRANSIENT_TRANSPORT_ERROR);
        }
    }

    // ---- H2CData ----------------------------------------------------------------------------------------------

    private boolean hostData(MemorySegment pdu, long at, long dataLength) {
        TcpRequest request = slots.get(H2CData.ttag(pdu, at));
        if (request == null || request.stage != TcpRequest.Stage.TRANSFER || !request.readyLeft()) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG, pdu, at);
        } else if (H2CData.cccid(pdu, at) != request.cid()) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.CCCID, pdu, at);
        } else if (H2CData.datal(pdu, at) != dataLength) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.DATAL, pdu, at);
        } else if (H2CData.datao(pdu, at) != request.arrived || dataLength > request.wanted() - request.arrived) {
            reader.violate(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0, pdu, at);
        } else if (isLast(pdu, at) != (dataLength == request.wanted() - request.arrived)) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS, pdu, at);
        } else {
            current = request;
        }
        return true;
    }

    private static boolean isLast(MemorySegment pdu, long at) {
        return (PduHeader.flags(pdu, at) & PduHeader.LAST_PDU) != 0;
    }

    private void hostDataEnded(TcpRequest request, boolean intact) {
        if (request == null) {
            return;
        }
        if (!intact) {
            request.refusal = GenericStatus.TRANSIENT_TRANSPORT_ERROR;
        }
        patience.transferGoesOn(group.thread().now());
        if (request.arrived == request.wanted()) {
            patience.transferEnds();
            request.stage = TcpRequest.Stage.EXECUTING;
            if (request.refusal == 0) {
                execute(request);
            } else {
                request.complete(request.refusal);
            }
        }
    }

    @Override
    protected TcpRequest find(int cid) {
        for (int slot = 0; slot < slots.size(); slot++) {
            TcpRequest request = slots.get(slot);
            if (request != null && request.cid() == cid && request.stage != TcpRequest.Stage.SENDING) {
                return request;
            }
        }
        return null;
    }

    // ---- ends -------------------------------------------------------------------------------------------------

    /// Queues what a command sends to its host.
    void send(SendRequest request) {
        patience.sendBegins(group.thread().now());
        sock.send(request);
    }

    /// Queues a response capsule. All go behind the data that leave with them, so that SQHD does not go back: a host takes
    /// the data of many commands in one run, and then submits as many.
    void sendBehind(SendRequest capsule) {
        patience.sendBegins(group.thread().now());
        sock.sendBehind(capsule);
    }

    /// The response of a command begins to be sent.
    void responseBegins() {
        responding++;
    }

    /// The kernel has a part of a response that was sent, or never gets it.
    void responsePartLeft(TcpRequest request) {
        patience.sendEnds(group.thread().now());
        if (!request.responding()) {
            responding--;
            responseSent(request);
        }
    }

    /// A request's response has left, or is not wanted any more.
    void responseSent(TcpRequest request) {
        if (request.readyUnsent()) {
            request.stage = TcpRequest.Stage.SENDING; // its R2T ends first
            request.respondedEarly = true;
            return;
        }
        free(request);
    }

    /// The kernel has a request's R2T, or never gets it.
    void readySent(TcpRequest request) {
        patience.sendEnds(group.thread().now());
        if (request.respondedEarly || phase != Phase.READY && request.stage == TcpRequest.Stage.TRANSFER) {
            request.respondedEarly = false;
            free(request);
        }
    }

    private void free(TcpRequest request) {
        if (request.stage == TcpRequest.Stage.TRANSFER) {
            patience.transferEnds();
        }
        slots.free(request.slot);
        if (request == pendingCapsule) {
            pendingCapsule = null;
        }
        request.release();
        group.giveRequest(request);
        if (waitsForSlot && phase == Phase.READY) {
            waitsForSlot = false;
            resumeReading();
        }
        finishIfIdle();
    }

    @Override
    public void disconnect() {
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.OVER;
        reader.stop();
        ending();
        if (sock != null) {
            sock.close();
        }
        abandon();
        finishIfIdle();
    }

    /// Frees the requests that wait for the host or for buffers.
    private void abandon() {
        current = null;
        last = null;
        for (int slot = 0; slot < slots.size(); slot++) {
            TcpRequest request = slots.get(slot);
            if (request != null && (request.stage == TcpRequest.Stage.OBTAINING
                    || request.stage == TcpRequest.Stage.TRANSFER && !request.readyUnsent())) {
                free(request);
            }
        }
    }

    /// A termination has left, or cannot. The host hears the end, and may go in its own time: what it still sends is read
    /// and dropped, since closing a socket with unread bytes would take the termination back.
    void terminationSent(int errno) {
        if (errno == 0 && phase == Phase.TERMINATING) {
            sock.endSending();
        } else {
            disconnect();
        }
    }

    private void finishIfIdle() {
        if (phase != Phase.OVER || slots.active() > 0 || finished || control != null && control.busy()) {
            return;
        }
        finished = true;
        ended();
        group.remove(this);
        // Not here: a PDU of this connection may be on the stack.
        group.thread().send(() -> group.giveMemory(memory));
    }

    void controlSent() {
        finishIfIdle();
    }

    /// Whether a change of a namespace waits for this host to take what it has read.
    private boolean keepsChange() {
        for (int slot = 0; slot < slots.size(); slot++) {
            TcpRequest request = slots.get(slot);
            if (request != null && request.keepsChange()) {
                return true;
            }
        }
        return false;
    }

    /// Ends the connection if its host has stopped in the middle of something.
    void checkProgress(long now) {
        boolean over = phase == Phase.TERMINATING
                ? patience.terminationIsOver(now)
                : patience.isOver(now, state() == State.ENABLED, reader.insidePdu() && !reader.waiting())
                        || !reader.waiting() && now - fusedWaitingSince(now) > TcpPatience.LIMIT_NANOS
                        || patience.keepsChangeTooLong(now, group.zeroCopy() && keepsChange());
        if (over && phase != Phase.OVER) {
            disconnect();
        }
    }
}
