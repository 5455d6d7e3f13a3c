package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.nvme.spec.Csi;
import io.spindrift.nvme.spec.Eui64;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nguid;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceNvm;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceDescriptor;
import io.spindrift.nvme.spec.identify.NamespaceList;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/// Asks a controller for its namespaces. On the control path.
///
/// One that describes itself as what cannot be (blocks of 2^200 bytes) is left out with a log line; the others are used.
final class NamespaceScan {
    /// More of them are a mistake of the controller.
    private static final int MOST = 65_536;
    private static final int SMALLEST_LBADS = 9;
    /// 64 KiB: larger ones have never been seen.
    private static final int LARGEST_LBADS = 16;
    private static final int LARGEST_METADATA = 4096;

    private final NvmeController controller;
    private final AdminCommands admin;
    private final ControllerData data;

    NamespaceScan(NvmeController controller, AdminCommands admin) {
        this.controller = controller;
        this.admin = admin;
        this.data = controller.data();
    }

    /// Those that can be used, by NSID. `again` after an event, which reading the log of changes clears.
    Map<Long, NvmeNamespace> run(boolean again) {
        if (again) {
            clearEvent();
        }
        Map<Long, NvmeNamespace> found = new TreeMap<>();
        for (long nsid : active()) {
            describe(nsid).ifPresent(namespace -> found.put(nsid, namespace));
        }
        return Collections.unmodifiableMap(found);
    }

    /// The NSIDs that are in one only, or are described otherwise.
    static Set<Long> differences(Map<Long, NvmeNamespace> before, Map<Long, NvmeNamespace> after) {
        Set<Long> changed = new HashSet<>(before.keySet());
        changed.addAll(after.keySet());
        changed.removeIf(nsid -> before.containsKey(nsid) && after.containsKey(nsid)
                && same(before.get(nsid), after.get(nsid)));
        return changed;
    }

    private static boolean same(NvmeNamespace one, NvmeNamespace other) {
        return one.blocks() == other.blocks() && one.format().equals(other.format()) && one.ids().equals(other.ids())
                && one.csi() == other.csi() && one.anaGroup() == other.anaGroup()
                && one.writeProtected() == other.writeProtected();
    }

    private void clearEvent() {
        try {
            admin.logPage(Lid.CHANGED_NAMESPACES, Nsid.BROADCAST, NamespaceList.SIZE);
        } catch (NvmeException e) {
            if (e.status() == Status.SUCCESS) {
                throw e;
            }
            // a controller without that log has no event to clear
        }
    }

    // ---- which there are --------------------------------------------------------------------------------------

    private List<Long> active() {
        List<Long> nsids = new ArrayList<>();
        long last = 0;
        while (last < Nsid.MAX) {
            MemorySegment list;
            try {
                list = admin.identify(Cns.ACTIVE_NAMESPACES, last);
            } catch (NvmeException e) {
                if (last == 0 && Status.code(e.status()) == GenericStatus.INVALID_FIELD) {
                    return all();
                }
                throw e;
            }
            for (int i = 0; i < NamespaceList.MAX_ENTRIES; i++) {
                long nsid = NamespaceList.nsid(list, 0, i);
                if (nsid == 0) {
                    return nsids;
                }
                if (nsid <= last || nsid > Nsid.MAX) {
                    throw new NvmeException(Errno.EIO, controller.name() + ": its list of namespaces has " + nsid
                            + " after " + last + ", and must ascend to " + Nsid.MAX + " at most");
                }
                if (nsids.size() == MOST) {
                    throw new NvmeException(Errno.EIO, controller.name() + ": it has more than " + MOST
                            + " namespaces, the limit");
                }
                nsids.add(nsid);
                last = nsid;
            }
        }
        return nsids;
    }

    /// A controller from before there was the list: any number up to NN may be one.
    private List<Long> all() {
        List<Long> nsids = new ArrayList<>();
        for (long nsid = 1; nsid <= Math.min(data.namespaces(), NamespaceList.MAX_ENTRIES); nsid++) {
            nsids.add(nsid);
        }
        return nsids;
    }

    // ---- what each is -----------------------------------------------------------------------------------------

