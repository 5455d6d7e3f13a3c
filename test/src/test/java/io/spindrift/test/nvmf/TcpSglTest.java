package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.sqe;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import io.spindrift.nvme.spec.tcp.TermReq;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a command's data are: SGL descriptors, capsules and PDUs, as a host's bytes see them. What is wrong fails its
/// command, and the connection goes on; but for a header whose digest is wrong.
@Timeout(60)
class TcpSglTest extends HostFixture {
    private static final int INVALID_FIELD = 0x02;
    private static final int LENGTH_INVALID = 0x0f;
    private static final int TYPE_INVALID = 0x11;
    private static final int OFFSET_INVALID = 0x16;

    private interface Sgl {
        void write(MemorySegment sqe, long at);
    }

    /// The status of a write of one block.
    private int write1(int psdt, byte[] inCapsule, Sgl sgl) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE, io.nextCid(), 1);
        SubmissionQueueEntry.psdt(sqe, 0, psdt);
        LbaCommand.set(sqe, 0, 3, 1, 0);
        sgl.write(sqe, SubmissionQueueEntry.DPTR);
        return io.executeAsIs(sqe, inCapsule).status() & 0x7ff;
    }

    private int write1(byte[] inCapsule, Sgl sgl) throws IOException {
        return write1(SubmissionQueueEntry.PSDT_SGL, inCapsule, sgl);
    }

    @Test
    void refusesWhatFabricsDoNotHave() throws Exception {
        byte[] block = new byte[512];
        Sgl good = (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 512);
        assertEquals(INVALID_FIELD, write1(SubmissionQueueEntry.PSDT_PRP, block, good));
        assertEquals(INVALID_FIELD, write1(SubmissionQueueEntry.PSDT_SGL_MPTR_SGL, block, good));
        assertEquals(INVALID_FIELD, write1(3, block, good));
        assertEquals(TYPE_INVALID, write1(block, (sqe, at) -> SglDescriptor.dataBlock(sqe, at, 0, 512)));
        assertEquals(TYPE_INVALID, write1(new byte[0], (sqe, at) -> SglDescriptor.dataBlock(sqe, at, 4096, 512)));
        assertEquals(TYPE_INVALID, write1(new byte[0], (sqe, at) -> SglDescriptor.keyedDataBlock(sqe, at, 4096, 512, 7,
                SglDescriptor.SUBTYPE_ADDRESS)));
        assertEquals(TYPE_INVALID, write1(new byte[0], (sqe, at) -> SglDescriptor.lastSegment(sqe, at, 4096, 16)));
        assertEquals(TYPE_INVALID, write1(new byte[0], (sqe, at) -> SglDescriptor.bitBucket(sqe, at, 512)));
        assertEquals(0, write1(block, good));
    }

    /// SGLS bit 20 of Identify Controller says that there may be an offset: here up to the data's own 512 bytes.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 511, 512, 3584})
    void dataMayBeginInsideOfTheCapsule(int offset) throws Exception {
        byte[] capsule = new byte[offset + 512];
        new Random(offset).nextBytes(capsule);
        assertEquals(0, write1(capsule, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, offset, 512)));
        assertArrayEquals(Arrays.copyOfRange(capsule, offset, offset + 512), read(io, 3, 512).data());
        assertEquals(LENGTH_INVALID, write1(capsule, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, offset, 511)));
        assertEquals(LENGTH_INVALID, write1(capsule, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, offset, 513)));
    }

    @Test
    void refusesDataThatAreNotInTheCapsule() throws Exception {
        byte[] block = new byte[512];
        assertEquals(OFFSET_INVALID, write1(block, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 512, 512)));
        assertEquals(OFFSET_INVALID, write1(block, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, -1L, 512)));
        assertEquals(LENGTH_INVALID, write1(block, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 1024)));
        assertEquals(LENGTH_INVALID, write1(block, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 0xffff_ffffL)));
        assertEquals(LENGTH_INVALID, write1(new byte[0], (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 512)));
        assertEquals(LENGTH_INVALID, write1(block, (sqe, at) -> SglDescriptor.transportDataBlock(sqe, at, 512)));
        assertEquals(LENGTH_INVALID, write1(new byte[8192], (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 8192)),
                "more than IOCCSZ");
        assertEquals(0, write1(block, (sqe, at) -> SglDescriptor.inCapsule(sqe, at, 0, 512)));
    }

    /// NVMe/TCP transport 1.0, 3.6.2.1: PDO of what a controller sends is a multiple of 4 * (HPDA + 1).
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 31})
    void putsDataWhereTheHostWantsThem(int hpda) throws Exception {
        byte[] data = new byte[12_288];
        new Random(hpda).nextBytes(data);
        assertEquals(0, write(io, 0, data, false).status());
        int[] cntlid = new int[1];
        for (boolean digests : new boolean[]{false, true}) {
            try (TcpHost own = target.admin(false, false, cntlid);
                    TcpHost aligned = new TcpHost(target.port).initialize(digests, digests, hpda)) {
                aligned.connect(1, 16, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]);
                assertArrayEquals(data, read(aligned, 0, data.length).data());
                assertEquals(0, aligned.lastPdo % (4 * (hpda + 1)), () -> "PDO " + aligned.lastPdo);
                LiveTarget.assertAlive(own);
            }
        }
    }

    /// NVMe/TCP transport 1.0, 3.5.1: a wrong header digest is fatal, a wrong data digest is not.
    @Test
    void aFlippedBitInAHeaderEndsTheConnectionAndNoOther() throws Exception {
        int[] cntlid = new int[1];
        try (TcpHost other = target.admin(true, true, cntlid);
                TcpHost guarded = target.io(1, cntlid[0], true, true)) {
            assertEquals(0, write(guarded, 0, new byte[512], true).status());
            guarded.damageHeader = true;
            MemorySegment sqe = sqe();
            SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.FLUSH, guarded.nextCid(), 1);
            guarded.submit(sqe, new byte[0], false, 0);
            MemorySegment answer = guarded.receive();
            assertEquals(PduType.C2H_TERM_REQ, PduHeader.type(answer, 0));
            assertEquals(3, TermReq.fes(answer, 0), "Header Digest Error");
            assertNull(guarded.receive(), "then the stream ends");
            LiveTarget.assertAlive(other);
        }
        assertEquals(0, read(io, 0, 512).status());
    }
}
