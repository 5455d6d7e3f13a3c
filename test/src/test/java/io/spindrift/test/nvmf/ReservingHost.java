package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.command.ReservationCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.test.nvmf.TcpHost.Completion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.UUID;

/// A host with an identifier of its own, one controller and one I/O queue, that uses reservations of the namespace 1.
final class ReservingHost implements AutoCloseable {
    static final int REPORT_BYTES = 64 + 8 * 64;

    private final TcpHost admin;
    private final TcpHost io;
    final int cntlid;

    ReservingHost(int port, String subnqn, UUID hostId) throws IOException {
        admin = new TcpHost(port).initialize(false, false);
        cntlid = (int) connect(admin, 0, 32, subnqn, hostId, ConnectData.CNTLID_DYNAMIC).dw0() & 0xffff;
        MemorySegment sqe = sqe();
        PropertyCommand.set(sqe, 0, admin.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, admin.execute(sqe, new byte[0], false, 0).status());
        io = new TcpHost(port).initialize(false, false);
        connect(io, 1, 128, subnqn, hostId, cntlid);
    }

    private static Completion connect(TcpHost queue, int qid, int entries, String subnqn, UUID hostId, int cntlid)
            throws IOException {
        MemorySegment data = Arena.ofAuto().allocate(ConnectData.SIZE);
        WireUuid.write(data, ConnectData.HOSTID.offset(), hostId);
        ConnectData.CNTLID.set(data, 0, cntlid);
        ConnectData.SUBNQN.set(data, 0, subnqn);
        ConnectData.HOSTNQN.set(data, 0, "nqn.2014-08.org.nvmexpress:uuid:" + hostId);
        Completion connected = queue.connect(qid, entries, data);
        assertEquals(0, connected.status());
        return connected;
    }

    private static MemorySegment sqe() {
        return Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
    }

    // ---- reservation commands; each returns SCT and SC -------------------------------------------------------------

    int register(int action, boolean ignoreKey, int cptpl, long current, long key) throws IOException {
        MemorySegment sqe = begin(NvmOpcode.RESERVATION_REGISTER);
        ReservationCommand.register(sqe, 0, action, ignoreKey, cptpl);
        return code(io.execute(sqe, keys(current, key), true, 0));
    }

    int register(long key) throws IOException {
        return register(ReservationCommand.RREGA_REGISTER, false, 0, 0, key);
    }

    int acquire(int action, int type, long current, long preempted) throws IOException {
        MemorySegment sqe = begin(NvmOpcode.RESERVATION_ACQUIRE);
        ReservationCommand.acquireOrRelease(sqe, 0, action, type);
        return code(io.execute(sqe, keys(current, preempted), true, 0));
    }

    int acquire(int type, long key) throws IOException {
        return acquire(ReservationCommand.RACQA_ACQUIRE, type, key, 0);
    }

    int release(int action, int type, long current) throws IOException {
        MemorySegment sqe = begin(NvmOpcode.RESERVATION_RELEASE);
        ReservationCommand.acquireOrRelease(sqe, 0, action, type);
        return code(io.execute(sqe, Arrays.copyOf(keys(current, 0), 8), true, 0));
    }

