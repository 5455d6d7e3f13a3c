package io.spindrift.nvmf.engine;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.Csi;
import io.spindrift.nvme.spec.Eui64;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nguid;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.ControllerList;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyControllerNvm;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceIndependent;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceDescriptor;
import io.spindrift.nvme.spec.identify.NamespaceList;
import io.spindrift.nvmf.CommandRetryDelays;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.SubsystemOptions;
import io.spindrift.nvmf.SubsystemView;
import io.spindrift.nvmf.spi.FusesFeature;
import io.spindrift.nvmf.spi.OncsFeature;
import io.spindrift.nvmf.spi.TransportOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// What Identify returns (base specification 2.0, 5.17; NVM command set 1.0, 4.1.5). On the controller's thread; allocates.
final class IdentifyPages {
    /// Of a subsystem without a limit of its own: hosts size their ANA log by it.
    static final long USUAL_NAMESPACES = 1024;
    private static final int PAGE = 4096;
    /// Temperatures that a device would warn at: 70 and 100 degrees Celsius.
    private static final int WARNING_KELVINS = 343;
    private static final int CRITICAL_KELVINS = 373;
    private static final int ANA_TRANSITION_SECONDS = 10;
    private static final int CAPSULE_UNIT = 16;
    private static final int RESPONSE_CAPSULE = 16;

    private final Controller controller;
    private final SubsystemView view;
    private MemorySegment page;

    IdentifyPages(Controller controller, SubsystemView view) {
        this.controller = controller;
        this.view = view;
    }

    /// Fills `into`, 4,096 bytes of zeroes, and returns the status.
    int fill(MemorySegment into, int cns, long nsid, int csi, int cntid) {
        page = into;
        if (controller.discovery() && cns != Cns.CONTROLLER) {
            return Status.withDnr(GenericStatus.INVALID_FIELD);
        }
        return switch (cns) {
            case Cns.NAMESPACE -> namespace(nsid);
            case Cns.CONTROLLER -> controller();
            case Cns.ACTIVE_NAMESPACES, Cns.ALLOCATED_NAMESPACES -> activeNamespaces(nsid); // one is the other
            case Cns.ALLOCATED_NAMESPACE -> namespace(nsid);
            case Cns.ATTACHED_CONTROLLERS -> attachedControllers(nsid, cntid);
            case Cns.NAMESPACE_DESCRIPTORS -> descriptors(nsid);
            case Cns.COMMAND_SET_NAMESPACE -> csi == Csi.NVM ? existing(nsid) : noSuchCommandSet();
            case Cns.COMMAND_SET_CONTROLLER -> csi == Csi.NVM ? controllerNvm() : noSuchCommandSet();
            case Cns.COMMAND_SET_ACTIVE_NAMESPACES, Cns.COMMAND_SET_ALLOCATED_NAMESPACES ->
                csi == Csi.NVM ? activeNamespaces(nsid) : noSuchCommandSet();
            case Cns.COMMAND_SET_ALLOCATED_NAMESPACE -> csi == Csi.NVM ? existing(nsid) : noSuchCommandSet();
            case Cns.INDEPENDENT_NAMESPACE -> independent(nsid);
            case Cns.CONTROLLERS -> controllers(cntid, _ -> true);
            case Cns.COMMAND_SETS -> commandSets();
            default -> Status.withDnr(GenericStatus.INVALID_FIELD);
        };
    }

    private static int noSuchCommandSet() {
        return Status.withDnr(CommandSpecificStatus.INVALID_COMMAND_SET);
    }

    private NvmfSubsystem subsystem() {
        return view.subsystem();
    }

    /// The namespaces that this host sees there can be.
    static long maxNamespaces(SubsystemView view) {
        long max = view.subsystem().options().maxNamespaces();
        long highest = view.count() == 0 ? 0 : view.namespace(view.count() - 1).nsid();
        return max > 0 ? max : Math.max(USUAL_NAMESPACES, highest);
    }

    // ---- controller -------------------------------------------------------------------------------------------

