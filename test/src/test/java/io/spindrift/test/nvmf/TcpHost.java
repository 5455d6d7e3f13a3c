package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.Crc32c;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;

/// One queue pair of a host, on a plain blocking socket: sends what it is told to, right or wrong.
final class TcpHost implements AutoCloseable {
    /// How a command ended.
    ///
    /// @param status the status field
    /// @param dw0    the completion's dword 0
    /// @param data   what it returned
    record Completion(int status, long dw0, byte[] data) {}

    static final String HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:0b6a9d3c-7d5f-4f0e-9a53-6b21c2f0a111";
    private static final int LIMIT_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final MemorySegment out = Arena.ofAuto().allocate(1 << 18);
    private final Crc32c crc = new Crc32c();
    private boolean headerDigest;
    private boolean dataDigest;
    /// Flips a bit of the next data that are sent.
    boolean damage;
    /// Flips a bit of the next header digest that is sent.
    boolean damageHeader;
    /// Where the data of the last C2HData began.
    int lastPdo;
    private int cid = 0x4000;
    /// What the commands on their way send when they are asked, by their identifiers.
    private final Map<Integer, byte[]> toSend = new HashMap<>();
    /// What has come so far of the data that commands want.
    private final Map<Integer, byte[]> incoming = new HashMap<>();
    private final Map<Integer, Completion> ended = new HashMap<>();

    TcpHost(int port) throws IOException {
        this(InetAddress.getLoopbackAddress(), port, 0);
    }

