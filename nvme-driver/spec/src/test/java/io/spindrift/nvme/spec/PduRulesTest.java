package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.R2T;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class PduRulesTest {
    private static final long AT = 5;
    private final MemorySegment pdu = MemorySegment.ofArray(new byte[40]);

    @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
    void whatIsWrittenHereIsValid(@ForAll boolean headerDigest, @ForAll boolean dataDigest,
            @ForAll @IntRange(max = 31) int pda, @ForAll @IntRange(min = 1, max = 8192) int data) {
        int alignment = PduRules.alignment(pda);
        CapsuleCmd.write(pdu, AT, headerDigest);
        assertValid(true, headerDigest, dataDigest, alignment, 0);
        CapsuleCmd.write(pdu, AT, headerDigest, dataDigest, alignment, data);
        assertValid(true, headerDigest, dataDigest, alignment, data);
        H2CData.write(pdu, AT, headerDigest, dataDigest, alignment, true, 1, 2, 0, data);
        assertValid(true, headerDigest, dataDigest, alignment, data);
        C2HData.write(pdu, AT, headerDigest, dataDigest, alignment, 0, 1, 0, data);
        assertValid(false, headerDigest, dataDigest, alignment, data);
        CapsuleResp.write(pdu, AT, headerDigest);
        assertValid(false, headerDigest, dataDigest, alignment, 0);
        R2T.write(pdu, AT, headerDigest, 1, 2, 0, data);
        assertValid(false, headerDigest, dataDigest, alignment, 0);
    }

    private void assertValid(boolean fromHost, boolean headerDigest, boolean dataDigest, int alignment, int data) {
        assertEquals(PduRules.VALID,
                PduRules.invalidField(pdu, AT, fromHost, headerDigest, dataDigest, alignment, 8192));
        assertEquals(data, PduRules.dataLength(pdu, AT, headerDigest, dataDigest));
        if (data > 0) {
            int header = PduHeader.hlen(pdu, AT) + (headerDigest ? 4 : 0);
            int padding = PduHeader.pdo(pdu, AT) - header;
            assertTrue(padding >= 0 && padding < alignment, "padding " + padding);
            assertEquals(0, PduHeader.pdo(pdu, AT) % alignment);
            assertEquals(header + padding + data + (dataDigest ? 4 : 0), PduHeader.plen(pdu, AT));
        }
    }

    @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
    void whateverAPeerSendsIsValidOrHasAWrongField(@ForAll byte type, @ForAll byte hlen, @ForAll byte pdo,
            @ForAll int plen, @ForAll boolean fromHost, @ForAll boolean headerDigest, @ForAll boolean dataDigest,
            @ForAll @IntRange(max = 31) int pda) {
        PduHeader.write(pdu, AT, type, 0, hlen, pdo, plen);
        assertSane(fromHost, headerDigest, dataDigest, pda);
    }

    @Property(tries = 5_000, edgeCases = EdgeCasesMode.NONE)
    void almostRightPdusAreValidOrHaveAWrongField(@ForAll @ByteRange(max = 10) byte type,
            @ForAll @IntRange(max = 160) int pdo, @ForAll @LongRange(max = 9000) long plen, @ForAll boolean fromHost,
            @ForAll boolean headerDigest, @ForAll boolean dataDigest, @ForAll @IntRange(max = 31) int pda) {
        PduHeader.write(pdu, AT, type, 0, PduType.hlen(type), pdo, plen);
        assertSane(fromHost, headerDigest, dataDigest, pda);
    }

    private void assertSane(boolean fromHost, boolean headerDigest, boolean dataDigest, int pda) {
        int field = PduRules.invalidField(pdu, AT, fromHost, headerDigest, dataDigest, PduRules.alignment(pda), 8192);
        if (field == PduRules.VALID) {
            long length = PduRules.dataLength(pdu, AT, headerDigest, dataDigest);
            long most = switch (PduHeader.type(pdu, AT)) {
                case PduType.CAPSULE_CMD, PduType.H2C_DATA, PduType.C2H_DATA -> 8192;
                case PduType.H2C_TERM_REQ, PduType.C2H_TERM_REQ -> 128;
                default -> 0;
            };
            assertTrue(length >= 0 && length <= most, "type " + PduHeader.type(pdu, AT) + ", data " + length);
        } else {
            assertTrue(field == 0 || field == 2 || field == 3 || field == 4, "field " + field);
        }
    }
}
