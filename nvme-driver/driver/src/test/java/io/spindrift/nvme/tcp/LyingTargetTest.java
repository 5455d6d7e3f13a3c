package io.spindrift.nvme.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.CommandResult;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.spec.tcp.TermReq;
import io.spindrift.nvme.tcp.ScriptedTarget.Command;
import io.spindrift.nvme.tcp.ScriptedTarget.Connection;
import io.spindrift.nvme.tcp.ScriptedTarget.Script;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A controller that breaks the rules of NVMe/TCP loses its connection, and touches nothing but the data of its own commands.
@Timeout(60)
class LyingTargetTest {
    private static final int NOBODYS_CID = 0x7777;

    private static Arguments lie(String what, int status, Script script) {
        return Arguments.of(what, status, script);
    }

    private static byte[] bytes(int count) {
        return new byte[count];
    }

    private static void pdu(Connection connection, int type, int flags, int hlen, int pdo, long plen, int sent)
            throws IOException {
        MemorySegment pdu = MemorySegment.ofArray(new byte[Math.max(sent, 8)]);
        PduHeader.write(pdu, 0, type, flags, hlen, pdo, plen);
        connection.send(pdu.toArray(ValueLayout.JAVA_BYTE));
    }

    private static void r2t(Connection connection, int cccid, long offset, long length) throws IOException {
        MemorySegment pdu = MemorySegment.ofArray(new byte[R2T.SIZE]);
        R2T.write(pdu, 0, false, cccid, 9, offset, length);
        connection.send(pdu.toArray(ValueLayout.JAVA_BYTE));
    }

    static Stream<Arguments> liesAboutReads() {
        int header = TermReq.FES_INVALID_PDU_HEADER_FIELD;
        int range = TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE;
        int sequence = TermReq.FES_PDU_SEQUENCE_ERROR;
        return Stream.of(
                lie("a completion of no command", header, (c, command) -> c.complete(NOBODYS_CID, 0, 0)),
                lie("a completion of a command that has ended", header, (c, command) -> {
                    c.data(command, bytes(4096));
                    c.complete(command, 0, 0);
                }),
                lie("data of no command", header, (c, command) -> c.c2hData(NOBODYS_CID, 0, bytes(512), 4)),
                lie("data of a command that has ended", header, (c, command) -> {
                    c.data(command, bytes(4096));
                    c.c2hData(command.cid(), 0, bytes(512), 4);
                }),
                lie("data after the end of the request", range,
                        (c, command) -> c.c2hData(command.cid(), 4096, bytes(512), 4)),
                lie("data that begin in the middle", range,
                        (c, command) -> c.c2hData(command.cid(), 512, bytes(512), 4)),
                lie("data at 2^32 - 1", range, (c, command) -> c.c2hData(command.cid(), 0xffff_ffffL, bytes(512), 4)),
                lie("more data than asked for", range, (c, command) -> c.c2hData(command.cid(), 0, bytes(8192), 4)),
                lie("the same data twice", range, (c, command) -> {
                    c.c2hData(command.cid(), 0, bytes(4096), 4);
                    c.c2hData(command.cid(), 0, bytes(512), 4);
                }),
                lie("success in data that are not the last", header,
                        (c, command) -> c.c2hData(command.cid(), 0, bytes(512), PduHeader.SUCCESS)),
                lie("a request for the data of a read", range, (c, command) -> r2t(c, command.cid(), 0, 4096)),
                lie("a second ICResp", sequence,
                        (c, command) -> pdu(c, PduType.IC_RESP, 0, IcResp.SIZE, 0, IcResp.SIZE, IcResp.SIZE)),
                lie("a command", header, (c, command) -> pdu(c, PduType.CAPSULE_CMD, 0, 72, 0, 72, 72)),
                lie("a type that is none", header, (c, command) -> pdu(c, 0x77, 0, 24, 0, 24, 24)),
                lie("a response of 2^32 - 1 bytes", header,
                        (c, command) -> pdu(c, PduType.CAPSULE_RESP, 0, CapsuleResp.SIZE, 0, 0xffff_ffffL, 24)),
                lie("a response of 8 bytes", header,
                        (c, command) -> pdu(c, PduType.CAPSULE_RESP, 0, CapsuleResp.SIZE, 0, 8, 24)),
                lie("data that begin before their header ends", header,
                        (c, command) -> pdu(c, PduType.C2H_DATA, 4, 24, 8, 536, 24)),
                lie("a digest where none was agreed upon", header,
                        (c, command) -> pdu(c, PduType.CAPSULE_RESP, PduHeader.HDGSTF, 24, 0, 28, 28)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void liesAboutReads(String what, int status, Script script) throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            NvmeController controller = host.connect(target);
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.READ, script);
            try {
                assertEquals(0, host.read(queue, 8).status(), "the one that a lie follows");
            } catch (NvmeException e) {
                assertTrue(e.getMessage().contains("breaks the rules"), e::getMessage);
            }
            assertEnds(target, host, controller, status);
        }
    }