    /// Connects to any address; with a positive `receiveBuffer` the kernel keeps about as many bytes for a host that does
    /// not read.
    TcpHost(InetAddress address, int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.connect(new InetSocketAddress(address, port));
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    // ---- bytes ------------------------------------------------------------------------------------------------

    MemorySegment memory() {
        return out;
    }

    void send(long length) throws IOException {
        byte[] bytes = new byte[(int) length];
        MemorySegment.copy(out, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        socket.getOutputStream().write(bytes);
    }

    void send(byte[] bytes, int from, int length) throws IOException {
        socket.getOutputStream().write(bytes, from, length);
    }

    /// Ends this half of the connection.
    void endSending() throws IOException {
        socket.shutdownOutput();
    }

    /// The next PDU, whole; null at the end of the stream.
    MemorySegment receive() throws IOException {
        byte[] common = new byte[PduHeader.SIZE];
        int first = in.read();
        if (first < 0) {
            return null;
        }
        common[0] = (byte) first;
        in.readFully(common, 1, PduHeader.SIZE - 1);
        MemorySegment header = MemorySegment.ofArray(common);
        int plen = (int) PduHeader.plen(header, 0);
        byte[] whole = java.util.Arrays.copyOf(common, plen);
        in.readFully(whole, PduHeader.SIZE, plen - PduHeader.SIZE);
        MemorySegment pdu = Arena.ofAuto().allocate(plen);
        MemorySegment.copy(whole, 0, pdu, ValueLayout.JAVA_BYTE, 0, plen);
        checkDigests(pdu);
        return pdu;
    }

    private void checkDigests(MemorySegment pdu) {
        int type = PduHeader.type(pdu, 0);
        int hlen = PduHeader.hlen(pdu, 0);
        if (headerDigest && type != PduType.C2H_TERM_REQ) {
            assertEquals(crc.of(pdu, 0, hlen), LittleEndian.dword(pdu, hlen), "header digest");
        }
        if (dataDigest && type == PduType.C2H_DATA) {
            long length = C2HData.datal(pdu, 0);
            long at = PduHeader.pdo(pdu, 0);
            assertEquals(crc.of(pdu, at, length), LittleEndian.dword(pdu, at + length), "data digest");
        }
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    TcpHost initialize(boolean withHeaderDigest, boolean withDataDigest) throws IOException {
        return initialize(withHeaderDigest, withDataDigest, 0);
    }

    /// With an HPDA: data that come here begin at multiples of 4 * (`hpda` + 1) bytes of their PDU.
    TcpHost initialize(boolean withHeaderDigest, boolean withDataDigest, int hpda) throws IOException {
        int wanted = (withHeaderDigest ? IcReq.HDGST_ENABLE : 0) | (withDataDigest ? IcReq.DDGST_ENABLE : 0);
        IcReq.write(out, 0, hpda, wanted, 0);
        send(IcReq.SIZE);
        MemorySegment answer = receive();
        assertEquals(PduType.IC_RESP, PduHeader.type(answer, 0));
        assertEquals(wanted, LittleEndian.u8(answer, 11), "DGST");
        headerDigest = withHeaderDigest;
        dataDigest = withDataDigest;
        return this;
    }

    /// Connect, with any names.
    Completion connect(int qid, int entries, String subnqn, String hostnqn, int cntlid) throws IOException {
        MemorySegment data = Arena.ofAuto().allocate(ConnectData.SIZE);
        ConnectData.CNTLID.set(data, 0, cntlid);
        ConnectData.SUBNQN.set(data, 0, subnqn);
        ConnectData.HOSTNQN.set(data, 0, hostnqn);
        return connect(qid, entries, data);
    }

    /// Connect, with data of the test's own.
    Completion connect(int qid, int entries, MemorySegment data) throws IOException {
        MemorySegment sqe = Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
        ConnectCommand.write(sqe, 0, nextCid(), qid, entries, 0, 0);
        return execute(sqe, data.toArray(ValueLayout.JAVA_BYTE), true, 0);
    }

    int nextCid() {
        cid = cid + 1 & 0xffff; // no index: a host may put anything there
        return cid;
    }

    // ---- commands ---------------------------------------------------------------------------------------------

    /// Sends a command and waits for its end. `sqe` has all but the SGL; `sent` are its data, in the capsule or when asked
    /// for; else `returned` bytes are wanted.
    Completion execute(MemorySegment sqe, byte[] sent, boolean inCapsule, int returned) throws IOException {
        submit(sqe, sent, inCapsule, returned);
        return finish(sqe);
    }

    /// Sends a command as it is, SGL and all, with data in the capsule, and waits for its end.
    Completion executeAsIs(MemorySegment sqe, byte[] inCapsule) throws IOException {
        toSend.put(SubmissionQueueEntry.cid(sqe, 0), inCapsule);
        sendCapsule(sqe, inCapsule);
        return finish(sqe);
    }

    /// Sends a command.
    void submit(MemorySegment sqe, byte[] sent, boolean inCapsule, int returned) throws IOException {
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
        if (inCapsule && sent.length > 0) {
            SglDescriptor.inCapsule(sqe, SubmissionQueueEntry.DPTR, 0, sent.length);
        } else {
            SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, sent.length + returned);
        }
        toSend.put(SubmissionQueueEntry.cid(sqe, 0), sent);
        if (returned > 0) {
            incoming.put(SubmissionQueueEntry.cid(sqe, 0), new byte[returned]);
        }
        sendCapsule(sqe, inCapsule ? sent : new byte[0]);
    }

    private void sendCapsule(MemorySegment sqe, byte[] data) throws IOException {
        if (data.length > 0) {
            CapsuleCmd.write(out, 0, headerDigest, dataDigest, PduRules.alignment(0), data.length);
        } else {
            CapsuleCmd.write(out, 0, headerDigest);
        }
        MemorySegment.copy(sqe, 0, out, CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        sendPdu(CapsuleCmd.SIZE, data, 0, data.length);
    }

    /// Waits for the end of a command that was sent; those of others may come before.
    Completion finish(MemorySegment sqe) throws IOException {
        int command = SubmissionQueueEntry.cid(sqe, 0);
        while (!ended.containsKey(command)) {
            takePdu();
        }
        return ended.remove(command);
    }

    private void sendPdu(int hlen, byte[] data, int from, int length) throws IOException {
        if (headerDigest) {
            LittleEndian.dword(out, hlen, crc.of(out, 0, hlen) ^ (damageHeader ? 1 : 0));
            damageHeader = false;
        }
        if (length > 0) {
            long at = PduHeader.pdo(out, 0);
            MemorySegment.copy(data, from, out, ValueLayout.JAVA_BYTE, at, length);
            if (dataDigest) {
                LittleEndian.dword(out, at + length, crc.of(out, at, length));
            }
            if (damage) {
                damage = false;
                LittleEndian.u8(out, at, LittleEndian.u8(out, at) ^ 1);
            }
        }
        send(PduHeader.plen(out, 0));
    }

    private void takePdu() throws IOException {
        MemorySegment pdu = receive();
        switch (PduHeader.type(pdu, 0)) {
            case PduType.R2T -> answer(pdu);
            case PduType.C2H_DATA -> {
                byte[] data = incoming.get(C2HData.cccid(pdu, 0));
                assertNotNull(data, "a command that wants data");
                lastPdo = PduHeader.pdo(pdu, 0);
                MemorySegment.copy(pdu, ValueLayout.JAVA_BYTE, PduHeader.pdo(pdu, 0), data,
                        (int) C2HData.datao(pdu, 0), (int) C2HData.datal(pdu, 0));
                if ((PduHeader.flags(pdu, 0) & PduHeader.SUCCESS) != 0) {
                    end(C2HData.cccid(pdu, 0), 0, 0);
                }
            }
            case PduType.CAPSULE_RESP -> end(CompletionQueueEntry.cid(pdu, CapsuleResp.CQE),
                    CompletionQueueEntry.status(pdu, CapsuleResp.CQE),
                    CompletionQueueEntry.result(pdu, CapsuleResp.CQE) & 0xffff_ffffL);
            default -> throw new IOException("unexpected " + PduType.name(PduHeader.type(pdu, 0)));
        }
    }

    private void end(int cid, int status, long dw0) {
        assertNotNull(toSend.remove(cid), "a command on its way");
        byte[] data = incoming.remove(cid);
        ended.put(cid, new Completion(status, dw0, data == null ? new byte[0] : data));
    }

    /// Answers an R2T, in two PDUs if there is enough.
    void answer(MemorySegment r2t) throws IOException {
        byte[] sent = toSend.get(R2T.cccid(r2t, 0));
        int offset = (int) R2T.r2to(r2t, 0);
        int length = (int) R2T.r2tl(r2t, 0);
        int first = length > 4096 ? length / 2 : length;
        sendData(r2t, sent, offset, first, first == length);
        if (first < length) {
            sendData(r2t, sent, offset + first, length - first, true);
        }
    }

    private void sendData(MemorySegment r2t, byte[] sent, int offset, int length, boolean last) throws IOException {
        H2CData.write(out, 0, headerDigest, dataDigest, PduRules.alignment(0), last, R2T.cccid(r2t, 0),
                R2T.ttag(r2t, 0), offset, length);
        sendPdu(H2CData.SIZE, sent, offset, length);
    }

    /// Waits longer for what the target sends.
    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /// Ends the connection with a reset: the target's kernel drops what it has.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
