package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.tcp.C2HData;
import io.spindrift.nvme.spec.tcp.CapsuleCmd;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.nvme.spec.tcp.H2CData;
import io.spindrift.nvme.spec.tcp.PduRules;
import io.spindrift.nvme.spec.tcp.R2T;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class AllocationTest {
    @Test
    void whatAnIoTakesAllocatesNothing() {
        assertEquals(0, AllocationProbe.allocatedBytes(OneWrite.class));
    }

    @Test
    void fieldsAllocateNothing() {
        assertEquals(0, AllocationProbe.allocatedBytes(OnePage.class));
    }

    /// The PDUs of a write that needs an R2T, made and read at an odd offset of native memory.
    private static final class OneWrite implements Runnable {
        private final MemorySegment pdu = Arena.global().allocate(256);
        private int cid;
        private long sum;

        @Override
        public void run() {
            cid = cid + 1 & 0xffff;
            CapsuleCmd.write(pdu, 3, true);
            SubmissionQueueEntry.begin(pdu, 3 + CapsuleCmd.SQE, NvmOpcode.WRITE, cid, 1);
            LbaCommand.set(pdu, 3 + CapsuleCmd.SQE, cid, 8, LbaCommand.FUA);
            SglDescriptor.transportDataBlock(pdu, 3 + CapsuleCmd.SQE + SubmissionQueueEntry.DPTR, 4096);
            check(true);
            sum += LbaCommand.slba(pdu, 3 + CapsuleCmd.SQE) + SglDescriptor.length(pdu, 3 + CapsuleCmd.SQE + 24);
            R2T.write(pdu, 3, true, cid, 1, 0, 4096);
            check(false);
            H2CData.write(pdu, 3, true, true, 4, true, cid, 1, 0, 4096);
            check(true);
            sum += H2CData.datal(pdu, 3) + PduRules.dataLength(pdu, 3, true, true);
            C2HData.write(pdu, 3, true, true, 4, 0, cid, 0, 4096);
            check(false);
            CapsuleResp.write(pdu, 3, true);
            CompletionQueueEntry.write(pdu, 3 + CapsuleResp.CQE, 0, 0, 1, 0, cid, Status.withDnr(Status.of(0, 2)));
            check(false);
            sum += CompletionQueueEntry.status(pdu, 3 + CapsuleResp.CQE);
        }

        private void check(boolean fromHost) {
            if (PduRules.invalidField(pdu, 3, fromHost, true, true, 4, 8192) != PduRules.VALID) {
                throw new AssertionError("an invalid PDU, after " + sum);
            }
        }
    }

    private static final class OnePage implements Runnable {
        private final MemorySegment page = Arena.global().allocate(IdentifyNamespace.SIZE);

        @Override
        public void run() {
            IdentifyNamespace.NSZE.set(page, 0, IdentifyNamespace.NSZE.get(page, 0) + 1);
            IdentifyNamespace.NVMCAP.set(page, 0, 512);
            IdentifyNamespace.NOIOB.set(page, 0, IdentifyNamespace.NLBAF.get(page, 0));
            LbaFormat.LBADS.set(page, IdentifyNamespace.LBAF.at(0, 1), 9);
            IdentifyNamespace.ANAGRPID.set(page, 0, IdentifyNamespace.ANAGRPID.get(page, 0) + 1);
        }
    }
}