    static Stream<Arguments> liesAboutWrites() {
        int header = TermReq.FES_INVALID_PDU_HEADER_FIELD;
        int range = TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE;
        return Stream.of(
                lie("data of a write", range, (c, command) -> c.c2hData(command.cid(), 0, bytes(512), 4)),
                lie("a request for no command's data", header, (c, command) -> r2t(c, NOBODYS_CID, 0, 4096)),
                lie("a request for nothing", range, (c, command) -> r2t(c, command.cid(), 0, 0)),
                lie("a request for data after the end", range, (c, command) -> r2t(c, command.cid(), 0, 16896)),
                lie("a request that leaves some out", range, (c, command) -> r2t(c, command.cid(), 4, 4096)),
                lie("a request for the same data again", range, (c, command) -> {
                    r2t(c, command.cid(), 0, 4096);
                    r2t(c, command.cid(), 0, 4096);
                }),
                lie("a request beyond 2^32", range, (c, command) -> r2t(c, command.cid(), 0, 0xffff_ffffL)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void liesAboutWrites(String what, int status, Script script) throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            NvmeController controller = host.connect(target);
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.WRITE, script);
            String sentence = assertThrows(NvmeException.class, () -> host.write(queue, 32)).getMessage();
            assertTrue(sentence.contains("breaks the rules"), sentence);
            assertEnds(target, host, controller, status);
        }
    }

    private static void assertEnds(ScriptedTarget target, Host host, NvmeController controller, int status)
            throws Exception {
        assertEquals(status, target.terminations.poll(20, TimeUnit.SECONDS), "Fatal Error Status");
        String failure = host.failures.poll(20, TimeUnit.SECONDS);
        assertTrue(failure.contains("I/O queue 1 of " + Host.NQN), failure);
        assertEquals(NvmeController.State.FAILED, controller.state());
        target.onIo(NvmOpcode.READ, (c, command) -> c.data(command, bytes(4096)));
        controller.reset();
        QueuePair again = host.queue(controller);
        assertEquals(0, host.read(again, 8).status(), "after a reset");
    }