    private int controller() {
        SubsystemOptions options = subsystem().options();
        IdentifyController.SN.set(page, 0, options.serialNumber());
        IdentifyController.MN.set(page, 0, options.modelNumber());
        IdentifyController.FR.set(page, 0, CoreRpcs.version());
        IdentifyController.MDTS.set(page, 0, Long.numberOfTrailingZeros(transport().maxIoSize() / PAGE));
        IdentifyController.CNTLID.set(page, 0, controller.cntlid());
        IdentifyController.VER.set(page, 0, Version.NVME_2_0);
        IdentifyController.CTRATT.set(page, 0, ControllerBits.CTRATT_HOST_ID_128);
        CommandRetryDelays delays = subsystem().target().options().retryDelays();
        IdentifyController.CRDT1.set(page, 0, delays.crdt1());
        IdentifyController.CRDT2.set(page, 0, delays.crdt2());
        IdentifyController.CRDT3.set(page, 0, delays.crdt3());
        IdentifyController.AERL.set(page, 0, AsyncEvents.LIMIT - 1);
        IdentifyController.ELPE.set(page, 0, ErrorLog.ENTRIES - 1);
        IdentifyController.LPA.set(page, 0, ControllerBits.LPA_EXTENDED_DATA
                | (controller.discovery() ? 0 : ControllerBits.LPA_COMMANDS_SUPPORTED_AND_EFFECTS));
        IdentifyController.KAS.set(page, 0, transport().keepAlive().granularity());
        IdentifyController.MAXCMD.set(page, 0, transport().maxQueueDepth());
        IdentifyController.SGLS.set(page, 0, ControllerBits.SGLS_SUPPORTED | ControllerBits.SGLS_OFFSET);
        IdentifyController.SUBNQN.set(page, 0, subsystem().nqn());
        if (controller.discovery()) {
            IdentifyController.CNTRLTYPE.set(page, 0, ControllerBits.CNTRLTYPE_DISCOVERY);
            IdentifyController.OAES.set(page, 0, ControllerBits.OAES_DISCOVERY_LOG_CHANGE & 0xffff_ffffL);
        } else {
            ioController();
        }
        return Status.SUCCESS;
    }

    private void ioController() {
        boolean ana = subsystem().options().anaReporting();
        IdentifyController.CNTRLTYPE.set(page, 0, ControllerBits.CNTRLTYPE_IO);
        IdentifyController.RAB.set(page, 0, 6);
        IdentifyController.CMIC.set(page, 0, ControllerBits.CMIC_MULTIPLE_PORTS
                | ControllerBits.CMIC_MULTIPLE_CONTROLLERS | (ana ? ControllerBits.CMIC_ANA : 0));
        IdentifyController.OAES.set(page, 0,
                ControllerBits.OAES_NAMESPACE_ATTRIBUTE | (ana ? ControllerBits.OAES_ANA_CHANGE : 0));
        IdentifyController.ACL.set(page, 0, Aborts.LIMIT - 1);
        IdentifyController.FRMW.set(page, 0,
                ControllerBits.FRMW_SLOT_1_READ_ONLY | 1 << ControllerBits.FRMW_SLOTS_SHIFT);
        IdentifyController.WCTEMP.set(page, 0, WARNING_KELVINS);
        IdentifyController.CCTEMP.set(page, 0, CRITICAL_KELVINS);
        IdentifyController.SQES.set(page, 0, 6 << 4 | 6);
        IdentifyController.CQES.set(page, 0, 4 << 4 | 4);
        long namespaces = maxNamespaces(view);
        IdentifyController.NN.set(page, 0, namespaces);
        IdentifyController.ONCS.set(page, 0, optionalCommands());
        IdentifyController.FUSES.set(page, 0, transport().maskedFuses().contains(FusesFeature.FCWS)
                ? 0
                : ControllerBits.FUSES_COMPARE_AND_WRITE);
        IdentifyController.OCFS.set(page, 0, 1);
        IdentifyController.VWC.set(page, 0, ControllerBits.VWC_PRESENT | ControllerBits.VWC_FLUSH_BROADCAST_NO);
        IdentifyController.IOCCSZ.set(page, 0,
                (SubmissionQueueEntry.SIZE + transport().inCapsuleDataSize()) / CAPSULE_UNIT);
        IdentifyController.IORCSZ.set(page, 0, RESPONSE_CAPSULE / CAPSULE_UNIT);
        IdentifyController.MSDBD.set(page, 0, 1);
        if (ana) {
            IdentifyController.MNAN.set(page, 0, namespaces);
            IdentifyController.ANATT.set(page, 0, ANA_TRANSITION_SECONDS);
            IdentifyController.ANACAP.set(page, 0, ControllerBits.ANACAP_OPTIMIZED
                    | ControllerBits.ANACAP_NON_OPTIMIZED | ControllerBits.ANACAP_INACCESSIBLE);
            IdentifyController.ANAGRPMAX.set(page, 0, namespaces);
            IdentifyController.NANAGRPID.set(page, 0, namespaces);
        }
    }

