package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.test.nvmf.TcpHost.Completion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Connect and Property commands that cannot be (NVM Express base specification 2.0, 6.3, 6.5, 6.6). Connect Invalid Parameters
/// is SCT 1, SC 82h; its dword 0 has the offset of what is invalid, and bit 16 if that is in the data.
@Timeout(60)
class HostileConnectTest extends BesideGoodHost {
    private static final int INVALID_PARAMETERS = 0x182;
    private static final int IN_DATA = 1 << 16;
    // Offsets of the command and its data (base specification 2.0, figures of 6.3).
    private static final int QID = 42;
    private static final int SQSIZE = 44;
    private static final int HOSTID = IN_DATA;
    private static final int CNTLID = IN_DATA | 16;
    private static final int SUBNQN = IN_DATA | 256;
    private static final int HOSTNQN = IN_DATA | 512;
    private static final int NQN_FIELD = 256;

    /// A Connect command that is right, for a test to spoil.
    private static MemorySegment command(TcpHost host, int qid, int entries) {
        MemorySegment sqe = LiveTarget.sqe();
        ConnectCommand.write(sqe, 0, host.nextCid(), qid, entries, 0, 0);
        return sqe;
    }

    private static MemorySegment data(int cntlid) {
        MemorySegment data = Arena.ofAuto().allocate(ConnectData.SIZE);
        data.asSlice(0, 16).fill((byte) 0x5a); // HOSTID
        ConnectData.CNTLID.set(data, 0, cntlid);
        ConnectData.SUBNQN.set(data, 0, LiveTarget.NQN);
        ConnectData.HOSTNQN.set(data, 0, TcpHost.HOST_NQN);
        return data;
    }

    private static MemorySegment data() {
        return data(ConnectData.CNTLID_DYNAMIC);
    }

    private static Completion send(TcpHost host, MemorySegment sqe, MemorySegment data) throws IOException {
        return host.execute(sqe, data.toArray(ValueLayout.JAVA_BYTE), true, 0);
    }

    private static int code(Completion completion) {
        return completion.status() & 0x7ff;
    }

    private static void assertCode(int expected, Completion completion) {
        assertEquals(Integer.toHexString(expected), Integer.toHexString(code(completion)), "SCT and SC");
    }

    /// It is refused for this reason, and a Connect that is right may follow.
    private void assertRefused(int dw0, MemorySegment data) throws IOException {
        try (TcpHost host = target.connected()) {
            Completion refused = send(host, command(host, 0, 32), data);
            assertCode(INVALID_PARAMETERS, refused);
            assertEquals(Integer.toHexString(dw0), Long.toHexString(refused.dw0()), "dword 0");
            assertCode(0, send(host, command(host, 0, 32), data()));
        }
    }

    private void assertCommandRefused(int status, int dw0, Consumer<MemorySegment> spoil) throws IOException {
        try (TcpHost host = target.connected()) {
            MemorySegment sqe = command(host, 0, 32);
            spoil.accept(sqe);
            Completion refused = send(host, sqe, data());
            assertCode(status, refused);
            assertEquals(dw0, refused.dw0(), "dword 0");
            assertCode(0, send(host, command(host, 0, 32), data()));
        }
    }

    private static void name(MemorySegment data, int field, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment at = data.asSlice(field & 0xffff, NQN_FIELD);
        at.fill((byte) 0);
        MemorySegment.copy(bytes, 0, at, ValueLayout.JAVA_BYTE, 0, bytes.length);
    }

    // ---- names ------------------------------------------------------------------------------------------------

    private static String ofBytes(int length) {
        String start = "nqn.2016-06.io.spdk:";
        return start + "x".repeat(length - start.length());
    }

    @Test
    void namesThatAreNone() throws Exception {
        for (int field : new int[]{HOSTNQN, SUBNQN}) {
            for (String name : new String[]{"", "cnode1", "NQN.2016-06.io.spdk:cnode1", "nqn.", "nqn.2016-06.io.spdk",
                    "nqn.2016-06.io.spdk:", "nqn.16-06.io.spdk:a", "nqn.2014-08.org.nvmexpress:uuid:0b6a",
                    ofBytes(224), ofBytes(255), ofBytes(256)}) {
                MemorySegment data = data();
                name(data, field, name);
                assertRefused(field, data);
            }
            MemorySegment data = data();
            data.asSlice(field & 0xffff, NQN_FIELD).fill((byte) 0xff);
            assertRefused(field, data);
        }
        MemorySegment unknown = data();
        name(unknown, SUBNQN, "nqn.2016-06.io.spdk:other");
        assertRefused(SUBNQN, unknown);
    }

