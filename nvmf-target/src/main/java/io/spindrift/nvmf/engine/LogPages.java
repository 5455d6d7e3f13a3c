package io.spindrift.nvmf.engine;

import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.FirmwareSlotLog;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import io.spindrift.nvme.spec.log.SmartLog;
import io.spindrift.nvme.spec.log.SupportedLogPages;
import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.HealthCounters;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.SubsystemView;
import io.spindrift.nvmf.spi.OncsFeature;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// What Get Log Page returns (base specification 2.0, 5.16). On the controller's thread; allocates.
final class LogPages {
    private static final int[] IO_PAGES = {Lid.SUPPORTED_LOG_PAGES, Lid.ERROR_INFORMATION, Lid.SMART,
            Lid.FIRMWARE_SLOT, Lid.CHANGED_NAMESPACES, Lid.COMMANDS_SUPPORTED_AND_EFFECTS, Lid.ANA,
            Lid.RESERVATION_NOTIFICATION};
    private static final int[] DISCOVERY_PAGES = {Lid.SUPPORTED_LOG_PAGES, Lid.ERROR_INFORMATION, Lid.DISCOVERY};
    private static final int CHANGED_NAMESPACES_SIZE = 4096;
    private static final long SMART_THOUSAND = 1000;

    private final Controller controller;
    private final Arena arena;

    LogPages(Controller controller, Arena arena) {
        this.controller = controller;
        this.arena = arena;
    }

    /// The whole page, or null if there is none of this number. With `retain` nothing of it is taken away.
    MemorySegment page(int lid, int lsp, boolean retain) {
        if (controller.discovery()) {
            return switch (lid) {
                case Lid.SUPPORTED_LOG_PAGES -> supported(DISCOVERY_PAGES);
                case Lid.ERROR_INFORMATION -> errors();
                case Lid.DISCOVERY -> controller.discoveryPages().log(arena);
                default -> null;
            };
        }
        return switch (lid) {
            case Lid.SUPPORTED_LOG_PAGES -> supported(IO_PAGES);
            case Lid.ERROR_INFORMATION -> errors();
            case Lid.SMART -> smart();
            case Lid.FIRMWARE_SLOT -> firmware();
            case Lid.CHANGED_NAMESPACES -> changedNamespaces(retain);
            case Lid.COMMANDS_SUPPORTED_AND_EFFECTS -> effects();
            case Lid.ANA -> view().subsystem().options().anaReporting() ? ana(lsp) : null;
            case Lid.RESERVATION_NOTIFICATION ->
                ReservationCommands.supported(controller) ? reservationNotification(retain) : null;
            default -> null;
        };
    }

    /// Up to where a host may ask for the page; there are zeroes after its end. A host that reads the ANA log in pieces goes
    /// on to the size that NANAGRPID and NN of Identify Controller let it expect (nvme-cli does).
    long readable(int lid, MemorySegment page) {
        return switch (lid) {
            case Lid.ERROR_INFORMATION -> Long.MAX_VALUE;
            case Lid.ANA -> AnaLog.SIZE + IdentifyPages.maxNamespaces(view()) * AnaGroupDescriptor.size(1);
            default -> page.byteSize();
        };
    }

    private SubsystemView view() {
        return controller.groupSubsystem().view();
    }

    private MemorySegment supported(int[] lids) {
        MemorySegment page = arena.allocate(SupportedLogPages.SIZE, Long.BYTES);
        for (int lid : lids) {
            if ((lid != Lid.ANA || view().subsystem().options().anaReporting())
                    && (lid != Lid.RESERVATION_NOTIFICATION || ReservationCommands.supported(controller))) {
                LittleEndian.u32(page, SupportedLogPages.LIDS.at(0, lid), SupportedLogPages.LSUPP);
            }
        }
        return page;
    }

    private MemorySegment errors() {
        return controller.errors().page(arena, DiscoveryPages.trtype(controller.admin().listen().trtype()));
    }

    /// A device without wear; the subsystem's I/O, whichever controller it went through (base specification 2.0, 5.16.1.3). A
    /// temperature of 0 means that it is not reported.
    private MemorySegment smart() {
        MemorySegment page = arena.allocate(SmartLog.SIZE, Long.BYTES);
        SmartLog.AVAILABLE_SPARE.set(page, 0, 100);
        SmartLog.AVAILABLE_SPARE_THRESHOLD.set(page, 0, 10);
        HealthCounters.Sum done = controller.subsystem().health().sum();
        SmartLog.DATA_UNITS_READ.set(page, 0, Math.ceilDiv(done.readUnits(), SMART_THOUSAND));
        SmartLog.DATA_UNITS_WRITTEN.set(page, 0, Math.ceilDiv(done.writtenUnits(), SMART_THOUSAND));
        SmartLog.HOST_READ_COMMANDS.set(page, 0, done.readCommands());
        SmartLog.HOST_WRITE_COMMANDS.set(page, 0, done.writeCommands());
        SmartLog.POWER_ON_HOURS.set(page, 0, TimeUnit.NANOSECONDS.toHours(controller.groupSubsystem().ageNanos()));
        SmartLog.MEDIA_ERRORS.set(page, 0, done.integrityErrors());
        SmartLog.ERROR_LOG_ENTRIES.set(page, 0, controller.errors().count());
        return page;
    }

