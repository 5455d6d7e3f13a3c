package io.spindrift.nvme.tcp;

import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reply;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.Crc32c;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHandler;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduReader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.nvme.spi.TransportQueuePair;
import io.spindrift.sock.DetachedSock;
import io.spindrift.sock.Receiver;
import io.spindrift.sock.Sock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A connection: what arrives ends commands, in the order of PDUs that the specification allows.
///
/// On the queue pair's thread, but for what says otherwise. A controller that breaks a rule gets a terminate request and loses
/// its connection; nothing that it sends throws.
/// ```
///   CLOSED --connect--> ICRESP --ICResp--> READY --rule broken, connection ended, disconnect--> CLOSED
/// ```
final class TcpQueuePair extends TransportQueuePair implements Receiver, PduHandler {
    private enum Phase {
        CLOSED, ICRESP, READY
    }

    /// Fabrics and admin commands may carry this much, whatever IOCCSZ says (NVMe/TCP transport 1.0, "Capsules").
    static final long ADMIN_CAPSULE_DATA = 8192;
    /// How long a terminate request has to leave.
    private static final long TERMINATION_NANOS = 1_000_000_000;
    /// For a header that arrives in pieces.
    private static final int TORN_MEMORY = 192;

    private final TcpController controller;
    private final QueuePair owner;
    private final Memory memory;
    private final MemoryRegion region;
    private final MemorySegment pdus;
    private final MemorySegment torn;
    private final TcpSlot[] slots;
    private final TcpConnectionPdus connectionPdus;
    private final Crc32c headerCrc = new Crc32c();
    private final Crc32c dataCrc = new Crc32c();
    private PduReader reader;
    private TcpPollGroups.Group group;
    private Sock sock;
    private Phase phase = Phase.CLOSED;
    private boolean headerDigest;
    private boolean dataDigest;
    private int alignment = PduRules.alignment(0);
    private long maxH2cData;
    private long inCapsuleBytes;
    /// The command whose data are being read, and whether these end it.
    private TcpSlot current;
    private boolean successInData;
    private String termination = "";
    private Poller patience;
    private Reply<Boolean> connecting;
    private Reply<Boolean> draining;

    /// On the control path.
    TcpQueuePair(TcpController controller, QueuePair owner, Memory memory, int requests) {
        this.controller = controller;
        this.owner = owner;
        this.memory = memory;
        long commandBytes = (long) requests * TcpSlot.MEMORY;
        this.region = memory.allocate("nvme tcp queue pair", commandBytes + TORN_MEMORY + TcpConnectionPdus.MEMORY);
        this.pdus = region.segment();
        this.torn = pdus.asSlice(commandBytes, TORN_MEMORY);
        this.slots = new TcpSlot[requests];
        for (int i = 0; i < requests; i++) {
            slots[i] = new TcpSlot(this, pdus, (long) i * TcpSlot.MEMORY);
        }
        this.connectionPdus = new TcpConnectionPdus(
                pdus.asSlice(commandBytes + TORN_MEMORY, TcpConnectionPdus.MEMORY), this::terminated);
    }

    // ---- for its slots ----------------------------------------------------------------------------------------

    Sock sock() {
        return sock;
    }

    boolean ready() {
        return phase == Phase.READY;
    }

    boolean headerDigest() {
        return headerDigest;
    }

    boolean dataDigest() {
        return dataDigest;
    }

    Crc32c headerCrc() {
        return headerCrc;
    }

    Crc32c dataCrc() {
        return dataCrc;
    }

    /// What PDO must be a multiple of in what is sent.
    int alignment() {
        return alignment;
    }

    /// The most data of an H2CData.
    long maxH2cData() {
        return maxH2cData;
    }

    /// The most data in a capsule.
    long inCapsuleBytes() {
        return inCapsuleBytes;
    }

    /// The status of a command that the controller says has succeeded.
    int checked(TcpSlot slot) {
        if (slot.isCorrupt()) {
            return GenericStatus.TRANSIENT_TRANSPORT_ERROR;
        }
        // an admin command may bring less than there is room for
        return owner.qid() == 0 || slot.whole() ? Status.SUCCESS : GenericStatus.DATA_TRANSFER_ERROR;
    }