    @Test
    void requestsTwiceAtOnce() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            NvmeController controller = host.connect(target);
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.WRITE, (c, command) -> {
                // both in one segment, so that the second comes before the data of the first can leave
                MemorySegment two = MemorySegment.ofArray(new byte[2 * R2T.SIZE]);
                R2T.write(two, 0, false, command.cid(), 1, 0, 4096);
                R2T.write(two, R2T.SIZE, false, command.cid(), 2, 4096, 4096);
                c.send(two.toArray(ValueLayout.JAVA_BYTE));
            });
            assertThrows(NvmeException.class, () -> host.write(queue, 32));
            assertEnds(target, host, controller, TermReq.FES_R2T_LIMIT_EXCEEDED);
        }
    }

    // ---- data that are not what they should be ----------------------------------------------------------------

    @Test
    void shortDataOfAReadAreAnError() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            QueuePair queue = host.queue(host.connect(target));
            target.onIo(NvmOpcode.READ, (c, command) -> c.data(command, bytes(512)));
            CommandResult result = host.read(queue, 8);
            assertEquals(GenericStatus.DATA_TRANSFER_ERROR, result.status());
            assertEquals(512, result.transferred());
            target.onIo(NvmOpcode.READ, (c, command) -> c.complete(command, 0, 0));
            assertEquals(GenericStatus.DATA_TRANSFER_ERROR, host.read(queue, 8).status());
        }
    }

    @Test
    void successOfAWriteWhoseDataNobodyAskedForIsAnError() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            QueuePair queue = host.queue(host.connect(target));
            target.onIo(NvmOpcode.WRITE, (c, command) -> c.complete(command, 0, 0));
            assertEquals(GenericStatus.DATA_TRANSFER_ERROR, host.write(queue, 32).status());
            assertEquals(0, host.write(queue, 8).status(), "in the capsule");
        }
    }

    @Test
    void aResponseBeforeItsDataHaveLeftEndsTheCommandLater() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            QueuePair queue = host.queue(host.connect(target));
            target.onIo(NvmOpcode.WRITE, (c, command) -> {
                r2t(c, command.cid(), 0, 16384);
                c.complete(command, GenericStatus.INTERNAL_ERROR, 0);
            });
            assertEquals(GenericStatus.INTERNAL_ERROR, host.write(queue, 32).status());
        }
    }

    @Test
    void dataWithAWrongDigestAreAnErrorOfTheCommandOnly() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            IcResp.write(target.icResp, 0, 0, IcReq.DDGST_ENABLE, 8192);
            NvmeController controller = host.connect(target, ControllerOptions.defaults()
                    .withFabrics(ControllerOptions.Fabrics.DEFAULT.withDigests(false, true)));
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.READ, LyingTargetTest::corruptData);
            assertEquals(GenericStatus.TRANSIENT_TRANSPORT_ERROR, host.read(queue, 1).status());
            assertEquals(NvmeController.State.READY, controller.state());
        }
    }

    private static void corruptData(Connection connection, Command command) throws IOException {
        MemorySegment pdu = MemorySegment.ofArray(new byte[24 + 512 + 4]);
        C2HData.write(pdu, 0, false, true, 4, PduHeader.LAST_PDU, command.cid(), 0, 512);
        LittleEndian.dword(pdu, 24 + 512, 0x12345678);
        connection.send(pdu.toArray(ValueLayout.JAVA_BYTE));
        connection.complete(command, 0, 0);
    }

    @Test
    void aHeaderWithAWrongDigestEndsTheConnection() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            IcResp.write(target.icResp, 0, 0, IcReq.HDGST_ENABLE, 8192);
            NvmeController controller = host.connect(target, ControllerOptions.defaults()
                    .withFabrics(ControllerOptions.Fabrics.DEFAULT.withDigests(true, false)));
            QueuePair queue = host.queue(controller);
            target.onIo(NvmOpcode.READ, (c, command) -> pdu(c, PduType.CAPSULE_RESP, PduHeader.HDGSTF, 24, 0, 28, 28));
            assertThrows(NvmeException.class, () -> host.read(queue, 1));
            assertEquals(TermReq.FES_HEADER_DIGEST_ERROR, target.terminations.poll(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void aTerminateRequestIsToldInWords() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            QueuePair queue = host.queue(host.connect(target));
            target.onIo(NvmOpcode.READ, (c, command) -> {
                MemorySegment pdu = MemorySegment.ofArray(new byte[TermReq.SIZE]);
                TermReq.write(pdu, 0, PduType.C2H_TERM_REQ, TermReq.FES_PDU_SEQUENCE_ERROR, 0, 0);
                c.send(pdu.toArray(ValueLayout.JAVA_BYTE));
            });
            String sentence = assertThrows(NvmeException.class, () -> host.read(queue, 1)).getMessage();
            assertTrue(sentence.contains("PDU Sequence Error"), sentence);
        }
    }

    // ---- the beginning ----------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"PFV", "CPDA", "MAXH2CDATA", "MAXH2CDATA=4098", "DGST"})
    void aWrongIcRespEndsTheConnection(String field) throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            switch (field) {
                case "PFV" -> LittleEndian.u16(target.icResp, IcResp.PFV, 1);
                case "CPDA" -> LittleEndian.u8(target.icResp, IcResp.CPDA, 32);
                case "MAXH2CDATA" -> LittleEndian.u32(target.icResp, IcResp.MAXH2CDATA, 0);
                case "DGST" -> LittleEndian.u8(target.icResp, IcResp.DGST, IcReq.DDGST_ENABLE);
                default -> LittleEndian.u32(target.icResp, IcResp.MAXH2CDATA, 4098);
            }
            String sentence = assertThrows(NvmeException.class, () -> host.connect(target)).getMessage();
            assertTrue(sentence.contains("breaks the rules"), sentence);
            assertEquals(0, host.driver.controllers().size());
        }
    }

    @Test
    void aTargetThatSaysNothingIsGivenUpInTime() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            target.onAdmin(AdminOpcode.IDENTIFY, (c, command) -> {});
            String sentence = assertThrows(NvmeException.class, () -> host.connect(target, ControllerOptions.defaults()
                    .withTimeouts(ControllerOptions.Timeouts.DEFAULT.withConnect(200)))).getMessage();
            assertTrue(sentence.contains("Identify") && sentence.contains("was not answered within"), sentence);
        }
    }

    @Test
    void aTargetThatFallsSilentIsNoticedByKeepAlive() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            target.onAdmin(AdminOpcode.KEEP_ALIVE, (c, command) -> {});
            host.connect(target, ControllerOptions.defaults()
                    .withTimeouts(ControllerOptions.Timeouts.DEFAULT.withKeepAlive(400)));
            String failure = host.failures.poll(20, TimeUnit.SECONDS);
            assertTrue(failure.contains("Keep Alive was not answered within"), failure);
        }
    }

    /// Between a connection and its first command there is a moment in which it can be lost.
    @Test
    void aTargetThatEndsTheConnectionWithItsIcRespIsNotWaitedFor() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    Host host = new Host()) {
                Thread.ofPlatform().daemon().start(() -> {
                    try (Socket socket = server.accept()) {
                        MemorySegment icResp = MemorySegment.ofArray(new byte[IcResp.SIZE]);
                        IcResp.write(icResp, 0, 0, 0, 8192);
                        socket.getInputStream().readNBytes(IcReq.SIZE);
                        socket.getOutputStream().write(icResp.toArray(ValueLayout.JAVA_BYTE));
                    } catch (IOException e) {
                        // the host was faster
                    }
                });
                String sentence = assertThrows(NvmeException.class, () -> host.driver.connect(
                        TransportId.tcp("127.0.0.1", Integer.toString(server.getLocalPort()), Host.NQN),
                        ControllerOptions.defaults(), ControllerListener.IGNORE)).getMessage();
                assertTrue(sentence.contains("the controller has closed the connection")
                        || sentence.contains("the connection is lost"), sentence);
            }
        }
    }

    @Test
    void aPassedCommandHasNoPointersOfItsOwn() throws Exception {
        try (ScriptedTarget target = new ScriptedTarget(); Host host = new Host()) {
            BlockingQueue<Long> pointers = new LinkedBlockingQueue<>();
            target.onAdmin(0xc0, (c, command) -> {
                pointers.add(SubmissionQueueEntry.mptr(command.sqe(), 0));
                pointers.add(SubmissionQueueEntry.prp1(command.sqe(), 0));
                c.complete(command, 0, 0);
            });
            NvmeController controller = host.connect(target);
            MemorySegment given = MemorySegment.ofArray(new byte[SubmissionQueueEntry.SIZE]);
            given.fill((byte) 0x11);
            SubmissionQueueEntry.begin(given, 0, 0xc0, 0, 1);
            SubmissionQueueEntry.mptr(given, 0, 0x1000);
            SubmissionQueueEntry.prp1(given, 0, 0x2000);
            controller.admin().execute(request -> request.begin(given, 0));
            assertEquals(0, pointers.take());
            assertEquals(0, pointers.take());
        }
    }
}
