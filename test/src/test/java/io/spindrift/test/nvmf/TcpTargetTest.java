package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.NQN;
import static io.spindrift.test.nvmf.LiveTarget.assertAlive;
import static io.spindrift.test.nvmf.LiveTarget.identify;
import static io.spindrift.test.nvmf.LiveTarget.plain;
import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A target over TCP, as a host's bytes see it. What is expected is the specifications'.
@Timeout(60)
class TcpTargetTest {
    private LiveTarget target;

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start();
    }

    @AfterEach
    void stop() throws Exception {
        target.stop();
    }

    // ---- a host that keeps the rules --------------------------------------------------------------------------

    @Test
    void identifiesItself() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost host = target.admin(false, false, cntlid)) {
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
        try (TcpHost admin = target.admin(headerDigest, dataDigest, cntlid);
                TcpHost host = target.io(1, cntlid[0], headerDigest, dataDigest)) {
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
        try (TcpHost admin = target.admin(false, false, cntlid); TcpHost host = target.io(1, cntlid[0], false, false)) {
            assertEquals(0x4080, read(host, 2048, 512).status() & 0x47ff, "LBA Out of Range, Do Not Retry");
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
        target.program.call("nvmf_subsystem_allow_any_host", "{'nqn': '" + NQN + "', 'allow_any_host': false}");
        try (TcpHost host = new TcpHost(target.port).initialize(false, false)) {
            assertEquals(0x184, host.connect(0, 32, NQN, TcpHost.HOST_NQN, 0xffff).status() & 0x7ff);
        }
    }

    private interface Attempt {
        Completion run(TcpHost host) throws IOException;
    }

    private void assertRefused(int status, int dw0, Attempt attempt) throws IOException {
        try (TcpHost host = new TcpHost(target.port).initialize(false, false)) {
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
        try (TcpHost admin = target.admin(true, true, cntlid); TcpHost host = target.io(1, cntlid[0], true, true)) {
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
        try (TcpHost admin = target.admin(false, false, cntlid); TcpHost host = target.io(1, cntlid[0], false, false)) {
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
        target.assertNothingIsLeft();
    }

    private void assertTerminated(int fes, int fei, Wrong wrong) throws IOException {
        try (TcpHost host = new TcpHost(target.port).initialize(false, false)) {
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
        try (TcpHost host = new TcpHost(target.port)) {
            CapsuleCmd.write(host.memory(), 0, false);
            host.send(CapsuleCmd.SIZE);
            assertEquals(TermReq.FES_PDU_SEQUENCE_ERROR, TermReq.fes(host.receive(), 0));
            assertNull(host.receive());
        }
        target.assertNothingIsLeft();
    }

    @Test
    void connectionsThatAreCutLeaveNothing() throws Exception {
        int[] cntlid = new int[1];
        for (int i = 0; i < 20; i++) {
            TcpHost admin = target.admin(false, false, cntlid);
            TcpHost host = target.io(1, cntlid[0], false, false);
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
        target.assertNothingIsLeft();
    }
}
