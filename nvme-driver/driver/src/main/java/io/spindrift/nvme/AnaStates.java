package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// Reads the Asymmetric Namespace Access log page (base specification 2.0, 5.16.1.13): the state of each namespace here. On
/// the control path.
final class AnaStates {
    private static final long LONGEST = 4 << 20;
    private static final int TRIES = 8;

    private AnaStates() {}

    /// States by NSID.
    static Map<Long, Integer> read(NvmeController controller, AdminCommands admin) {
        ControllerData data = controller.data();
        long length = length(data);
        if (length > LONGEST) {
            throw new NvmeException(Errno.EIO, controller.name() + ": an ANA log of "
                    + IdentifyController.NANAGRPID.get(data.page(), 0) + " groups and " + entries(data)
                    + " namespaces has " + length + " bytes, more than the limit of " + LONGEST);
        }
        MemorySegment log = admin.logPage(Lid.ANA, Nsid.NONE, length);
        for (int i = 1; i < TRIES && length > controller.maxTransferBytes(); i++) {
            // read in several parts, between which it may have changed
            MemorySegment again = admin.logPage(Lid.ANA, Nsid.NONE, AnaLog.SIZE);
            if (AnaLog.CHANGE_COUNT.get(again, 0) == AnaLog.CHANGE_COUNT.get(log, 0)) {
                break;
            }
            log = admin.logPage(Lid.ANA, Nsid.NONE, length);
        }
        return parse(controller, log);
    }

    /// Bytes of the whole log: its header, all groups, and each namespace once.
    private static long length(ControllerData data) {
        return AnaLog.SIZE + IdentifyController.NANAGRPID.get(data.page(), 0) * AnaGroupDescriptor.SIZE
                + entries(data) * 4;
    }

    private static long entries(ControllerData data) {
        long most = IdentifyController.MNAN.get(data.page(), 0);
        return most == 0 ? data.namespaces() : most;
    }

    private static Map<Long, Integer> parse(NvmeController controller, MemorySegment log) {
        Map<Long, Integer> states = new HashMap<>();
        long at = AnaLog.SIZE;
        for (int group = AnaLog.GROUPS.get(log, 0); group > 0; group--) {
            if (at + AnaGroupDescriptor.SIZE > log.byteSize()) {
                throw tooShort(controller, log);
            }
            long nsids = AnaGroupDescriptor.NSIDS.get(log, at);
            if (AnaGroupDescriptor.size(nsids) > log.byteSize() - at) {
                throw tooShort(controller, log);
            }
            int state = AnaGroupDescriptor.STATE.get(log, at) & 0xf;
            for (long i = 0; i < nsids; i++) {
                states.put(LittleEndian.u32(log, AnaGroupDescriptor.nsidAt(at, i)), state);
            }
            at += AnaGroupDescriptor.size(nsids);
        }
        return states;
    }

    private static NvmeException tooShort(NvmeController controller, MemorySegment log) {
        return new NvmeException(Errno.EIO, controller.name() + ": its ANA log counts more than the " + log.byteSize()
                + " bytes that it has");
    }
}