    private int optionalCommands() {
        Set<OncsFeature> masked = transport().maskedOncs();
        return ControllerBits.ONCS_SAVE_AND_SELECT
                | (masked.contains(OncsFeature.NVMCMPS) ? 0 : ControllerBits.ONCS_COMPARE)
                | (masked.contains(OncsFeature.NVMDSMSV) ? 0 : ControllerBits.ONCS_DATASET_MANAGEMENT)
                | (masked.contains(OncsFeature.NVMWZSV) ? 0 : ControllerBits.ONCS_WRITE_ZEROES)
                | (masked.contains(OncsFeature.RESERVS) ? 0 : ControllerBits.ONCS_RESERVATIONS)
                | (masked.contains(OncsFeature.NVMCPYS) ? 0 : ControllerBits.ONCS_COPY);
    }

    private TransportOptions transport() {
        return controller.transportOptions();
    }

    private int controllerNvm() {
        SubsystemOptions options = subsystem().options();
        IdentifyControllerNvm.WZSL.set(page, 0, options.wzsl());
        IdentifyControllerNvm.DMRSL.set(page, 0, options.dmrsl());
        IdentifyControllerNvm.DMRL.set(page, 0, RangeCommand.dmrl(options.dmrsl()));
        IdentifyControllerNvm.DMSL.set(page, 0, RangeCommand.dmrl(options.dmrsl()) * options.dmrsl());
        return Status.SUCCESS;
    }

