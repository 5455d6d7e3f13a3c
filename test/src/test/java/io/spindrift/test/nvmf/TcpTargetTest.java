package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.test.nvmf.TcpHost.Completion;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// A target over TCP, as a host's bytes see it. What is expected is the specifications'.
@Timeout(60)
class TcpTargetTest {
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";

    private EmbeddedTarget target;
    private int port;

    @BeforeEach
    void start() throws Exception {
        target = EmbeddedTarget.startNvmf();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        target.call("bdev_malloc_create", "{'name': 'Malloc0', 'num_blocks': 2048, 'block_size': 512}");
        target.call("nvmf_create_transport", "{'trtype': 'TCP'}");
        target.call("nvmf_create_subsystem",
                "{'nqn': '" + NQN + "', 'allow_any_host': true, 'serial_number': 'SER1', 'model_number': 'Mod El'}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
        target.call("nvmf_subsystem_add_listener", "{'nqn': '" + NQN + "', 'listen_address': {'trtype': 'TCP',"
                + " 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port + "'}}");
    }

    @AfterEach
    void stop() throws Exception {
        assertEquals(0, target.stop());
        target.close();
    }

    // ---- a host that keeps the rules --------------------------------------------------------------------------

    private static MemorySegment sqe() {
        return Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
    }

    private static Completion plain(TcpHost host, MemorySegment sqe) throws IOException {
        return host.execute(sqe, new byte[0], false, 0);
    }

    /// An admin queue of an enabled controller.
    private TcpHost admin(boolean headerDigest, boolean dataDigest, int[] cntlid) throws IOException {
        TcpHost host = new TcpHost(port).initialize(headerDigest, dataDigest);
        Completion connected = host.connect(0, 32, NQN, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC);
        assertEquals(0, connected.status());
        cntlid[0] = (int) connected.dw0() & 0xffff;
        MemorySegment sqe = sqe();
        PropertyCommand.set(sqe, 0, host.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, plain(host, sqe).status());
        sqe = sqe();
        PropertyCommand.get(sqe, 0, host.nextCid(), ControllerProperty.CSTS, 4);
        assertEquals(1, plain(host, sqe).dw0(), "CSTS.RDY");
        return host;
    }

    private TcpHost io(int qid, int cntlid, boolean headerDigest, boolean dataDigest) throws IOException {
        TcpHost host = new TcpHost(port).initialize(headerDigest, dataDigest);
        assertEquals(0, host.connect(qid, 128, NQN, TcpHost.HOST_NQN, cntlid).status());
        return host;
    }

    private static MemorySegment identify(TcpHost host, int cns, long nsid) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, host.nextCid(), nsid);
        IdentifyCommand.set(sqe, 0, cns, 0, 0);
        Completion completion = host.execute(sqe, new byte[0], false, 4096);
        assertEquals(0, completion.status());
        MemorySegment page = Arena.ofAuto().allocate(4096);
        return page.copyFrom(MemorySegment.ofArray(completion.data()));
    }

