package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.identify;
import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.identify.Cns;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compare and Write, as a host's bytes see it (base specification 2.0, 3.4.2, and the status codes of 3.3.3.2.1).
@Timeout(60)
class TcpFusedTest extends HostFixture {
    private static final int COMPARE_FAILURE = 0x285;
    private static final int FAILED_FUSED = 0x09;
    private static final int MISSING_FUSED = 0x0a;

    private MemorySegment half(int opcode, int fuse, long block, int blocks) {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, opcode, io.nextCid(), 1);
        SubmissionQueueEntry.fuse(sqe, 0, fuse);
        LbaCommand.set(sqe, 0, block, blocks, 0);
        return sqe;
    }

    private MemorySegment compare(long block, int blocks) {
        return half(NvmOpcode.COMPARE, SubmissionQueueEntry.FUSE_FIRST, block, blocks);
    }

    private MemorySegment write2(long block, int blocks) {
        return half(NvmOpcode.WRITE, SubmissionQueueEntry.FUSE_SECOND, block, blocks);
    }

    private static byte[] filled(int bytes, int value) {
        byte[] data = new byte[bytes];
        Arrays.fill(data, (byte) value);
        return data;
    }

    private void assertPair(int firstStatus, int secondStatus, MemorySegment first, byte[] expected,
            boolean expectedInCapsule, MemorySegment second, byte[] data, boolean dataInCapsule) throws IOException {
        io.submit(first, expected, expectedInCapsule, 0);
        io.submit(second, data, dataInCapsule, 0);
        assertEquals(firstStatus, io.finish(first).status() & 0x7ff, "the first");
        assertEquals(secondStatus, io.finish(second).status() & 0x7ff, "the second");
    }

    @Test
    void theControllerSaysThatItCan() throws Exception {
        MemorySegment page = identify(admin, Cns.CONTROLLER, 0);
        assertEquals(1, page.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 522) & 1, "FUSES bit 0: Compare and Write");
    }

    /// Also where the data of one half come late, so that the halves are ready in the other order.
    @ParameterizedTest
    @CsvSource({"true, true", "false, true", "true, false"})
    void writesIfTheBlocksAreAsExpected(boolean expectedInCapsule, boolean dataInCapsule) throws Exception {
        assertEquals(0, write(io, 10, filled(1024, 1), true).status());
        assertPair(0, 0, compare(10, 2), filled(1024, 1), expectedInCapsule, write2(10, 2), filled(1024, 2),
                dataInCapsule);
        assertArrayEquals(filled(1024, 2), read(io, 10, 1024).data());
        assertPair(COMPARE_FAILURE, FAILED_FUSED, compare(10, 2), filled(1024, 1), expectedInCapsule, write2(10, 2),
                filled(1024, 3), dataInCapsule);
        assertArrayEquals(filled(1024, 2), read(io, 10, 1024).data(), "not written");
    }

    @Test
    void refusesHalvesThatDoNotMatch() throws Exception {
        byte[] block = filled(512, 0);
        assertPair(0x02, FAILED_FUSED, compare(10, 1), block, true, write2(11, 1), block, true);
        assertPair(0x01, FAILED_FUSED, half(NvmOpcode.READ, SubmissionQueueEntry.FUSE_FIRST, 10, 1), new byte[0], false,
                write2(10, 1), block, true);
        MemorySegment first = compare(10, 1);
        MemorySegment second = half(NvmOpcode.COMPARE, SubmissionQueueEntry.FUSE_SECOND, 10, 1);
        io.submit(first, block, true, 0);
        io.submit(second, block, true, 0);
        assertEquals(0x01, io.finish(second).status() & 0x7ff, "Invalid Command Opcode");
        assertEquals(FAILED_FUSED, io.finish(first).status() & 0x7ff);
        assertPair(0x80, FAILED_FUSED, compare(2048, 1), block, true, write2(2048, 1), block, true);
        assertPair(0x0f, FAILED_FUSED, compare(10, 2), block, true, write2(10, 2), filled(1024, 0), true);
        assertPair(0, 0, compare(10, 1), block, true, write2(10, 1), block, true);
    }

    @Test
    void aHalfByItselfIsMissingTheOther() throws Exception {
        byte[] block = filled(512, 0);
        MemorySegment second = write2(10, 1);
        assertEquals(MISSING_FUSED, io.execute(second, block, true, 0).status() & 0x7ff, "a second without a first");
        MemorySegment first = compare(10, 1);
        MemorySegment plain = half(NvmOpcode.FLUSH, SubmissionQueueEntry.FUSE_NONE, 0, 1);
        io.submit(first, block, true, 0);
        io.submit(plain, new byte[0], false, 0);
        assertEquals(MISSING_FUSED, io.finish(first).status() & 0x7ff, "a first, and then another command");
        assertEquals(0, io.finish(plain).status());
        MemorySegment late = compare(10, 1);
        MemorySegment again = compare(10, 1);
        MemorySegment end = write2(10, 1);
        io.submit(late, block, false, 0); // its data are still to come when the next arrives
        io.submit(again, block, true, 0);
        io.submit(end, block, true, 0);
        assertEquals(0, io.finish(again).status());
        assertEquals(0, io.finish(end).status());
        assertEquals(MISSING_FUSED, io.finish(late).status() & 0x7ff, "two firsts");
    }

    @Test
    void aHalfWhoseDataAreDamagedFailsTheOther() throws Exception {
        int[] cntlid = new int[1];
        byte[] block = filled(512, 0);
        try (TcpHost other = target.admin(true, true, cntlid); TcpHost guarded = target.io(1, cntlid[0], true, true)) {
            TcpHost usual = io;
            io = guarded;
            try {
                MemorySegment first = compare(10, 1);
                MemorySegment second = write2(10, 1);
                io.damage = true;
                io.submit(first, block, true, 0);
                io.submit(second, filled(512, 9), true, 0);
                assertEquals(0x22, io.finish(first).status() & 0x7ff, "Transient Transport Error");
                assertEquals(FAILED_FUSED, io.finish(second).status() & 0x7ff);
                assertArrayEquals(block, read(io, 10, 512).data());
            } finally {
                io = usual;
            }
            LiveTarget.assertAlive(other);
        }
    }

    @Test
    void onlyIoCommandsAreFused() throws Exception {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.KEEP_ALIVE, admin.nextCid(), 0);
        SubmissionQueueEntry.fuse(sqe, 0, SubmissionQueueEntry.FUSE_FIRST);
        assertEquals(0x02, LiveTarget.plain(admin, sqe).status() & 0x7ff, "Invalid Field in Command");
        MemorySegment both = half(NvmOpcode.FLUSH, 3, 0, 1);
        assertEquals(0x02, LiveTarget.plain(io, both).status() & 0x7ff, "Invalid Field in Command");
    }

    /// The connection is cut while one half waits for the other.
    @Test
    void aConnectionThatIsCutLeavesNothing() throws Exception {
        io.submit(compare(10, 1), filled(512, 0), true, 0);
        io.submit(half(NvmOpcode.READ, SubmissionQueueEntry.FUSE_NONE, 0, 1), new byte[0], false, 512);
        io.submit(compare(10, 1), filled(512, 0), false, 0);
        io.submit(write2(10, 1), filled(512, 0), true, 0);
    }
}