    /// The longest, and both forms of a UUID.
    @Test
    void namesThatAreUnusual() throws Exception {
        for (String name : new String[]{ofBytes(223),
                "nqn.2014-08.org.nvmexpress:uuid:0b6a9d3c-7d5f-4f0e-9a53-6b21c2f0a111",
                "nqn.2014-08.org.nvmexpress:uuid:0b6a9d3c7d5f4f0e9a536b21c2f0a111",
                "nqn.2014-08.org.example:\u00e4 b"}) {
            try (TcpHost host = target.connected()) {
                MemorySegment data = data();
                name(data, HOSTNQN, name);
                assertCode(0, send(host, command(host, 0, 32), data));
            }
        }
    }

    /// As the peer does.
    @Test
    void aHostIdOfZeroWillDo() throws Exception {
        try (TcpHost host = target.connected()) {
            MemorySegment data = data();
            data.asSlice(0, 16).fill((byte) 0);
            assertCode(0, send(host, command(host, 0, 32), data));
        }
    }

    // ---- numbers ----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 0xffee, 0xfffe})
    void onlyTheDynamicControllerModel(int cntlid) throws Exception {
        assertRefused(CNTLID, data(cntlid));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 128, 4096, 65_535})
    void sizesThatAQueueCannotHave(int sqsize) throws Exception {
        assertCommandRefused(INVALID_PARAMETERS, SQSIZE, sqe -> LittleEndian.u16(sqe, SQSIZE, sqsize));
    }

    @Test
    void theSmallestQueue() throws Exception {
        try (TcpHost host = target.connected()) {
            assertCode(0, send(host, command(host, 0, 2), data()));
        }
    }

    /// Connect Incompatible Format.
    @ParameterizedTest
    @ValueSource(ints = {1, 0xffff})
    void recordFormatsThatThereAreNot(int recfmt) throws Exception {
        assertCommandRefused(0x180, 0, sqe -> LittleEndian.u16(sqe, ConnectCommand.RECFMT, recfmt));
    }

    /// 0 is none; else it is rounded up to KAS, 10 s, as far as 32 bits go.
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 10000", "10000, 10000", "10001, 20000", "4294960000, 4294960000", "4294967295, 4294960000"})
    void keepAliveTimeouts(long kato, long kept) throws Exception {
        try (TcpHost host = target.connected()) {
            MemorySegment sqe = command(host, 0, 32);
            LittleEndian.u32(sqe, ConnectCommand.KATO, kato);
            assertCode(0, send(host, sqe, data()));
            enable(host);
            sqe = LiveTarget.sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_FEATURES, host.nextCid(), 0);
            FeatureCommand.get(sqe, 0, Fid.KEEP_ALIVE_TIMER, 0);
            Completion completion = LiveTarget.plain(host, sqe);
            assertCode(0, completion);
            assertEquals(kept, completion.dw0());
        }
    }

    private static void enable(TcpHost host) throws IOException {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.set(sqe, 0, host.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertCode(0, LiveTarget.plain(host, sqe));
    }

    // ---- too little, twice, another's -------------------------------------------------------------------------

    /// Data SGL Length Invalid.
    @ParameterizedTest
    @ValueSource(ints = {1, 512, 1023})
    void tooLittleData(int bytes) throws Exception {
        try (TcpHost host = target.connected()) {
            assertCode(0x0f, host.execute(command(host, 0, 32), new byte[bytes], true, 0));
            assertCode(0, send(host, command(host, 0, 32), data()));
        }
    }

    @Test
    void noDataAtAll() throws Exception {
        try (TcpHost host = target.connected()) {
            assertCode(0x0f, LiveTarget.plain(host, command(host, 0, 32)));
            assertCode(0, host.execute(command(host, 0, 32), data().toArray(ValueLayout.JAVA_BYTE), false, 0));
        }
    }

    /// Command Sequence Error.
    @Test
    void aSecondConnect() throws Exception {
        assertCode(0x0c, send(admin, command(admin, 0, 32), data()));
        assertCode(0x0c, send(io, command(io, 1, 32), data(cntlid[0])));
        assertCode(0x0c, send(io, command(io, 0, 32), data()));
    }

    @Test
    void anythingBeforeConnect() throws Exception {
        try (TcpHost host = target.connected()) {
            for (int opcode : new int[]{0, 1, 2, 6, 0x0c, 0x18, 0x7e, 0xff}) {
                MemorySegment sqe = LiveTarget.sqe();
                SubmissionQueueEntry.begin(sqe, 0, opcode, host.nextCid(), 1);
                assertCode(0x0c, LiveTarget.plain(host, sqe));
            }
            MemorySegment sqe = LiveTarget.sqe();
            PropertyCommand.get(sqe, 0, host.nextCid(), ControllerProperty.VS, 4);
            assertCode(0x0c, LiveTarget.plain(host, sqe));
            assertCode(0, send(host, command(host, 0, 32), data()));
        }
    }

    @Test
    void queuesOfControllersThatThereAreNot() throws Exception {
        for (int other : new int[]{0, cntlid[0] + 1, 0xfffe, 0xffff}) {
            try (TcpHost host = target.connected()) {
                Completion refused = send(host, command(host, 2, 32), data(other));
                assertCode(INVALID_PARAMETERS, refused);
                assertEquals(CNTLID, refused.dw0());
            }
        }
    }

    @Test
    void queuesOfAnotherHostsController() throws Exception {
        try (TcpHost host = target.connected()) {
            MemorySegment data = data(cntlid[0]);
            data.asSlice(0, 16).fill((byte) 0); // as the good host's
            name(data, HOSTNQN, "nqn.2014-08.org.example:another");
            Completion refused = send(host, command(host, 2, 32), data);
            assertCode(INVALID_PARAMETERS, refused);
            assertEquals(HOSTNQN, refused.dw0());
        }
        try (TcpHost host = target.connected()) {
            Completion refused = send(host, command(host, 2, 32), data(cntlid[0]));
            assertCode(INVALID_PARAMETERS, refused);
            assertEquals(HOSTID, refused.dw0());
        }
    }

    @Test
    void queuesThatCannotBe() throws Exception {
        MemorySegment own = data(cntlid[0]);
        own.asSlice(0, 16).fill((byte) 0); // as the good host's
        try (TcpHost host = target.connected()) {
            assertNotEquals(0, code(send(host, command(host, 1, 32), own)), "it has this queue");
            Completion refused = send(host, command(host, 0xffff, 32), own);
            assertCode(0x101, refused); // Invalid Queue Identifier
            assertCode(0, send(host, command(host, 2, 32), own));
        }
        try (TcpHost owner = target.connected(); TcpHost host = target.connected()) {
            Completion connected = send(owner, command(owner, 0, 32), data());
            Completion refused = send(host, command(host, 1, 32), data((int) connected.dw0() & 0xffff));
            assertNotEquals(0, code(refused), "CC.EN is 0");
            enable(owner);
            assertCode(0, send(host, command(host, 1, 32), data((int) connected.dw0() & 0xffff)));
        }
    }

    // ---- properties -------------------------------------------------------------------------------------------

    /// Invalid Field: no property is there, or it has another size.
    @ParameterizedTest
    @CsvSource({"0, 4", "0x8, 8", "0x14, 8", "0x1c, 8", "1, 4", "2, 8", "0xc, 8", "0x24, 8", "0x28, 4", "0x1000, 4",
            "0x7fffffff, 4", "0x80000000, 8", "0xffffffff, 4", "0xfffffffe, 8"})
    void propertiesThatCannotBeRead(String offset, int bytes) throws Exception {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.get(sqe, 0, admin.nextCid(), (int) (long) Long.decode(offset), bytes);
        assertCode(0x02, LiveTarget.plain(admin, sqe));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7})
    void propertySizesThatThereAreNot(int attrib) throws Exception {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.get(sqe, 0, admin.nextCid(), ControllerProperty.VS, 4);
        LittleEndian.u8(sqe, PropertyCommand.ATTRIB, attrib);
        assertCode(0x02, LiveTarget.plain(admin, sqe));
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "0x8, 4", "0x1c, 4", "0x14, 8", "1, 4", "0x1000, 4", "0xffffffff, 4", "0x80000014, 4"})
    void propertiesThatCannotBeWritten(String offset, int bytes) throws Exception {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.set(sqe, 0, admin.nextCid(), (int) (long) Long.decode(offset), bytes, -1);
        assertCode(0x02, LiveTarget.plain(admin, sqe));
    }

    @Test
    void fabricsCommandsThatThereAreNot() throws Exception {
        for (TcpHost host : new TcpHost[]{admin, io}) {
            for (int fctype : new int[]{2, 0x7f, 0x80, 0xff}) {
                MemorySegment sqe = LiveTarget.sqe();
                PropertyCommand.get(sqe, 0, host.nextCid(), ControllerProperty.VS, 4);
                LittleEndian.u8(sqe, 4, fctype);
                assertCode(0x01, LiveTarget.plain(host, sqe)); // Invalid Command Opcode
            }
        }
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.get(sqe, 0, io.nextCid(), ControllerProperty.VS, 4);
        assertTrue(code(LiveTarget.plain(io, sqe)) != 0, "properties are the admin queue's");
    }
}