    private static Completion write(TcpHost host, long block, byte[] data, boolean inCapsule) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE, host.nextCid(), 1);
        LbaCommand.set(sqe, 0, block, data.length / 512, 0);
        return host.execute(sqe, data, inCapsule, 0);
    }

    private static Completion read(TcpHost host, long block, int bytes) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, host.nextCid(), 1);
        LbaCommand.set(sqe, 0, block, bytes / 512, 0);
        return host.execute(sqe, new byte[0], false, bytes);
    }

    /// The host says that it is there; the controller must be, too.
    private static void assertAlive(TcpHost admin) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.KEEP_ALIVE, admin.nextCid(), 0);
        assertEquals(0, plain(admin, sqe).status());
    }

    @Test
    void identifiesItself() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost host = admin(false, false, cntlid)) {
            MemorySegment controller = identify(host, Cns.CONTROLLER, 0);
            assertEquals("SER1", IdentifyController.SN.get(controller, 0));
            assertEquals("Mod El", IdentifyController.MN.get(controller, 0));
            assertEquals(cntlid[0], IdentifyController.CNTLID.get(controller, 0));
            assertEquals(NQN, IdentifyController.SUBNQN.get(controller, 0));
            assertEquals(5, IdentifyController.MDTS.get(controller, 0), "128 KiB in pages of 4 KiB, as a power of two");
            assertEquals((64 + 4096) / 16, IdentifyController.IOCCSZ.get(controller, 0));
            assertEquals(0x66, IdentifyController.SQES.get(controller, 0));
            MemorySegment namespace = identify(host, Cns.NAMESPACE, 1);
            assertEquals(2048, IdentifyNamespace.NSZE.get(namespace, 0));
            assertEquals(9, namespace.get(ValueLayout.JAVA_BYTE, 130), "LBADS of format 0");
            assertEquals(0, IdentifyNamespace.NSZE.get(identify(host, Cns.NAMESPACE, 2), 0), "not active");
            assertEquals(1, identify(host, Cns.ACTIVE_NAMESPACES, 0).get(
                    ValueLayout.JAVA_INT, 0));
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void keepsWhatIsWritten(boolean headerDigest, boolean dataDigest) throws Exception {
        int[] cntlid = new int[1];
        Random random = new Random(7);
        try (TcpHost admin = admin(headerDigest, dataDigest, cntlid);
                TcpHost host = io(1, cntlid[0], headerDigest, dataDigest)) {
            for (int bytes : new int[]{512, 4096, 8192, 12_288, 131_072}) {
                byte[] data = new byte[bytes];
                random.nextBytes(data);
                assertEquals(0, write(host, 8, data, bytes <= 4096).status());
                assertArrayEquals(data, read(host, 8, bytes).data(), bytes + " bytes");
                random.nextBytes(data);
                assertEquals(0, write(host, 9, data, false).status(), "by R2T");
                assertArrayEquals(data, read(host, 9, bytes).data(), bytes + " bytes");
            }
            assertAlive(admin);
        }
    }

    /// Status codes of the base and NVM command set specifications, without DNR.
    @Test
    void refusesCommandsThatCannotBe() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost admin = admin(false, false, cntlid); TcpHost host = io(1, cntlid[0], false, false)) {
            assertEquals(0x80, read(host, 2048, 512).status() & 0x7ff, "LBA Out of Range");
            assertEquals(0x80, read(host, Long.MAX_VALUE, 512).status() & 0x7ff, "LBA Out of Range");
            assertEquals(0x80, read(host, -1, 512).status() & 0x7ff, "LBA Out of Range");
            MemorySegment sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, host.nextCid(), 2);
            assertEquals(0x0b, host.execute(sqe, new byte[0], false, 512).status() & 0x7ff, "Invalid Namespace");
            sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, host.nextCid(), 1);
            LbaCommand.set(sqe, 0, 0, 2, 0);
            assertEquals(0x0f, host.execute(sqe, new byte[0], false, 512).status() & 0x7ff, "Data SGL Length Invalid");
            sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, 0x7d, host.nextCid(), 1);
            assertEquals(0x01, plain(host, sqe).status() & 0x7ff, "Invalid Command Opcode");
            sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, host.nextCid(), 1);
            LbaCommand.set(sqe, 0, 0, 512, 0);
            assertEquals(0x02, host.execute(sqe, new byte[0], false, 262_144).status() & 0x7ff, "more than MDTS");
            assertEquals(0, read(host, 0, 512).status(), "and goes on");
            assertAlive(admin);
        }
    }

    /// Base specification 2.0, 6.3: Connect Invalid Parameters is SCT 1, SC 82h, with the parameter's offset; an invalid
    /// host 84h.
    @Test
    void refusesConnectsThatCannotBe() throws Exception {
        assertRefused(0x182, 1 << 16 | 256, host -> host.connect(0, 32, "nqn.2016-06.io.spdk:other", TcpHost.HOST_NQN,
                0xffff));
        assertRefused(0x182, 1 << 16 | 512, host -> host.connect(0, 32, NQN, "", 0xffff));
        assertRefused(0x182, 1 << 16 | 512, host -> host.connect(0, 32, NQN, "not a name", 0xffff));
        assertRefused(0x182, 1 << 16 | 512, host -> host.connect(0, 32, NQN, "nqn.2016-06.io.spdk:" + "x".repeat(204),
                0xffff));
        assertRefused(0x182, 1 << 16 | 16, host -> host.connect(0, 32, NQN, TcpHost.HOST_NQN, 7));
        assertRefused(0x182, 44, host -> host.connect(0, 1, NQN, TcpHost.HOST_NQN, 0xffff));
        assertRefused(0x182, 44, host -> host.connect(0, 4096, NQN, TcpHost.HOST_NQN, 0xffff));
        assertRefused(0x182, 1 << 16 | 512, host -> {
            MemorySegment data = Arena.ofAuto().allocate(ConnectData.SIZE);
            ConnectData.CNTLID.set(data, 0, 0xffff);
            ConnectData.SUBNQN.set(data, 0, NQN);
            data.asSlice(512, 256).fill((byte) 'n'); // no NUL
            return host.connect(0, 32, data);
        });
        target.call("nvmf_subsystem_allow_any_host", "{'nqn': '" + NQN + "', 'allow_any_host': false}");
        try (TcpHost host = new TcpHost(port).initialize(false, false)) {
            assertEquals(0x184, host.connect(0, 32, NQN, TcpHost.HOST_NQN, 0xffff).status() & 0x7ff);
        }
    }

    private interface Attempt {
        Completion run(TcpHost host) throws IOException;
    }

    private void assertRefused(int status, int dw0, Attempt attempt) throws IOException {
        try (TcpHost host = new TcpHost(port).initialize(false, false)) {
            Completion completion = attempt.run(host);
            assertEquals(status, completion.status() & 0x7ff);
            assertEquals(dw0, completion.dw0());
            assertEquals(0, host.connect(0, 32, NQN, TcpHost.HOST_NQN, 0xffff).status(), "a good one may follow");
        }
    }

    // ---- a host that does not ---------------------------------------------------------------------------------

    /// NVMe/TCP transport 1.0, 3.5: Transient Transport Error for the command, and the connection goes on.
    @Test
    void aFlippedBitInDataFailsThatCommandOnly() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost admin = admin(true, true, cntlid); TcpHost host = io(1, cntlid[0], true, true)) {
            for (boolean inCapsule : new boolean[]{true, false}) {
                host.damage = true;
                assertEquals(0x22, write(host, 0, new byte[4096], inCapsule).status() & 0x7ff);
                assertEquals(0, write(host, 0, new byte[4096], inCapsule).status());
            }
            assertAlive(admin);
        }
    }

    /// The bytes of a wrong PDU, after ICReq.
    private interface Wrong {
        /// Returns how many.
        long write(MemorySegment pdu);
    }

    @Test
    void aHostThatBreaksARuleLosesItsConnectionAndNobodyElseAnything() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost admin = admin(false, false, cntlid); TcpHost host = io(1, cntlid[0], false, false)) {
            assertTerminated(TermReq.FES_PDU_SEQUENCE_ERROR, 0, pdu -> {
                IcReq.write(pdu, 0, 0, 0, 0);
                return IcReq.SIZE;
            });
            assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.TYPE, pdu -> {
                PduHeader.write(pdu, 0, 0x55, 0, 24, 0, 24);
                return 24;
            });
            assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN, pdu -> {
                PduHeader.write(pdu, 0, PduType.CAPSULE_CMD, 0, CapsuleCmd.SIZE, CapsuleCmd.SIZE, 0xffff_ffffL);
                return CapsuleCmd.SIZE;
            });
            assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG, pdu -> {
                H2CData.write(pdu, 0, false, false, 4, true, 1, 0xffff, 0, 512);
                return H2CData.SIZE + 512;
            });
            assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG, pdu -> {
                H2CData.write(pdu, 0, false, false, 4, true, 1, 0, 0, 512);
                return H2CData.SIZE + 512;
            });
            assertEquals(0, read(host, 0, 512).status(), "another connection goes on");
            assertAlive(admin);
        }
        assertNothingIsLeft();
    }

    private void assertTerminated(int fes, int fei, Wrong wrong) throws IOException {
        try (TcpHost host = new TcpHost(port).initialize(false, false)) {
            host.send(wrong.write(host.memory()));
            MemorySegment answer = host.receive();
            assertEquals(PduType.C2H_TERM_REQ, PduHeader.type(answer, 0));
            assertEquals(fes, TermReq.fes(answer, 0));
            assertEquals(fei, TermReq.fei(answer, 0));
            assertNull(host.receive(), "then the stream ends");
        }
    }

    @Test
    void aCapsuleBeforeIcReqEndsTheConnection() throws Exception {
        try (TcpHost host = new TcpHost(port)) {
            CapsuleCmd.write(host.memory(), 0, false);
            host.send(CapsuleCmd.SIZE);
            assertEquals(TermReq.FES_PDU_SEQUENCE_ERROR, TermReq.fes(host.receive(), 0));
            assertNull(host.receive());
        }
        assertNothingIsLeft();
    }

    @Test
    void connectionsThatAreCutLeaveNothing() throws Exception {
        int[] cntlid = new int[1];
        for (int i = 0; i < 20; i++) {
            TcpHost admin = admin(false, false, cntlid);
            TcpHost host = io(1, cntlid[0], false, false);
            MemorySegment sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.ASYNC_EVENT_REQUEST, admin.nextCid(), 0);
            CapsuleCmd.write(admin.memory(), 0, false);
            SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
            MemorySegment.copy(sqe, 0, admin.memory(), CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
            admin.send(CapsuleCmd.SIZE);
            CapsuleCmd.write(host.memory(), 0, false, false, 4, 4096);
            host.send(1000); // half of a PDU
            admin.close();
            host.close();
        }
        assertNothingIsLeft();
    }

    /// Waits until no queue pair is left.
    private void assertNothingIsLeft() throws Exception {
        for (int i = 0; i < 2000; i++) {
            JsonNode group = target.call("nvmf_get_stats").get("poll_groups").get(0);
            if (group.get("current_admin_qpairs").intValue() == 0 && group.get("current_io_qpairs").intValue() == 0
                    && target.call("nvmf_subsystem_get_controllers", "{'nqn': '" + NQN + "'}").isEmpty()) {
                return;
            }
            Thread.sleep(5);
        }
        throw new AssertionError("left: " + target.call("nvmf_get_stats"));
    }
}
