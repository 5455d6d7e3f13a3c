package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// PDUs that break a rule of the NVMe/TCP transport specification 1.0: each costs its sender the connection, with the Fatal
/// Error Status and Information of the rule, and nobody else anything.
@Timeout(60)
class HostilePduTest extends BesideGoodHost {
    private static final int MAX_IO = 131_072;
    private static final long LARGEST = 0xffff_ffffL;

    /// Some PDUs of a host at the beginning of `pdu`.
    private interface Wrong {
        /// Returns how many bytes.
        long write(MemorySegment pdu);
    }

    /// The answer must be C2HTermReq with this status, and what was wrong, then the end of the stream.
    private static void assertTerminated(TcpHost host, int fes, int fei) throws IOException {
        MemorySegment answer = host.receive();
        assertNotNull(answer, "the stream ended without C2HTermReq");
        assertEquals(PduType.name(PduType.C2H_TERM_REQ), PduType.name(PduHeader.type(answer, 0)));
        assertEquals(TermReq.name(fes, false), TermReq.name(TermReq.fes(answer, 0), false));
        assertEquals(fei, TermReq.fei(answer, 0), "FEI");
        assertEquals(TermReq.SIZE, PduHeader.hlen(answer, 0));
        assertNull(host.receive(), "then the stream ends");
    }

    private void assertTerminated(TcpHost host, int fes, int fei, Wrong wrong) throws IOException {
        try (host) {
            host.send(wrong.write(host.memory()));
            assertTerminated(host, fes, fei);
        }
    }

    /// After ICReq.
    private void assertTerminated(int fes, int fei, Wrong wrong) throws IOException {
        assertTerminated(target.connected(), fes, fei, wrong);
    }

    private static long header(MemorySegment pdu, int type, int flags, int hlen, int pdo, long plen) {
        pdu.asSlice(0, 1024).fill((byte) 0);
        PduHeader.write(pdu, 0, type, flags, hlen, pdo, plen);
        return Math.max(hlen, PduHeader.SIZE);
    }

    // ---- the common header ------------------------------------------------------------------------------------

