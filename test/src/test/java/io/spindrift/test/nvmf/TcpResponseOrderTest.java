package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SglDescriptor;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.PduHeader;
import io.spindrift.nvme.spec.tcp.PduType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In which order the PDUs leave that answer commands which arrived together.
@Timeout(60)
class TcpResponseOrderTest extends HostFixture {
    private static final int BYTES = 4096;

    /// The capsules of `count` reads of 4 KiB, as the stream has them. Of each `interval`, the last is a flush.
    private byte[] capsules(int count, int interval) {
        MemorySegment stream = Arena.ofAuto().allocate((long) count * CapsuleCmd.SIZE);
        for (int i = 0; i < count; i++) {
            long at = (long) i * CapsuleCmd.SIZE;
            MemorySegment sqe;
            if (i % interval == interval - 1) {
                sqe = LiveTarget.sqe();
                SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.FLUSH, io.nextCid(), 1);
            } else {
                sqe = LiveTarget.blocks(io, NvmOpcode.READ, 0, BYTES);
                SglDescriptor.transportDataBlock(sqe, SubmissionQueueEntry.DPTR, BYTES);
            }
            SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_SGL);
            CapsuleCmd.write(stream, at, false);
            MemorySegment.copy(sqe, 0, stream, at + CapsuleCmd.SQE, SubmissionQueueEntry.SIZE);
        }
        return stream.toArray(ValueLayout.JAVA_BYTE);
    }

    /// The types of the next `count` PDUs: "D" for data, "R" for a response.
    private String types(int count) throws IOException {
        StringBuilder types = new StringBuilder();
        for (int i = 0; i < count; i++) {
            types.append(PduHeader.type(io.receive(), 0) == PduType.C2H_DATA ? 'D' : 'R');
        }
        return types.toString();
    }

    /// 16 times 4 KiB are 64 KiB.
    @Test
    void responsesFollowTheDataOf64KiB() throws Exception {
        byte[] capsules = capsules(40, Integer.MAX_VALUE);
        io.send(capsules, 0, capsules.length);
        assertEquals("D".repeat(16) + "R".repeat(16) + "D".repeat(16) + "R".repeat(16) + "D".repeat(8) + "R".repeat(8),
                types(80));
        byte[] one = capsules(1, Integer.MAX_VALUE);
        io.send(one, 0, one.length);
        assertEquals("DR", types(2));
    }

    /// A host that lets SQHD tell it of room must not see it go back.
    @Test
    void responsesKeepTheirOrder() throws Exception {
        byte[] capsules = capsules(100, 3);
        io.send(capsules, 0, capsules.length);
        Set<Integer> reads = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            long sqe = (long) i * CapsuleCmd.SIZE + CapsuleCmd.SQE;
            if (i % 3 != 2) {
                reads.add(SubmissionQueueEntry.cid(MemorySegment.ofArray(capsules), sqe));
            }
        }
        Set<Integer> data = new HashSet<>();
        Set<Integer> answered = new HashSet<>();
        int head = -1;
        while (answered.size() < 100) {
            MemorySegment pdu = io.receive();
            if (PduHeader.type(pdu, 0) == PduType.C2H_DATA) {
                assertTrue(data.add(C2HData.cccid(pdu, 0)));
                continue;
            }
            int cid = CompletionQueueEntry.cid(pdu, CapsuleResp.CQE);
            int sqhd = CompletionQueueEntry.sqhd(pdu, CapsuleResp.CQE);
            assertTrue(answered.add(cid));
            assertTrue(head < 0 || (sqhd - head + 128) % 128 < 64, "SQHD " + sqhd + " after " + head);
            head = sqhd;
            assertEquals(reads.contains(cid), data.remove(cid), "data before the response of " + cid);
        }
        assertEquals(Set.of(), data, "data without a response");
    }

    /// Nothing follows a terminate request, however much is on its way when it is made.
    @Test
    void aTerminateRequestIsTheLast() throws Exception {
        byte[] capsules = capsules(20, Integer.MAX_VALUE);
        byte[] stream = Arrays.copyOf(capsules, capsules.length + CapsuleCmd.SIZE);
        stream[capsules.length] = PduType.R2T; // which a host never sends
        io.send(stream, 0, stream.length);
        int last = -1;
        for (MemorySegment pdu = io.receive(); pdu != null; pdu = io.receive()) {
            assertTrue(last != PduType.C2H_TERM_REQ, "a PDU after the terminate request");
            last = PduHeader.type(pdu, 0);
        }
        assertEquals(PduType.C2H_TERM_REQ, last);
    }
}
