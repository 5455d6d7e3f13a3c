package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvmf.SubsystemOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The ANA log as hosts read it in pieces (base specification 2.0, figure 216: 16 bytes, then 32 a group and 4 a namespace).
@Timeout(60)
class AnaLogTest {
    private static final SubsystemOptions OPTIONS = new SubsystemOptions("S", "M", "", 1024, true, 1, 100, 0, 0, false,
            false);
    /// What Identify Controller lets a host expect: NANAGRPID groups and NN namespaces.
    private static final int EXPECTED = 16 + 1024 * (32 + 4);

    private static FakeRequest read(EngineFixture engine, long offset, int bytes) {
        FakeRequest request = EngineFixture.command(AdminOpcode.GET_LOG_PAGE, 9, 0).data(EngineFixture.memory(bytes));
        request.buffer.fill((byte) 0xff);
        GetLogPageCommand.set(request.entry(), 0, Lid.ANA, 0, offset, bytes, false);
        return engine.execute(engine.admin, request);
    }

    @Test
    void tellsOfEachNamespace() throws Exception {
        try (EngineFixture engine = new EngineFixture(OPTIONS)) {
            FakeRequest request = read(engine, 0, 52);
            assertEquals(0, request.status());
            MemorySegment log = request.buffer;
            assertEquals(1, LittleEndian.u16(log, 8), "groups");
            assertEquals(1, LittleEndian.u32(log, 16), "group");
            assertEquals(1, LittleEndian.u32(log, 20), "its namespaces");
            assertEquals(1, LittleEndian.u8(log, 32), "optimized");
            assertEquals(1, LittleEndian.u32(log, 48), "NSID");
        }
    }

    @Test
    void isReadableUpToTheSizeThatIdentifyPromises() throws Exception {
        try (EngineFixture engine = new EngineFixture(OPTIONS)) {
            for (int offset : new int[]{52, 4096, 32768, EXPECTED}) {
                FakeRequest request = read(engine, offset, 4096);
                assertEquals(0, request.status(), "offset " + offset);
                assertEquals(-1, request.buffer.mismatch(MemorySegment.ofArray(new byte[4096])), "zeroes");
                assertEquals(4096, request.returned());
            }
            assertEquals(GenericStatus.INVALID_FIELD, read(engine, EXPECTED + 4, 4096).status() & 0x7ff);
        }
    }

    /// The two pieces of 4 bytes at the border of a 32-byte descriptor and its NSID.
    @Test
    void isTheSameInPieces() throws Exception {
        try (EngineFixture engine = new EngineFixture(OPTIONS)) {
            MemorySegment whole = read(engine, 0, 52).buffer;
            for (int offset = 0; offset < 52; offset += 4) {
                assertEquals(whole.get(ValueLayout.JAVA_INT, offset),
                        read(engine, offset, 4).buffer.get(ValueLayout.JAVA_INT, 0), "offset " + offset);
            }
        }
    }
}