    /// Those of the hosts that see a namespace.
    private int attachedControllers(long nsid, int from) {
        Optional<NvmfNamespace> namespace = visible(nsid);
        return namespace.isEmpty()
                ? Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT)
                : controllers(from, other -> namespace.get().visibleTo(other.hostNqn()));
    }

    private int controllers(int from, Predicate<Controller> wanted) {
        List<Controller> all = ((TargetEngine) subsystem().target().engine()).all(subsystem());
        int count = 0;
        for (Controller other : all) {
            if (other.cntlid() >= from && wanted.test(other) && count < ControllerList.MAX_ENTRIES) {
                ControllerList.cntlid(page, 0, count, other.cntlid());
                count++;
            }
        }
        ControllerList.count(page, 0, count);
        return Status.SUCCESS;
    }

    /// One combination: the NVM command set alone.
    private int commandSets() {
        LittleEndian.u64(page, 0, 1L << Csi.NVM);
        return Status.SUCCESS;
    }

    // ---- namespaces -------------------------------------------------------------------------------------------

    private Optional<NvmfNamespace> visible(long nsid) {
        return view.find(nsid).filter(namespace -> namespace.visibleTo(controller.hostNqn()));
    }

    private boolean outOfRange(long nsid) {
        return nsid == Nsid.NONE || nsid > maxNamespaces(view);
    }

    /// Good for every namespace; all zeroes for the NVM command set's own page.
    private int existing(long nsid) {
        return outOfRange(nsid) ? Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT) : Status.SUCCESS;
    }

    /// Zeroes for one that is not active.
    private int namespace(long nsid) {
        if (outOfRange(nsid)) {
            return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
        }
        visible(nsid).ifPresent(this::namespace);
        return Status.SUCCESS;
    }

    private void namespace(NvmfNamespace namespace) {
        BdevGeometry geometry = namespace.bdev().geometry();
        IdentifyNamespace.NSZE.set(page, 0, namespace.numBlocks());
        IdentifyNamespace.NCAP.set(page, 0, namespace.numBlocks());
        IdentifyNamespace.NUSE.set(page, 0, namespace.numBlocks());
        IdentifyNamespace.NMIC.set(page, 0, IdentifyNamespace.NMIC_SHARED);
        IdentifyNamespace.RESCAP.set(page, 0, reservationCapabilities(namespace));
        long format = IdentifyNamespace.LBAF.at(0, 0);
        LbaFormat.LBADS.set(page, format, Integer.numberOfTrailingZeros(geometry.dataBlockSize()));
        if (geometry.metadataSize() > 0 && geometry.metadataInterleaved()) {
            LbaFormat.MS.set(page, format, geometry.metadataSize());
            IdentifyNamespace.FLBAS.set(page, 0, IdentifyNamespace.FLBAS_EXTENDED);
            IdentifyNamespace.MC.set(page, 0, IdentifyNamespace.MC_EXTENDED);
        }
        hints(geometry);
        IdentifyNamespace.MSSRL.set(page, 0, RangeCommand.maxCopyRange(geometry.blockSize()));
        IdentifyNamespace.MCL.set(page, 0, RangeCommand.maxCopy(geometry.blockSize()));
        IdentifyNamespace.MSRC.set(page, 0, RangeCommand.MAX_COPY_RANGES - 1);
        if (subsystem().options().anaReporting()) {
            IdentifyNamespace.ANAGRPID.set(page, 0, namespace.anaGroup());
        }
        Nguid.parse(namespace.ids().nguid()).write(page, IdentifyNamespace.NGUID.offset());
        namespace.ids().eui64().ifPresent(eui64 -> Eui64.parse(eui64).write(page, IdentifyNamespace.EUI64.offset()));
    }

    /// What a host may use for speed, 0's based where it is a size.
    private void hints(BdevGeometry geometry) {
        BdevGeometry.IoHints hints = geometry.hints();
        int physical = geometry.physicalBlockSize() / geometry.dataBlockSize();
        int write = Math.max(hints.preferredWriteGranularity(), physical);
        if (write > 1) {
            IdentifyNamespace.NSFEAT.set(page, 0, IdentifyNamespace.NSFEAT_OPTIMAL_PERFORMANCE);
            IdentifyNamespace.NPWG.set(page, 0, write - 1);
            IdentifyNamespace.NPWA.set(page, 0, Math.max(hints.preferredWriteAlignment(), write) - 1);
            IdentifyNamespace.NOWS.set(page, 0, Math.max(hints.optimalWriteSize(), write) - 1);
            IdentifyNamespace.NPDG.set(page, 0, Math.max(hints.preferredUnmapGranularity(), 1) - 1);
            IdentifyNamespace.NPDA.set(page, 0, Math.max(hints.preferredUnmapAlignment(), 1) - 1);
        }
        IdentifyNamespace.NOIOB.set(page, 0, geometry.optimalIoBoundary());
    }

    private int reservationCapabilities(NvmfNamespace namespace) {
        if (!ReservationCommands.supported(controller)) {
            return 0;
        }
        return IdentifyNamespace.RESCAP_ALL_TYPES | IdentifyNamespace.RESCAP_IEKEY_1_3
                | (namespace.ptplFile().isPresent() ? IdentifyNamespace.RESCAP_PERSISTENT : 0);
    }

    private int independent(long nsid) {
        if (outOfRange(nsid)) {
            return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
        }
        visible(nsid).ifPresent(namespace -> {
            IdentifyNamespaceIndependent.NMIC.set(page, 0, IdentifyNamespace.NMIC_SHARED);
            IdentifyNamespaceIndependent.RESCAP.set(page, 0, reservationCapabilities(namespace));
            IdentifyNamespaceIndependent.NSTAT.set(page, 0, IdentifyNamespaceIndependent.NSTAT_READY);
            if (subsystem().options().anaReporting()) {
                IdentifyNamespaceIndependent.ANAGRPID.set(page, 0, namespace.anaGroup());
            }
        });
        return Status.SUCCESS;
    }

    private int activeNamespaces(long after) {
        if (after >= Nsid.MAX) {
            return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
        }
        int count = 0;
        for (NvmfNamespace namespace : view.namespaces()) {
            if (namespace.nsid() > after && namespace.visibleTo(controller.hostNqn())
                    && count < NamespaceList.MAX_ENTRIES) {
                NamespaceList.nsid(page, 0, count, namespace.nsid());
                count++;
            }
        }
        return Status.SUCCESS;
    }

    private int descriptors(long nsid) {
        Optional<NvmfNamespace> namespace = visible(nsid);
        if (namespace.isEmpty()) {
            return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
        }
        long at = 0;
        if (namespace.get().ids().eui64().isPresent()) {
            at = NamespaceDescriptor.put(page, at, Eui64.parse(namespace.get().ids().eui64().get()));
        }
        at = NamespaceDescriptor.put(page, at, Nguid.parse(namespace.get().ids().nguid()));
        at = NamespaceDescriptor.put(page, at, namespace.get().ids().uuid());
        NamespaceDescriptor.putCsi(page, at, Csi.NVM);
        return Status.SUCCESS;
    }
}