    void finished(NvmeRequest request, int status, long result, long bytes) {
        group.counters.completed.add(1);
        owner.complete(request, status, result, bytes);
        if (draining != null) {
            endIfDrained();
        }
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    @Override
    public MemorySegment commands() {
        return pdus;
    }

    @Override
    public long commandAt(int index) {
        return (long) index * TcpSlot.MEMORY + TcpSlot.COMMAND;
    }

    @Override
    public void submit(NvmeRequest request) {
        group.counters.submitted.add(1);
        slots[request.index()].begin(request);
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    @Override
    public void connect(long limitMillis) throws Exception {
        DetachedSock connection = controller.connect(limitMillis);
        boolean taken = false;
        try {
            owner.thread().<Boolean>callAsync(reply -> open(connection, reply, limitMillis));
            taken = true;
        } finally {
            if (!taken) {
                connection.close();
                disconnect();
            }
        }
    }

    private void open(DetachedSock connection, Reply<Boolean> reply, long limitMillis) {
        assert phase == Phase.CLOSED && sock == null;
        group = controller.groups().channel();
        connecting = reply;
        reader = new PduReader(this, false, SegmentAllocator.prefixAllocator(torn));
        reader.agree(false, false, PduRules.alignment(0));
        reader.limits(0, Integer.MAX_VALUE);
        inCapsuleBytes = owner.qid() == 0 ? ADMIN_CAPSULE_DATA : controller.controller().inCapsuleBytes();
        termination = "";
        sock = group.socks().add(connection, this);
        phase = Phase.ICRESP;
        var wanted = controller.controller().options().fabrics();
        connectionPdus.sendInitialization(sock, wanted.headerDigest(), wanted.dataDigest());
        patience = owner.thread().addTimedPoller("nvme_tcp_icresp", () -> {
            fail("no ICResp came within " + limitMillis + " ms");
            return 1;
        }, limitMillis * 1_000_000);
    }

    private void initialized(MemorySegment pdu, long at) {
        if (IcResp.pfv(pdu, at) != 0) {
            reader.violate(TermReq.FES_UNSUPPORTED_PARAMETER, IcResp.PFV, pdu, at);
        } else if (IcResp.cpda(pdu, at) > PduRules.MAX_PDA) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, IcResp.CPDA, pdu, at);
        } else if (IcResp.maxh2cdata(pdu, at) < IcResp.MIN_MAXH2CDATA || IcResp.maxh2cdata(pdu, at) % 4 != 0) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, IcResp.MAXH2CDATA, pdu, at);
        } else if (unwantedDigest(IcResp.dgst(pdu, at))) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, IcResp.DGST, pdu, at);
        } else {
            headerDigest = (IcResp.dgst(pdu, at) & IcReq.HDGST_ENABLE) != 0;
            dataDigest = (IcResp.dgst(pdu, at) & IcReq.DDGST_ENABLE) != 0;
            alignment = PduRules.alignment(IcResp.cpda(pdu, at));
            maxH2cData = IcResp.maxh2cdata(pdu, at);
            reader.agree(headerDigest, dataDigest, PduRules.alignment(0));
            phase = Phase.READY;
            endPatience();
            connecting.complete(true);
            connecting = null;
        }
    }

    private boolean unwantedDigest(int digests) {
        var wanted = controller.controller().options().fabrics();
        return (digests & IcReq.HDGST_ENABLE) != 0 && !wanted.headerDigest()
                || (digests & IcReq.DDGST_ENABLE) != 0 && !wanted.dataDigest();
    }

    private void endPatience() {
        if (patience != null) {
            patience.unregister();
            patience = null;
        }
    }

    // ---- receiving --------------------------------------------------------------------------------------------

    @Override
    public long received(MemorySegment buffer, long offset, long length) {
        long used = reader.read(buffer, offset, length);
        return phase == Phase.CLOSED ? length : used;
    }

    @Override
    public boolean header(int type, MemorySegment pdu, long at, long dataLength) {
        current = null;
        if (type == PduType.C2H_TERM_REQ) {
            termination = "the controller ends the connection: " + TermReq.name(TermReq.fes(pdu, at), false) + " (FES "
                    + TermReq.fes(pdu, at) + ", FEI " + TermReq.fei(pdu, at) + ")";
        } else if (phase == Phase.ICRESP != (type == PduType.IC_RESP)) {
            reader.violate(TermReq.FES_PDU_SEQUENCE_ERROR, 0, pdu, at);
        } else {
            switch (type) {
                case PduType.C2H_DATA -> dataBegins(pdu, at, dataLength);
                case PduType.CAPSULE_RESP -> response(pdu, at);
                case PduType.R2T -> readyToTransfer(pdu, at);
                default -> initialized(pdu, at);
            }
        }
        return true;
    }

    private void response(MemorySegment pdu, long at) {
        long cqe = at + CapsuleResp.CQE;
        NvmeRequest request = owner.outstanding(CompletionQueueEntry.cid(pdu, cqe));
        TcpSlot slot = request == null ? null : slots[request.index()];
        if (slot == null || slot.isAnswered()) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, CapsuleResp.CQE + CompletionQueueEntry.CID, pdu, at);
        } else {
            slot.answer(CompletionQueueEntry.status(pdu, cqe), CompletionQueueEntry.result(pdu, cqe));
        }
    }

    private void dataBegins(MemorySegment pdu, long at, long dataLength) {
        NvmeRequest request = owner.outstanding(C2HData.cccid(pdu, at));
        int flags = PduHeader.flags(pdu, at);
        if (request == null) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, C2HData.CCCID, pdu, at);
        } else if (C2HData.datal(pdu, at) != dataLength) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, C2HData.DATAL, pdu, at);
        } else if (!slots[request.index()].mayReceive(C2HData.datao(pdu, at), dataLength)) {
            reader.violate(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0, pdu, at);
        } else if ((flags & PduHeader.SUCCESS) != 0 && (flags & PduHeader.LAST_PDU) == 0) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS, pdu, at);
        } else {
            current = slots[request.index()];
            successInData = (flags & PduHeader.SUCCESS) != 0;
        }
    }

    @Override
    public void data(MemorySegment buffer, long offset, long length, long position) {
        if (current != null) {
            current.receive(buffer, offset, length);
        }
    }

    @Override
    public void end(int type, boolean intact) {
        TcpSlot slot = current;
        current = null;
        if (type == PduType.C2H_TERM_REQ) {
            fail(termination);
        } else if (slot != null) {
            if (!intact) {
                slot.corrupted();
            }
            if (successInData) {
                slot.answer(Status.SUCCESS, 0);
            }
        }
    }

    private void readyToTransfer(MemorySegment pdu, long at) {
        NvmeRequest request = owner.outstanding(R2T.cccid(pdu, at));
        if (request == null || slots[request.index()].isAnswered()) {
            reader.violate(TermReq.FES_INVALID_PDU_HEADER_FIELD, R2T.CCCID, pdu, at);
            return;
        }
        TcpSlot slot = slots[request.index()];
        if (!slot.mayBeAsked(R2T.r2to(pdu, at), R2T.r2tl(pdu, at))) {
            reader.violate(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0, pdu, at);
        } else if (!slot.sentAllAsked()) {
            reader.violate(TermReq.FES_R2T_LIMIT_EXCEEDED, 0, pdu, at);
        } else {
            slot.ask(R2T.ttag(pdu, at), R2T.r2tl(pdu, at));
        }
    }

    @Override
    public void violated(int fes, int fei, MemorySegment pdu, long at, int length) {
        if (phase != Phase.CLOSED) {
            connectionPdus.sendTermination(sock, fes, fei, pdu, at, length);
            String where = length == 0 ? "" : " in a PDU of type " + PduType.name(PduHeader.type(pdu, at));
            Sock ended = sock;
            over("the controller breaks the rules of NVMe/TCP" + where + ": " + TermReq.name(fes, true)
                    + (fei == 0 ? "" : " (FEI " + fei + ")"));
            patience = owner.thread().addTimedPoller("nvme_tcp_termination", () -> {
                ended.close(); // a peer that does not read it
                endPatience();
                return 1;
            }, TERMINATION_NANOS);
        }
    }

    @Override
    public void closed(int errno) {
        fail(errno == 0 ? "the controller has closed the connection" : "the connection is lost: " + Errno.text(errno));
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    @Override
    public boolean connected() {
        return phase == Phase.READY;
    }

    @Override
    public void fail(String reason) {
        if (phase != Phase.CLOSED) {
            Sock ended = sock;
            over(reason);
            ended.close();
        }
    }

    /// Ends everything but the socket.
    private void over(String reason) {
        phase = Phase.CLOSED;
        reader.stop();
        endPatience();
        if (connecting != null) {
            connecting.fail(new NvmeException(Errno.ECONNREFUSED, controller.controller().name() + ": " + reason));
            connecting = null;
        }
        owner.failed(reason);
        abortAll();
    }

    private void abortAll() {
        for (int i = 0; i < slots.length; i++) {
            if (owner.outstanding(owner.request(i))) {
                slots[i].abort(GenericStatus.ABORTED_SQ_DELETION);
            }
        }
    }

    /// A terminate request has left.
    private void terminated() {
        endPatience();
        if (sock != null && phase == Phase.CLOSED) {
            sock.close();
        }
        if (draining != null) {
            endIfDrained();
        }
    }

    /// On the control path.
    @Override
    public void disconnect() {
        try {
            owner.thread().<Boolean>callAsync(reply -> {
                draining = reply;
                fail("it is disconnected");
                endIfDrained();
            });
        } catch (IllegalStateException e) {
            // its thread has exited, and with it all that it had
        }
    }

    private void endIfDrained() {
        if (sock != null) {
            sock.close(); // what is queued still ends in the group's next poll
        }
        if (owner.outstanding() > 0 || connectionPdus.busy()) {
            return;
        }
        endPatience();
        if (group != null) {
            group.release();
            group = null;
        }
        sock = null;
        draining.complete(true);
        draining = null;
    }

    /// On the control path.
    @Override
    public void close() {
        memory.free(region);
    }
}
