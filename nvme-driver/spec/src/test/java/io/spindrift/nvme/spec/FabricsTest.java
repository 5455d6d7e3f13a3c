package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.fabrics.AuthenticationCommand;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.ConnectResponse;
import io.spindrift.nvme.spec.fabrics.DisconnectCommand;
import io.spindrift.nvme.spec.fabrics.FabricsCommand;
import io.spindrift.nvme.spec.fabrics.Fctype;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Bytes laid out by hand with the figures of the specification.
class FabricsTest {
    private final MemorySegment sqe = MemorySegment.ofArray(new byte[64]);

    @Test
    void connectNamesAQueue() {
        ConnectCommand.write(sqe, 0, 0x1234, 3, 128, ConnectCommand.CATTR_DISABLE_SQ_FLOW_CONTROL, 120_000);
        SglDescriptor.inCapsule(sqe, SubmissionQueueEntry.DPTR, 0, ConnectData.SIZE);
        assertEquals(Hex.of("7f 40 3412 01") + "00".repeat(19) + Hex.of("0000000000000000 00040000 000000 01"
                + "0000 0300 7f00 04 00 c0d40100") + "00".repeat(12), Hex.of(sqe, 0, 64));
        assertEquals(Fctype.CONNECT, FabricsCommand.fctype(sqe, 0));
        assertEquals(3, ConnectCommand.qid(sqe, 0));
        assertEquals(127, ConnectCommand.sqsize(sqe, 0));
        assertEquals(4, ConnectCommand.cattr(sqe, 0));
        assertEquals(120_000, ConnectCommand.kato(sqe, 0));
        assertEquals(0, ConnectCommand.recfmt(sqe, 0));
        assertEquals("Connect", Fctype.name(1));
    }

    @Test
    void connectAnswersWithAControllerOrWithWhatWasWrong() {
        assertEquals(0x0006_0010,
                ConnectResponse.success(16, ConnectResponse.AUTHREQ_ATR | ConnectResponse.AUTHREQ_ASCR));
        assertEquals(16, ConnectResponse.cntlid(0x0002_0010));
        assertTrue(ConnectResponse.authenticationRequired(0x0002_0010));
        assertFalse(ConnectResponse.authenticationRequired(0x0000_0010));
        // HOSTNQN of the data is at 512, QID of the command at 42.
        assertEquals(0x0001_0200, ConnectResponse.invalidDataParameter(ConnectData.HOSTNQN.offset()));
        assertEquals(0x0000_002a, ConnectResponse.invalidCommandParameter(ConnectCommand.QID));
        assertTrue(ConnectResponse.inData(0x0001_0200));
        assertFalse(ConnectResponse.inData(0x0000_002a));
        assertEquals(512, ConnectResponse.ipo(0x0001_0200));
    }

    @Test
    void propertiesHaveFourOrEightBytes() {
        PropertyCommand.set(sqe, 0, 7, ControllerProperty.CC, 4, 0x0046_0001);
        assertEquals(Hex.of("7f 40 0700 00") + "00".repeat(35) + Hex.of("00 000000 14000000 0100460000000000")
                + "00".repeat(8), Hex.of(sqe, 0, 64));
        assertEquals(4, PropertyCommand.bytes(sqe, 0));
        assertEquals(0x14, PropertyCommand.ofst(sqe, 0));
        assertEquals(0x0046_0001, PropertyCommand.value(sqe, 0));
        PropertyCommand.get(sqe, 0, 7, ControllerProperty.CAP, 8);
        assertEquals(Hex.of("7f 40 0700 04") + "00".repeat(35) + Hex.of("01 000000 00000000") + "00".repeat(16),
                Hex.of(sqe, 0, 64));
        assertEquals(8, PropertyCommand.bytes(sqe, 0));
        LittleEndian.u8(sqe, PropertyCommand.ATTRIB, 2);
        assertEquals(0, PropertyCommand.bytes(sqe, 0));
    }

    @Test
    void otherCommandsHaveTheirTypeWhereOthersHaveTheNamespace() {
        DisconnectCommand.write(sqe, 0, 9);
        assertEquals(Hex.of("7f 40 0900 08") + "00".repeat(59), Hex.of(sqe, 0, 64));
        assertEquals(0, DisconnectCommand.recfmt(sqe, 0));
        MemorySegment receive = Hex.parse("7f 40 0100 06" + "00".repeat(35) + "00 01 02 e9 00080000" + "00".repeat(16));
        assertEquals(Fctype.AUTHENTICATION_RECEIVE, FabricsCommand.fctype(receive, 0));
        assertEquals(1, AuthenticationCommand.spsp0(receive, 0));
        assertEquals(2, AuthenticationCommand.spsp1(receive, 0));
        assertEquals(AuthenticationCommand.SECP_NVME, AuthenticationCommand.secp(receive, 0));
        assertEquals(2048, AuthenticationCommand.length(receive, 0));
    }
}
