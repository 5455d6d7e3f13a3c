package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.PduType;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.ByteRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class PduRulesTest {
    private static final long AT = 5;
    private final MemorySegment pdu = MemorySegment.ofArray(new byte[16]);

    @Property
    void whateverAPeerSendsIsValidOrHasAWrongField(@ForAll byte type, @ForAll byte hlen, @ForAll byte pdo,
            @ForAll int plen, @ForAll boolean fromHost, @ForAll boolean headerDigest, @ForAll boolean dataDigest,
            @ForAll @IntRange(max = 31) int pda) {
        PduHeader.write(pdu, AT, type, 0, hlen, pdo, plen);
        assertSane(fromHost, headerDigest, dataDigest, pda);
    }

    @Property
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
