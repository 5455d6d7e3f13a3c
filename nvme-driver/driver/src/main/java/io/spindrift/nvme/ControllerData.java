package io.spindrift.nvme;

import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import java.lang.foreign.MemorySegment;

/// What a controller says of itself: its capabilities and its Identify Controller data, both as it gave them.
///
/// @param cap    property CAP, as in [Cap]
/// @param vs     property VS
/// @param cntlid its identifier in its subsystem
/// @param page   Identify Controller, 4,096 bytes, to be read only
public record ControllerData(long cap, int vs, int cntlid, MemorySegment page) {
    /// Larger values of MDTS mean nothing: 2^19 pages of 4 KiB are 2 GiB.
    private static final int LARGEST_MDTS = 18;
    private static final int CNTRLTYPE_DISCOVERY = 2;

    public String serialNumber() {
        return IdentifyController.SN.get(page, 0);
    }

    public String modelNumber() {
        return IdentifyController.MN.get(page, 0);
    }

    public String firmwareRevision() {
        return IdentifyController.FR.get(page, 0);
    }

    public String subnqn() {
        return IdentifyController.SUBNQN.get(page, 0);
    }

    /// The most bytes of data that a command may have; `Integer.MAX_VALUE` for no limit.
    public long maxTransferBytes() {
        int mdts = IdentifyController.MDTS.get(page, 0);
        int shift = mdts + 12 + Cap.mpsmin(cap);
        return mdts == 0 || mdts > LARGEST_MDTS || shift > 30 ? Integer.MAX_VALUE : 1L << shift;
    }

    /// Whether it is a discovery controller. `asked` tells whether the subsystem's name was that of discovery, for
    /// controllers from before there were types.
    public boolean discovery(boolean asked) {
        int type = IdentifyController.CNTRLTYPE.get(page, 0);
        return type == CNTRLTYPE_DISCOVERY || type == 0 && asked;
    }

    /// The highest number of namespaces, and so NSID.
    public long namespaces() {
        return IdentifyController.NN.get(page, 0);
    }

    public boolean reportsAna() {
        return (IdentifyController.CMIC.get(page, 0) & ControllerBits.CMIC_ANA) != 0;
    }

    /// Whether it supports a bit of OAES, or of OACS, ONCS, ...
    public boolean oaes(int bit) {
        return (IdentifyController.OAES.get(page, 0) & Integer.toUnsignedLong(bit)) != 0;
    }

    public boolean oacs(int bit) {
        return (IdentifyController.OACS.get(page, 0) & bit) != 0;
    }

    public boolean oncs(int bit) {
        return (IdentifyController.ONCS.get(page, 0) & bit) != 0;
    }

    /// Whether it has a volatile write cache, so that a flush is needed for data to be safe.
    public boolean volatileWriteCache() {
        return (IdentifyController.VWC.get(page, 0) & ControllerBits.VWC_PRESENT) != 0;
    }

    /// Asynchronous Event Requests that it takes at a time, at least 1.
    public int asyncEvents() {
        return IdentifyController.AERL.get(page, 0) + 1;
    }
}
