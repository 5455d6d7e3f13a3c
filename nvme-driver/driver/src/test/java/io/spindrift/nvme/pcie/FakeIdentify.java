package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceList;
import java.lang.foreign.MemorySegment;
import java.util.TreeMap;

/// What the fake device says of itself.
final class FakeIdentify {
    /// The data of each namespace that is attached.
    final TreeMap<Long, byte[]> namespaces = new TreeMap<>();
    int oacs;
    long sgls;
    int mdts = 9;

    /// 4,096 bytes, or none for what it does not know.
    byte[] page(MemorySegment sqe) {
        byte[] page = new byte[IdentifyCommand.DATA_SIZE];
        MemorySegment segment = MemorySegment.ofArray(page);
        long nsid = SubmissionQueueEntry.nsid(sqe, 0);
        switch (IdentifyCommand.cns(sqe, 0)) {
            case Cns.CONTROLLER -> controller(segment);
            case Cns.NAMESPACE -> namespace(segment, nsid);
            case Cns.ACTIVE_NAMESPACES -> {
                int i = 0;
                for (long active : namespaces.tailMap(nsid, false).keySet()) {
                    NamespaceList.nsid(segment, 0, i++, active);
                }
            }
            default -> {
                return new byte[0];
            }
        }
        return page;
    }

    private void controller(MemorySegment page) {
        IdentifyController.SN.set(page, 0, "FAKE0001");
        IdentifyController.MN.set(page, 0, "Fake controller");
        IdentifyController.VER.set(page, 0, Version.NVME_1_4);
        IdentifyController.MDTS.set(page, 0, mdts);
        IdentifyController.CNTLID.set(page, 0, 7);
        IdentifyController.OACS.set(page, 0, oacs);
        IdentifyController.OAES.set(page, 0, ControllerBits.OAES_NAMESPACE_ATTRIBUTE);
        IdentifyController.AERL.set(page, 0, 3);
        IdentifyController.NN.set(page, 0, 16);
        IdentifyController.SGLS.set(page, 0, sgls);
        IdentifyController.SQES.set(page, 0, 0x66);
        IdentifyController.CQES.set(page, 0, 0x44);
    }

    private void namespace(MemorySegment page, long nsid) {
        byte[] blocks = namespaces.get(nsid);
        if (blocks != null) {
            IdentifyNamespace.NSZE.set(page, 0, blocks.length / FakeNvmeDevice.BLOCK);
            LbaFormat.LBADS.set(page, IdentifyNamespace.LBAF.at(0, 0), 9);
        }
    }
}
