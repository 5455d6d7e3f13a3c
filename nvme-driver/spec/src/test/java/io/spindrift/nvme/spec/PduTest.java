package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.IcReq;
import io.spindrift.nvme.spec.tcp.IcResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Bytes laid out by hand with the figures of the specification, at an odd offset.
class PduTest {
    private static final long AT = 5;
    private static final int DWORDS = PduRules.alignment(0);
    private final MemorySegment pdu = MemorySegment.ofArray(new byte[160]).fill((byte) 0xee);

    private int invalidField(boolean fromHost, boolean headerDigest, boolean dataDigest) {
        return PduRules.invalidField(pdu, AT, fromHost, headerDigest, dataDigest, DWORDS, 8192);
    }

    @Test
    void connectionsBeginWith128BytesEach() {
        IcReq.write(pdu, AT, 3, IcReq.HDGST_ENABLE | IcReq.DDGST_ENABLE, 0x0102_0304L);
        assertEquals(Hex.of("00 00 80 00 80000000 0000 03 03 04030201") + "00".repeat(112) + "ee",
                Hex.of(pdu, AT, 129));
        assertEquals(3, IcReq.hpda(pdu, AT));
        assertEquals(3, IcReq.dgst(pdu, AT));
        assertEquals(0, IcReq.pfv(pdu, AT));
        assertEquals(0x0102_0304L, IcReq.maxr2t(pdu, AT));
        assertEquals(PduRules.VALID, invalidField(true, true, true));
        IcResp.write(pdu, AT, 31, IcReq.DDGST_ENABLE, 131_072);
        assertEquals(Hex.of("01 00 80 00 80000000 0000 1f 02 00000200") + "00".repeat(112) + "ee",
                Hex.of(pdu, AT, 129));
        assertEquals(31, IcResp.cpda(pdu, AT));
        assertEquals(2, IcResp.dgst(pdu, AT));
        assertEquals(0, IcResp.pfv(pdu, AT));
        assertEquals(131_072, IcResp.maxh2cdata(pdu, AT));
        assertEquals(PduRules.VALID, invalidField(false, true, true));
    }

    @Test
    void capsulesCarryEntriesAfterEightBytes() {
        CapsuleCmd.write(pdu, AT, false);
        assertEquals(Hex.of("04 00 48 00 48000000"), Hex.of(pdu, AT, 8));
        CapsuleCmd.write(pdu, AT, true);
        assertEquals(Hex.of("04 01 48 00 4c000000"), Hex.of(pdu, AT, 8));
        assertEquals(0, PduRules.dataLength(pdu, AT, true, true));
        CapsuleCmd.write(pdu, AT, true, true, PduRules.alignment(3), 4096);
        assertEquals(Hex.of("04 03 48 50 54100000"), Hex.of(pdu, AT, 8)); // 72 + 4, up to 80, 4096, 4
        assertEquals(4096, PduRules.dataLength(pdu, AT, true, true));
        CapsuleResp.write(pdu, AT, false);
        assertEquals(Hex.of("05 00 18 00 18000000"), Hex.of(pdu, AT, 8));
        CapsuleResp.write(pdu, AT, true);
        assertEquals(Hex.of("05 01 18 00 1c000000"), Hex.of(pdu, AT, 8));
        assertEquals(8 + SubmissionQueueEntry.SIZE, CapsuleCmd.SQE + SubmissionQueueEntry.SIZE);
        assertEquals(CapsuleCmd.SIZE, CapsuleCmd.SQE + SubmissionQueueEntry.SIZE);
        assertEquals(CapsuleResp.SIZE, CapsuleResp.CQE + CompletionQueueEntry.SIZE);
    }

    @Test
    void dataGoesEitherWay() {
        H2CData.write(pdu, AT, false, true, DWORDS, true, 0x1122, 0x3344, 0x0001_0000, 0x2000);
        assertEquals(Hex.of("06 06 18 18 1c200000 2211 4433 00000100 00200000 00000000"), Hex.of(pdu, AT, 24));
        assertEquals(0x1122, H2CData.cccid(pdu, AT));
        assertEquals(0x3344, H2CData.ttag(pdu, AT));
        assertEquals(0x0001_0000, H2CData.datao(pdu, AT));
        assertEquals(0x2000, H2CData.datal(pdu, AT));
        assertEquals(0x2000, PduRules.dataLength(pdu, AT, false, true));
        C2HData.write(pdu, AT, true, false, PduRules.alignment(31), PduHeader.LAST_PDU | PduHeader.SUCCESS, 0x1122, 0,
                512);
        assertEquals(Hex.of("07 0d 18 80 80020000 2211 0000 00000000 00020000 00000000"), Hex.of(pdu, AT, 24));
        assertEquals(0x1122, C2HData.cccid(pdu, AT));
        assertEquals(0, C2HData.datao(pdu, AT));
        assertEquals(512, C2HData.datal(pdu, AT));
        R2T.write(pdu, AT, true, 0x1122, 0x3344, 0x8000_0000L, 0x2_0000);
        assertEquals(Hex.of("09 01 18 00 1c000000 2211 4433 00000080 00000200 00000000"), Hex.of(pdu, AT, 24));
        assertEquals(0x1122, R2T.cccid(pdu, AT));
        assertEquals(0x3344, R2T.ttag(pdu, AT));
        assertEquals(0x8000_0000L, R2T.r2to(pdu, AT));
        assertEquals(0x2_0000, R2T.r2tl(pdu, AT));
    }