    /// Those that only a controller sends, and those that nobody does.
    @ParameterizedTest
    @ValueSource(ints = {PduType.IC_RESP, PduType.C2H_TERM_REQ, PduType.CAPSULE_RESP, PduType.C2H_DATA, PduType.R2T, 8,
            0xa, 0x55, 0xff})
    void aTypeThatNoHostSends(int type) throws Exception {
        int hlen = switch (type) {
            case PduType.IC_RESP -> IcResp.SIZE;
            case PduType.CAPSULE_RESP -> CapsuleResp.SIZE;
            case PduType.C2H_DATA -> C2HData.SIZE;
            default -> R2T.SIZE;
        };
        assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.TYPE,
                pdu -> header(pdu, type, 0, hlen, 0, hlen));
        assertTerminated(new TcpHost(target.port), TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.TYPE,
                pdu -> header(pdu, type, 0, hlen, 0, hlen));
    }

    @ParameterizedTest
    @CsvSource({"4, 0", "4, 8", "4, 71", "4, 73", "4, 255", "6, 23", "6, 25", "6, 72", "2, 23", "2, 25", "0, 127"})
    void aHeaderLengthThatIsNotTheTypes(int type, int hlen) throws Exception {
        TcpHost host = type == PduType.IC_REQ ? new TcpHost(target.port) : target.connected();
        assertTerminated(host, TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.HLEN,
                pdu -> header(pdu, type, 0, hlen, 0, 1096));
    }

    /// With in-capsule data and with H2CData: before the header ends, and no multiple of 4 (CPDA is 0).
    @ParameterizedTest
    @CsvSource({"4, 72, 0", "4, 72, 4", "4, 72, 71", "4, 72, 73", "4, 72, 255", "6, 24, 0", "6, 24, 20", "6, 24, 25",
            "6, 24, 254"})
    void aDataOffsetThatCannotBe(int type, int hlen, int pdo) throws Exception {
        assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PDO,
                pdu -> header(pdu, type, 0, hlen, pdo, 1096));
    }

    /// Shorter than the header, no longer than up to the data, and more than a capsule may carry.
    @ParameterizedTest
    @CsvSource({"4, 72, 72, 0", "4, 72, 72, 7", "4, 72, 72, 71", "4, 72, 76, 74", "4, 72, 76, 76", "4, 72, 72, 8265",
            "4, 72, 72, 2147483648", "4, 72, 72, 4294967295", "6, 24, 24, 0", "6, 24, 24, 23", "6, 24, 24, 24",
            "6, 24, 28, 28", "2, 24, 0, 0", "2, 24, 0, 23", "2, 24, 0, 153", "2, 24, 0, 4294967295"})
    void aLengthThatCannotBe(int type, int hlen, int pdo, long plen) throws Exception {
        assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN,
                pdu -> header(pdu, type, 0, hlen, pdo, plen));
    }

    /// MAXH2CDATA of ICResp is the longest transfer.
    @ParameterizedTest
    @ValueSource(longs = {24 + MAX_IO + 1, 1 << 20, 0x8000_0000L, LARGEST})
    void moreDataThanMaxH2cData(long plen) throws Exception {
        assertTerminated(TermReq.FES_DATA_TRANSFER_LIMIT_EXCEEDED, 0,
                pdu -> header(pdu, PduType.H2C_DATA, 0, H2CData.SIZE, H2CData.SIZE, plen));
    }

    @ParameterizedTest
    @CsvSource({"4, 1, 72", "4, 1, 1096", "4, 2, 1096", "6, 1, 1096", "6, 2, 1096"})
    void flagsOfDigestsThatWereNotAgreedUpon(int type, int flags, long plen) throws Exception {
        int hlen = PduType.hlen(type);
        assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS,
                pdu -> header(pdu, type, flags, hlen, hlen, plen));
    }

    /// FEI is the digest that was received.
    @Test
    void aHeaderDigestThatIsWrong() throws Exception {
        assertTerminated(new TcpHost(target.port).initialize(true, false), TermReq.FES_HEADER_DIGEST_ERROR, 0x1234_5678,
                pdu -> {
                    header(pdu, PduType.CAPSULE_CMD, PduHeader.HDGSTF, CapsuleCmd.SIZE, 0, CapsuleCmd.SIZE + 4);
                    LittleEndian.dword(pdu, CapsuleCmd.SIZE, 0x1234_5678);
                    return CapsuleCmd.SIZE + 4;
                });
    }

    /// The header that was wrong follows the 24 bytes of C2HTermReq.
    @Test
    void theWrongHeaderIsSentBack() throws Exception {
        try (TcpHost host = target.connected()) {
            header(host.memory(), PduType.IC_REQ, 0, IcReq.SIZE, 0, IcReq.SIZE);
            LittleEndian.u32(host.memory(), IcReq.MAXR2T, 0x0102_0304);
            MemorySegment sent = host.memory().asSlice(0, IcReq.SIZE);
            host.send(IcReq.SIZE);
            MemorySegment answer = host.receive();
            assertEquals(TermReq.SIZE + IcReq.SIZE, PduHeader.plen(answer, 0));
            assertEquals(-1, sent.mismatch(answer.asSlice(TermReq.SIZE)));
        }
    }

    /// The unread rest must not make the kernel reset the connection, which would take C2HTermReq back.
    @Test
    void aTerminationArrivesHoweverMuchTheHostHasSent() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.TYPE, pdu -> {
                header(pdu, 0x55, 0, 24, 0, 24);
                return pdu.byteSize();
            });
        }
    }

    /// A host that is told to go and does not.
    @Test
    void aHostThatStaysIsSentAway() throws Exception {
        try (TcpHost host = target.connected()) {
            header(host.memory(), 0x55, 0, 24, 0, 24);
            host.send(24);
            assertTerminated(host, TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.TYPE);
            assertThrows(IOException.class, () -> {
                while (true) {
                    host.send(1); // until the target has closed the connection
                    LockSupport.parkNanos(1_000_000);
                }
            });
        }
    }

    // ---- ICReq ------------------------------------------------------------------------------------------------

    private void assertRefused(int fes, int fei, Wrong wrong) throws IOException {
        assertTerminated(new TcpHost(target.port), fes, fei, wrong);
    }

    @Test
    void icReqThatCannotBe() throws Exception {
        for (long plen : new long[]{0, 127, 129, LARGEST}) {
            assertRefused(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN,
                    pdu -> header(pdu, PduType.IC_REQ, 0, IcReq.SIZE, 0, plen));
        }
        for (int pfv : new int[]{1, 0x100, 0xffff}) {
            assertRefused(TermReq.FES_UNSUPPORTED_PARAMETER, IcReq.PFV, pdu -> {
                IcReq.write(pdu, 0, 0, 0, 0);
                LittleEndian.u16(pdu, IcReq.PFV, pfv);
                return IcReq.SIZE;
            });
        }
        for (int hpda : new int[]{32, 128, 255}) {
            assertRefused(TermReq.FES_INVALID_PDU_HEADER_FIELD, IcReq.HPDA, pdu -> {
                IcReq.write(pdu, 0, hpda, 0, 0);
                return IcReq.SIZE;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, LARGEST})
    void anyNumberOfTransfersAtOnceWillDo(long maxr2t) throws Exception {
        try (TcpHost host = new TcpHost(target.port)) {
            IcReq.write(host.memory(), 0, 0, 0, maxr2t);
            host.send(IcReq.SIZE);
            assertEquals(PduType.IC_RESP, PduHeader.type(host.receive(), 0));
        }
    }

    @Test
    void aSecondIcReq() throws Exception {
        assertTerminated(TermReq.FES_PDU_SEQUENCE_ERROR, 0, pdu -> {
            IcReq.write(pdu, 0, 0, 0, 0);
            return IcReq.SIZE;
        });
    }

    @Test
    void anythingBeforeIcReq() throws Exception {
        assertRefused(TermReq.FES_PDU_SEQUENCE_ERROR, 0,
                pdu -> header(pdu, PduType.CAPSULE_CMD, 0, CapsuleCmd.SIZE, 0, CapsuleCmd.SIZE));
        assertRefused(TermReq.FES_PDU_SEQUENCE_ERROR, 0,
                pdu -> header(pdu, PduType.H2C_DATA, 0, H2CData.SIZE, H2CData.SIZE, H2CData.SIZE + 512) + 512);
    }

    // ---- H2CTermReq -------------------------------------------------------------------------------------------

    @Test
    void aTerminationOfAnyLengthEndsTheConnection() throws Exception {
        for (int plen = TermReq.SIZE; plen <= TermReq.MAX_PLEN; plen++) {
            try (TcpHost host = plen % 2 == 0 ? target.connected() : new TcpHost(target.port)) {
                header(host.memory(), PduType.H2C_TERM_REQ, 0, TermReq.SIZE, 0, plen);
                LittleEndian.u16(host.memory(), TermReq.FES, plen);
                host.send(plen);
                assertNull(host.receive(), "no answer to " + plen + " bytes");
            }
        }
    }

    // ---- H2CData ----------------------------------------------------------------------------------------------

    /// Sends a Write of `bytes` that needs R2T.
    private static int writeCapsule(TcpHost host, MemorySegment pdu, long at, int bytes) {
        MemorySegment sqe = LiveTarget.blocks(host, NvmOpcode.WRITE, 0, bytes);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
        SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, bytes);
        CapsuleCmd.write(pdu, at, false);
        MemorySegment.copy(sqe, 0, pdu, at + CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        return SubmissionQueueEntry.cid(sqe, 0);
    }

    /// What a host sends when it has an R2T for 8 KiB.
    private interface WrongData {
        void write(MemorySegment pdu, int cid, int tag);
    }

    private TcpHost ioQueue() throws IOException {
        int[] cntlid = new int[1];
        other = target.admin(false, false, cntlid);
        return target.io(1, cntlid[0], false, false);
    }

    private TcpHost other;

    private void assertDataTerminated(int fes, int fei, WrongData wrong) throws IOException {
        try (TcpHost host = ioQueue()) {
            writeCapsule(host, host.memory(), 0, 8192);
            host.send(CapsuleCmd.SIZE);
            MemorySegment r2t = host.receive();
            assertEquals(PduType.R2T, PduHeader.type(r2t, 0));
            wrong.write(host.memory(), R2T.cccid(r2t, 0), R2T.ttag(r2t, 0));
            host.send(Math.min(PduHeader.plen(host.memory(), 0), 16_384));
            assertTerminated(host, fes, fei);
        }
        other.close();
    }

    private static void data(MemorySegment pdu, boolean last, int cid, int tag, long offset, long length) {
        H2CData.write(pdu, 0, false, false, 4, last, cid, tag, offset, length);
    }

    @Test
    void dataThatNobodyHasAskedFor() throws Exception {
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG,
                (pdu, cid, tag) -> data(pdu, true, cid, tag + 1, 0, 8192));
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG,
                (pdu, cid, _) -> data(pdu, true, cid, 0xffff, 0, 8192));
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.CCCID,
                (pdu, cid, tag) -> data(pdu, true, cid + 1, tag, 0, 8192));
    }

    @Test
    void dataOutsideOfWhatIsAskedFor() throws Exception {
        assertDataTerminated(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0,
                (pdu, cid, tag) -> data(pdu, false, cid, tag, 512, 4096));
        assertDataTerminated(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0,
                (pdu, cid, tag) -> data(pdu, true, cid, tag, 0, 8193));
        assertDataTerminated(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0,
                (pdu, cid, tag) -> data(pdu, true, cid, tag, 8192, 512));
        assertDataTerminated(TermReq.FES_DATA_TRANSFER_OUT_OF_RANGE, 0,
                (pdu, cid, tag) -> data(pdu, true, cid, tag, LARGEST, 512));
    }

    @Test
    void dataLengthsThatDisagree() throws Exception {
        for (long length : new long[]{0, 1, 8191, 8193, LARGEST}) {
            assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.DATAL, (pdu, cid, tag) -> {
                data(pdu, true, cid, tag, 0, 8192);
                LittleEndian.u32(pdu, H2CData.DATAL, length);
            });
        }
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN,
                (pdu, cid, tag) -> data(pdu, true, cid, tag, 0, 0));
    }

    @Test
    void aLastFlagThatIsWrong() throws Exception {
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS,
                (pdu, cid, tag) -> data(pdu, false, cid, tag, 0, 8192));
        assertDataTerminated(TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.FLAGS,
                (pdu, cid, tag) -> data(pdu, true, cid, tag, 0, 4096));
    }

    @Test
    void dataBeforeTheyAreAskedFor() throws Exception {
        try (TcpHost host = ioQueue()) {
            MemorySegment pdu = host.memory();
            int cid = writeCapsule(host, pdu, 0, 512);
            H2CData.write(pdu, CapsuleCmd.SIZE, false, false, 4, true, cid, 0, 0, 512);
            host.send(CapsuleCmd.SIZE + H2CData.SIZE + 512);
            MemorySegment first = host.receive();
            if (PduHeader.type(first, 0) == PduType.R2T) { // it was on its way already
                first = host.receive();
            }
            assertEquals(PduType.C2H_TERM_REQ, PduHeader.type(first, 0));
            assertEquals(TermReq.FES_INVALID_PDU_HEADER_FIELD, TermReq.fes(first, 0));
            assertEquals(H2CData.TTAG, TermReq.fei(first, 0));
        }
        other.close();
    }

    @Test
    void dataOfACommandThatHasEnded() throws Exception {
        try (TcpHost host = ioQueue()) {
            assertEquals(0, LiveTarget.write(host, 0, new byte[8192], false).status());
            data(host.memory(), true, 0x4002, 0, 0, 512);
            host.send(H2CData.SIZE + 512);
            assertTerminated(host, TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG);
        }
        other.close();
    }

    /// An Asynchronous Event Request is on its way for as long as one likes.
    @Test
    void dataOfACommandThatHasNone() throws Exception {
        try (TcpHost host = target.admin(false, false, new int[1])) {
            MemorySegment pdu = host.memory();
            header(pdu, PduType.CAPSULE_CMD, 0, CapsuleCmd.SIZE, 0, CapsuleCmd.SIZE);
            SubmissionQueueEntry.begin(pdu, CapsuleCmd.SQE, AdminOpcode.ASYNC_EVENT_REQUEST, 7, 0);
            SubmissionQueueEntry.psdt(pdu, CapsuleCmd.SQE, SubmissionQueueEntry.PSDT_SGL);
            H2CData.write(pdu, CapsuleCmd.SIZE, false, false, 4, true, 7, 0, 0, 512);
            host.send(CapsuleCmd.SIZE + H2CData.SIZE + 512);
            assertTerminated(host, TermReq.FES_INVALID_PDU_HEADER_FIELD, H2CData.TTAG);
        }
    }

    // ---- too much ---------------------------------------------------------------------------------------------

    @Test
    void moreCommandsThanTheQueueIsDeep() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost owner = target.admin(false, false, cntlid); TcpHost host = target.connected()) {
            assertEquals(0, host.connect(1, 2, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]).status());
            for (int i = 0; i < 3; i++) {
                writeCapsule(host, host.memory(), (long) i * CapsuleCmd.SIZE, 8192);
            }
            host.send(3 * CapsuleCmd.SIZE);
            MemorySegment answer = host.receive();
            while (PduHeader.type(answer, 0) == PduType.R2T) {
                answer = host.receive();
            }
            assertEquals(PduType.C2H_TERM_REQ, PduHeader.type(answer, 0));
            assertEquals(TermReq.FES_PDU_SEQUENCE_ERROR, TermReq.fes(answer, 0));
            LiveTarget.assertAlive(owner);
        }
    }

    /// Each of its responses stays with the target, at most as many as the queue is deep.
    @Test
    void aHostThatNeverReads() throws Exception {
        int[] cntlid = new int[1];
        int before = target.freeBuffers()[1];
        try (TcpHost owner = target.admin(false, false, cntlid);
                TcpHost host = new TcpHost(InetAddress.getLoopbackAddress(), target.port, 4096)) {
            host.initialize(false, false);
            assertEquals(0, host.connect(1, 128, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]).status());
            for (int i = 0; i < 128; i++) {
                MemorySegment sqe = LiveTarget.blocks(host, NvmOpcode.READ, 0, MAX_IO);
                SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
                SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, MAX_IO);
                CapsuleCmd.write(host.memory(), 0, false);
                MemorySegment.copy(sqe, 0, host.memory(), CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
                host.send(CapsuleCmd.SIZE);
            }
            assertGoodHostWorks();
            int held = before - target.freeBuffers()[1];
            assertTrue(held > 0 && held <= 128, held + " buffers are held");
            LiveTarget.assertAlive(owner);
        }
    }

    /// Cut in order, by a reset, in the middle of a PDU, and many that are there at once.
    @Test
    void thousandsOfConnectionsThatAreCut() throws Exception {
        for (int i = 0; i < 2000; i++) {
            TcpHost host = new TcpHost(target.port);
            IcReq.write(host.memory(), 0, 0, 0, 0);
            host.send(switch (i % 4) {
                case 0 -> 0;
                case 1 -> 1 + i % 126;
                default -> IcReq.SIZE;
            });
            if (i % 2 == 0) {
                host.reset();
            } else {
                host.close();
            }
        }
        List<TcpHost> hosts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            hosts.add(target.connected());
        }
        assertGoodHostWorks();
        for (TcpHost host : hosts) {
            host.close();
        }
    }
}