    private Optional<NvmeNamespace> describe(long nsid) {
        MemorySegment page;
        try {
            page = admin.identify(Cns.NAMESPACE, nsid);
        } catch (NvmeException e) {
            if (e.status() == Status.SUCCESS) {
                throw e;
            }
            return leftOut(nsid, e.getMessage());
        }
        long blocks = IdentifyNamespace.NSZE.get(page, 0);
        if (blocks == 0) {
            return Optional.empty(); // inactive, or gone since
        }
        int flbas = IdentifyNamespace.FLBAS.get(page, 0);
        int index = IdentifyNamespace.formatIndex(flbas, IdentifyNamespace.NLBAF.get(page, 0));
        long at = IdentifyNamespace.LBAF.at(0, index);
        int lbads = LbaFormat.LBADS.get(page, at);
        int metadata = LbaFormat.MS.get(page, at);
        if (lbads < SMALLEST_LBADS || lbads > LARGEST_LBADS) {
            return leftOut(nsid, "LBADS=" + lbads + " of its format " + index + " is outside " + SMALLEST_LBADS + ".."
                    + LARGEST_LBADS);
        }
        if (metadata > LARGEST_METADATA) {
            return leftOut(nsid, "metadata of " + metadata + " bytes a block are more than " + LARGEST_METADATA);
        }
        if (blocks < 0 || blocks > Long.MAX_VALUE >>> lbads) {
            return leftOut(nsid, "NSZE=" + Long.toUnsignedString(blocks) + " blocks of " + (1 << lbads)
                    + " bytes are more than 2^63 bytes");
        }
        int dps = IdentifyNamespace.DPS.get(page, 0);
        int protection = dps & IdentifyNamespace.DPS_TYPE_MASK;
        if (protection > 3) {
            return leftOut(nsid, "protection information of type " + protection + " is outside 0..3");
        }
        boolean extended = metadata > 0 && (flbas & IdentifyNamespace.FLBAS_EXTENDED) != 0;
        int piFormat = 0;
        try {
            piFormat = protection == 0 ? 0 : piFormat(nsid, index);
        } catch (NvmeException e) {
            if (e.status() == Status.SUCCESS) {
                throw e;
            }
            return leftOut(nsid, e.getMessage());
        }
        NvmeNamespace.Format format = new NvmeNamespace.Format(1 << lbads, metadata, extended, protection, piFormat,
                (dps & IdentifyNamespace.DPS_FIRST) != 0);
        return Optional.of(identified(nsid, blocks, format, page));
    }

    private Optional<NvmeNamespace> leftOut(long nsid, String why) {
        controller.driver().context().log().warn("%s: namespace %d is left out: %s", controller.name(), nsid, why);
        return Optional.empty();
    }

    private int piFormat(long nsid, int index) {
        if ((IdentifyController.CTRATT.get(data.page(), 0) & ControllerBits.CTRATT_EXTENDED_LBA_FORMATS) == 0) {
            return IdentifyNamespaceNvm.PIF_16_BIT_GUARD;
        }
        MemorySegment page = admin.identify(Cns.COMMAND_SET_NAMESPACE, nsid, 0, Csi.NVM);
        int pif = IdentifyNamespaceNvm.pif(LittleEndian.dword(page, IdentifyNamespaceNvm.ELBAF.at(0, index)));
        return Math.min(pif, IdentifyNamespaceNvm.PIF_64_BIT_GUARD);
    }

    private NvmeNamespace identified(long nsid, long blocks, NvmeNamespace.Format format, MemorySegment page) {
        Eui64 eui64 = Eui64.read(page, IdentifyNamespace.EUI64.offset());
        Nguid nguid = Nguid.read(page, IdentifyNamespace.NGUID.offset());
        Optional<UUID> uuid = Optional.empty();
        int csi = Csi.NVM;
        if (data.vs() >= Version.NVME_1_3 || controller.transport().fabrics()) {
            MemorySegment list = descriptors(nsid);
            for (long at = 0; at + NamespaceDescriptor.HEADER_SIZE < list.byteSize(); at = NamespaceDescriptor.next(
                    list,
                    at)) {
                int type = NamespaceDescriptor.nidt(list, at);
                int length = NamespaceDescriptor.nidl(list, at);
                if (type == 0 || at + NamespaceDescriptor.HEADER_SIZE + length > list.byteSize()) {
                    break;
                }
                if (length != NamespaceDescriptor.nidl(type)) {
                    continue; // of a type that is not known, or wrong: its length leads on
                }
                long id = at + NamespaceDescriptor.NID;
                switch (type) {
                    case NamespaceDescriptor.NIDT_EUI64 -> eui64 = Eui64.read(list, id);
                    case NamespaceDescriptor.NIDT_NGUID -> nguid = Nguid.read(list, id);
                    case NamespaceDescriptor.NIDT_UUID -> uuid = Optional.of(WireUuid.read(list, id))
                            .filter(value -> value.getMostSignificantBits() != 0
                                    || value.getLeastSignificantBits() != 0);
                    default -> csi = LittleEndian.u8(list, id);
                }
            }
        }
        return new NvmeNamespace(nsid, blocks, format, new NvmeNamespace.Ids(eui64, nguid, uuid), csi,
                IdentifyNamespace.ANAGRPID.get(page, 0), page);
    }

    private MemorySegment descriptors(long nsid) {
        try {
            return admin.identify(Cns.NAMESPACE_DESCRIPTORS, nsid);
        } catch (NvmeException e) {
            if (e.status() == Status.SUCCESS) {
                throw e;
            }
            return MemorySegment.ofArray(new byte[0]); // has none
        }
    }
}