    @Test
    void terminationTellsTheFieldThatWasWrong() {
        TermReq.write(pdu, AT, PduType.C2H_TERM_REQ, TermReq.FES_INVALID_PDU_HEADER_FIELD, PduHeader.PLEN, 8);
        assertEquals(Hex.of("03 00 18 00 20000000 0100 04000000") + "00".repeat(10), Hex.of(pdu, AT, 24));
        assertEquals(8, PduRules.dataLength(pdu, AT, true, true));
        assertEquals(1, TermReq.fes(pdu, AT));
        assertEquals(4, TermReq.fei(pdu, AT));
        assertEquals(PduRules.VALID, invalidField(false, true, true));
        assertEquals("R2T Limit Exceeded", TermReq.name(5, true));
        assertEquals("Data Transfer Limit Exceeded", TermReq.name(5, false));
    }

    /// Type, flags, HLEN, PDO, PLEN of a PDU that a host sends, with a header digest and 8,192 bytes of data at most.
    private int invalidField(int type, int hlen, int pdo, long plen) {
        PduHeader.write(pdu, AT, type, 0, hlen, pdo, plen);
        return invalidField(true, true, false);
    }

    @Test
    void rulesTellWhichFieldIsWrong() {
        assertEquals(0, invalidField(0x08, 24, 0, 28));
        assertEquals(0, invalidField(0xff, 24, 0, 28));
        assertEquals(0, invalidField(PduType.IC_RESP, 128, 0, 128));
        assertEquals(0, invalidField(PduType.R2T, 24, 0, 28));
        assertEquals(2, invalidField(PduType.IC_REQ, 127, 0, 128));
        assertEquals(2, invalidField(PduType.H2C_DATA, 72, 28, 540));
        assertEquals(4, invalidField(PduType.IC_REQ, 128, 0, 132));
        assertEquals(4, invalidField(PduType.CAPSULE_CMD, 72, 0, 72));
        assertEquals(PduRules.VALID, invalidField(PduType.CAPSULE_CMD, 72, 0, 76));
        assertEquals(PduRules.VALID, invalidField(PduType.CAPSULE_CMD, 72, 99, 76));
        assertEquals(PduRules.VALID, invalidField(PduType.CAPSULE_CMD, 72, 76, 77));
        assertEquals(3, invalidField(PduType.CAPSULE_CMD, 72, 72, 4172));
        assertEquals(3, invalidField(PduType.CAPSULE_CMD, 72, 78, 4174));
        assertEquals(4, invalidField(PduType.CAPSULE_CMD, 72, 80, 80));
        assertEquals(PduRules.VALID, invalidField(PduType.H2C_DATA, 24, 28, 28 + 8192));
        assertEquals(4, invalidField(PduType.H2C_DATA, 24, 28, 28 + 8193));
        assertEquals(4, invalidField(PduType.H2C_DATA, 24, 28, 28));
        assertEquals(4, invalidField(PduType.H2C_DATA, 24, 28, 0));
        assertEquals(4, invalidField(PduType.H2C_DATA, 24, 28, 0xffff_ffffL));
        assertEquals(4, invalidField(PduType.H2C_TERM_REQ, 24, 0, 153));
        assertEquals(4, invalidField(PduType.H2C_TERM_REQ, 24, 0, 23));
        assertEquals(PduRules.VALID, invalidField(PduType.H2C_TERM_REQ, 24, 0, 152));
    }

    @Test
    void rulesCountTheDataDigest() {
        PduHeader.write(pdu, AT, PduType.H2C_DATA, 0, 24, 24, 24 + 4);
        assertEquals(PduHeader.PLEN, invalidField(true, false, true));
        PduHeader.write(pdu, AT, PduType.H2C_DATA, 0, 24, 24, 24 + 4 + 1);
        assertEquals(PduRules.VALID, invalidField(true, false, true));
        PduHeader.write(pdu, AT, PduType.H2C_DATA, 0, 24, 24, 24 + 4 + 8192);
        assertEquals(PduRules.VALID, invalidField(true, false, true));
    }
}