    private MemorySegment firmware() {
        MemorySegment page = arena.allocate(FirmwareSlotLog.SIZE, Long.BYTES);
        FirmwareSlotLog.AFI.set(page, 0, 1);
        FirmwareSlotLog.FRS1.set(page, 0, CoreRpcs.version());
        return page;
    }

    private MemorySegment changedNamespaces(boolean retain) {
        MemorySegment page = arena.allocate(CHANGED_NAMESPACES_SIZE, Long.BYTES);
        long[] changed = retain ? controller.events().changedNamespaces() : controller.events().takeChangedNamespaces();
        for (int i = 0; i < changed.length; i++) {
            LittleEndian.u32(page, i * 4L, changed[i]);
        }
        return page;
    }

    private MemorySegment reservationNotification(boolean retain) {
        MemorySegment page = arena.allocate(ReservationNotificationLog.SIZE, Long.BYTES);
        controller.reservationLog().read(page, retain);
        return page;
    }

    private MemorySegment effects() {
        MemorySegment page = arena.allocate(CommandEffectsLog.SIZE, Long.BYTES);
        for (int opcode : new int[]{AdminOpcode.GET_LOG_PAGE, AdminOpcode.IDENTIFY, AdminOpcode.ABORT,
                AdminOpcode.SET_FEATURES, AdminOpcode.GET_FEATURES, AdminOpcode.ASYNC_EVENT_REQUEST,
                AdminOpcode.KEEP_ALIVE}) {
            LittleEndian.u32(page, CommandEffectsLog.ACS.at(0, opcode), CommandEffectsLog.CSUPP);
        }
        for (int opcode : new int[]{NvmOpcode.READ, NvmOpcode.COMPARE, NvmOpcode.FLUSH}) {
            ioEffect(page, opcode, CommandEffectsLog.CSUPP);
        }
        for (int opcode : new int[]{NvmOpcode.WRITE, NvmOpcode.WRITE_ZEROES, NvmOpcode.DATASET_MANAGEMENT,
                NvmOpcode.COPY}) {
            ioEffect(page, opcode, CommandEffectsLog.CSUPP | CommandEffectsLog.LBCC);
        }
        if (ReservationCommands.supported(controller)) {
            for (int opcode : new int[]{NvmOpcode.RESERVATION_REGISTER, NvmOpcode.RESERVATION_REPORT,
                    NvmOpcode.RESERVATION_ACQUIRE, NvmOpcode.RESERVATION_RELEASE}) {
                LittleEndian.u32(page, CommandEffectsLog.IOCS.at(0, opcode), CommandEffectsLog.CSUPP);
            }
        }
        return page;
    }

    private void ioEffect(MemorySegment page, int opcode, int effects) {
        OncsFeature feature = NvmCommands.feature(opcode);
        if (feature == null || !controller.transportOptions().maskedOncs().contains(feature)) {
            LittleEndian.u32(page, CommandEffectsLog.IOCS.at(0, opcode), effects);
        }
    }

    // ---- Asymmetric Namespace Access (base specification 2.0, 5.16.1.13) ------------------------------------------

    private MemorySegment ana(int lsp) {
        boolean groupsOnly = (lsp & AnaLog.LSP_GROUPS_ONLY) != 0;
        SubsystemView view = view();
        TreeMap<Long, List<Long>> groups = new TreeMap<>();
        for (NvmfNamespace namespace : view.namespaces()) {
            if (namespace.visibleTo(controller.hostNqn())) {
                groups.computeIfAbsent(namespace.anaGroup(), _ -> new ArrayList<>()).add(namespace.nsid());
            }
        }
        long size = AnaLog.SIZE;
        for (List<Long> nsids : groups.values()) {
            size += AnaGroupDescriptor.size(groupsOnly ? 0 : nsids.size());
        }
        MemorySegment page = arena.allocate(size, Long.BYTES);
        AnaLog.CHANGE_COUNT.set(page, 0, view.version());
        AnaLog.GROUPS.set(page, 0, groups.size());
        long at = AnaLog.SIZE;
        for (var group : groups.entrySet()) {
            at = anaGroup(page, at, group.getKey(), groupsOnly ? List.of() : group.getValue(), view);
        }
        return page;
    }

    private long anaGroup(MemorySegment page, long at, long id, List<Long> nsids, SubsystemView view) {
        AnaState state = view.listener(controller.admin().listen()).map(NvmfListener::states)
                .map(states -> states.state(id)).orElse(AnaState.INACCESSIBLE);
        AnaGroupDescriptor.GROUP_ID.set(page, at, id);
        AnaGroupDescriptor.NSIDS.set(page, at, nsids.size());
        AnaGroupDescriptor.CHANGE_COUNT.set(page, at, view.version());
        AnaGroupDescriptor.STATE.set(page, at, state.code());
        for (int i = 0; i < nsids.size(); i++) {
            LittleEndian.u32(page, AnaGroupDescriptor.nsidAt(at, i), nsids.get(i));
        }
        return at + AnaGroupDescriptor.size(nsids.size());
    }
}