    /// A reservation command with any dword 10 and any data.
    int any(int opcode, long nsid, int cdw10, byte[] data) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, opcode, io.nextCid(), nsid);
        SubmissionQueueEntry.cdw10(sqe, 0, cdw10);
        return code(io.execute(sqe, data, true, 0));
    }

    /// Reservation Report, extended.
    MemorySegment report() throws IOException {
        Completion completion = report(REPORT_BYTES, REPORT_BYTES, true);
        assertEquals(0, completion.status());
        return page(completion);
    }

    Completion report(int asked, int buffer, boolean extended) throws IOException {
        MemorySegment sqe = begin(NvmOpcode.RESERVATION_REPORT);
        ReservationCommand.report(sqe, 0, asked, extended);
        return io.execute(sqe, new byte[0], false, buffer);
    }

    private MemorySegment begin(int opcode) {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, opcode, io.nextCid(), 1);
        return sqe;
    }

    static byte[] keys(long first, long second) {
        byte[] keys = new byte[16];
        LittleEndian.u64(MemorySegment.ofArray(keys), 0, first);
        LittleEndian.u64(MemorySegment.ofArray(keys), 8, second);
        return keys;
    }

    static int code(Completion completion) {
        return completion.status() & 0x7ff;
    }

    static MemorySegment page(Completion completion) {
        return Arena.ofAuto().allocate(completion.data().length).copyFrom(MemorySegment.ofArray(completion.data()));
    }

    // ---- reads and writes ------------------------------------------------------------------------------------------

    /// A command of the NVM command set on the first block, of which all bytes are 0.
    int io(int opcode) throws IOException {
        MemorySegment sqe = begin(opcode);
        return code(switch (opcode) {
            case NvmOpcode.READ -> {
                LbaCommand.set(sqe, 0, 0, 1, 0);
                yield io.execute(sqe, new byte[0], false, 512);
            }
            case NvmOpcode.WRITE, NvmOpcode.COMPARE -> {
                LbaCommand.set(sqe, 0, 0, 1, 0);
                yield io.execute(sqe, new byte[512], true, 0);
            }
            case NvmOpcode.WRITE_ZEROES -> {
                LbaCommand.set(sqe, 0, 0, 1, 0);
                yield io.execute(sqe, new byte[0], false, 0);
            }
            case NvmOpcode.DATASET_MANAGEMENT -> {
                SubmissionQueueEntry.cdw10(sqe, 0, 0); // one range of no blocks
                SubmissionQueueEntry.cdw11(sqe, 0, 1 << 2);
                yield io.execute(sqe, new byte[16], true, 0);
            }
            default -> io.execute(sqe, new byte[0], false, 0);
        });
    }

    // ---- admin commands --------------------------------------------------------------------------------------------

    Completion getFeature(int fid, long nsid) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_FEATURES, admin.nextCid(), nsid);
        FeatureCommand.get(sqe, 0, fid, 0);
        return admin.execute(sqe, new byte[0], false, 0);
    }

    int setFeature(int fid, long nsid, int value) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.SET_FEATURES, admin.nextCid(), nsid);
        FeatureCommand.set(sqe, 0, fid, false, value);
        return code(admin.execute(sqe, new byte[0], false, 0));
    }

    MemorySegment log(int lid, int bytes) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_LOG_PAGE, admin.nextCid(), 0xffff_ffffL);
        GetLogPageCommand.set(sqe, 0, lid, 0, 0, bytes, false);
        Completion completion = admin.execute(sqe, new byte[0], false, bytes);
        assertEquals(0, completion.status());
        return page(completion);
    }

    MemorySegment identify(int cns) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, admin.nextCid(), cns == 1 ? 0 : 1);
        IdentifyCommand.set(sqe, 0, cns, 0, 0);
        Completion completion = admin.execute(sqe, new byte[0], false, 4096);
        assertEquals(0, completion.status());
        return page(completion);
    }

    /// Sends an Asynchronous Event Request, whose end [#event] waits for; no other admin command may come between.
    void requestEvent() throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.ASYNC_EVENT_REQUEST, admin.nextCid(), 0);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
        CapsuleCmd.write(admin.memory(), 0, false);
        MemorySegment.copy(sqe, 0, admin.memory(), CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        admin.send(CapsuleCmd.SIZE);
    }

    /// Dword 0 of the next completion.
    long event() throws IOException {
        MemorySegment pdu = admin.receive();
        assertEquals(PduType.CAPSULE_RESP, PduHeader.type(pdu, 0));
        assertEquals(0, CompletionQueueEntry.status(pdu, CapsuleResp.CQE));
        return CompletionQueueEntry.result(pdu, CapsuleResp.CQE) & 0xffff_ffffL;
    }

    @Override
    public void close() throws IOException {
        io.close();
        admin.close();
    }
}
