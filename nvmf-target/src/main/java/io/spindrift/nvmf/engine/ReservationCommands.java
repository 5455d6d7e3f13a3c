package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.command.RegisteredController;
import io.spindrift.nvme.spec.command.RegisteredControllerExtended;
import io.spindrift.nvme.spec.command.ReservationCommand;
import io.spindrift.nvme.spec.command.ReservationStatus;
import io.spindrift.nvme.spec.feature.FeatureDword;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.SubsystemView;
import io.spindrift.nvmf.reservation.Outcome;
import io.spindrift.nvmf.reservation.Registrant;
import io.spindrift.nvmf.reservation.ReservationChange;
import io.spindrift.nvmf.reservation.ReservationRules;
import io.spindrift.nvmf.reservation.Reservations;
import io.spindrift.nvmf.spi.OncsFeature;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The reservation commands and features (base specification 2.0, 7.2 to 7.5 and 5.27.1), and what a
/// reservation keeps other commands from.
///
/// A change is made on the control path and answered when every poll group heeds it; the rest on the thread of the queue
/// pair or controller. Off the data path, but for [#conflict].
final class ReservationCommands {
    private static final UUID NO_HOST = new UUID(0, 0);
    private static final int CNTLID_NONE = 0xffff;
    private static final int MASK = FeatureDword.REGPRE | FeatureDword.RESREL | FeatureDword.RESPRE;

    private ReservationCommands() {}

    /// Whether hosts may use them through this controller.
    static boolean supported(Controller controller) {
        return !controller.transportOptions().maskedOncs().contains(OncsFeature.RESERVS);
    }

    /// Whether a command of this opcode meets what a reservation bars: [Reservations#READS], [Reservations#WRITES] (base
    /// specification 2.0, 8.19). Copy writes, and who may not read may not write.
    static boolean conflict(int barred, int opcode) {
        return switch (opcode) {
            case NvmOpcode.READ, NvmOpcode.COMPARE, NvmOpcode.VERIFY -> (barred & Reservations.READS) != 0;
            case NvmOpcode.WRITE, NvmOpcode.WRITE_UNCORRECTABLE, NvmOpcode.WRITE_ZEROES,
                    NvmOpcode.DATASET_MANAGEMENT, NvmOpcode.FLUSH, NvmOpcode.COPY ->
                (barred & Reservations.WRITES) != 0;
            default -> false;
        };
    }

    // ---- commands -----------------------------------------------------------------------------------------------

    /// Executes a reservation command, which is counted in for its namespace.
    static void execute(Request request) {
        Controller controller = request.queue().controller();
        if (!supported(controller)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        } else if (request.opcode() == NvmOpcode.RESERVATION_REPORT) {
            report(controller, request);
        } else {
            change(controller, request);
        }
    }

    private static void change(Controller controller, Request request) {
        int opcode = request.opcode();
        int size = opcode == NvmOpcode.RESERVATION_RELEASE
                ? ReservationCommand.RELEASE_SIZE
                : ReservationCommand.KEYS_SIZE;
        if (request.data().byteLength() < size) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        if (controller.hostId().equals(NO_HOST)) {
            request.complete(Status.withDnr(GenericStatus.OPERATION_DENIED)); // no host that could be told from others
            return;
        }
        long current;
        long second;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment keys = arena.allocate(ReservationCommand.KEYS_SIZE, Long.BYTES);
            request.data().copyTo(keys, 0, 0, size);
            current = ReservationCommand.crkey(keys, 0);
            second = ReservationCommand.nrkey(keys, 0);
        }
        UUID host = controller.hostId();
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        int action = ReservationCommand.action(sqe, at);
        boolean ignoreKey = ReservationCommand.iekey(sqe, at);
        int rtype = ReservationCommand.rtype(sqe, at);
        int cptpl = ReservationCommand.cptpl(sqe, at);
        submit(controller, request, List.of(request.nsid()), switch (opcode) {
            case NvmOpcode.RESERVATION_REGISTER -> (now, persists) -> ReservationRules.register(now, persists, host,
                    action, ignoreKey, cptpl, current, second);
            case NvmOpcode.RESERVATION_ACQUIRE ->
                (now, _) -> ReservationRules.acquire(now, host, action, ignoreKey, rtype, current, second);
            default -> (now, _) -> ReservationRules.release(now, host, action, ignoreKey, rtype, current);
        });
    }

    /// Has a change made, and answers then. The command is counted out before, or a change that waits for the commands of
    /// the namespace would wait for it for ever, and it for the change.
    private static void submit(Controller controller, Request request, List<Long> nsids, ReservationChange change) {
        request.countOut();
        controller.subsystem().changeReservations(nsids, change,
                status -> request.queue().group().thread().send(() -> request.complete(status)));
    }

    private static void report(Controller controller, Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        if (!ReservationCommand.eds(sqe, at)) { // host identifiers have 128 bits here
            request.complete(Status.withDnr(GenericStatus.HOST_IDENTIFIER_INCONSISTENT_FORMAT));
            return;
        }
        long bytes = ReservationCommand.reportBytes(sqe, at);
        if (request.data().byteLength() < bytes) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = report(controller, request.namespace().namespace().reservations(), arena);
            AdminCommands.answer(request, Status.SUCCESS, page, 0, bytes);
        }
    }

    /// A registrant whose host has several controllers is there once for each of them, one whose host has none once.
    private static MemorySegment report(Controller controller, Reservations reservations, Arena arena) {
        List<Controller> controllers = ((TargetEngine) controller.subsystem().target().engine())
                .all(controller.subsystem());
        List<Registrant> registered = new ArrayList<>();
        List<Integer> cntlids = new ArrayList<>();
        for (Registrant registrant : reservations.registrants()) {
            int before = cntlids.size();
            for (Controller other : controllers) {
                if (other.hostId().equals(registrant.hostId())) {
                    cntlids.add(other.cntlid());
                }
            }
            if (cntlids.size() == before) {
                cntlids.add(CNTLID_NONE);
            }
            while (registered.size() < cntlids.size()) {
                registered.add(registrant);
            }
        }
        MemorySegment page = arena.allocate(ReservationStatus.EXTENDED_SIZE
                + (long) registered.size() * RegisteredControllerExtended.SIZE, Long.BYTES);
        ReservationStatus.GEN.set(page, 0, reservations.generation() & 0xffff_ffffL);
        ReservationStatus.RTYPE.set(page, 0, reservations.type().code());
        ReservationStatus.REGCTL.set(page, 0, registered.size());
        ReservationStatus.PTPLS.set(page, 0, reservations.persistent() ? 1 : 0);
        for (int i = 0; i < registered.size(); i++) {
            Registrant registrant = registered.get(i);
            long at = ReservationStatus.EXTENDED_SIZE + (long) i * RegisteredControllerExtended.SIZE;
            RegisteredControllerExtended.CNTLID.set(page, at, cntlids.get(i));
            RegisteredControllerExtended.RCSTS.set(page, at,
                    reservations.holds(registrant.hostId()) ? RegisteredController.RCSTS_HOLDER : 0);
            RegisteredControllerExtended.RKEY.set(page, at, registrant.key());
            WireUuid.write(page, at + RegisteredControllerExtended.HOSTID.offset(), registrant.hostId());
        }
        return page;
    }

    // ---- features -----------------------------------------------------------------------------------------------

    static void getFeature(Controller controller, Request request, int fid) {
        Optional<NvmfNamespace> namespace = visible(controller, request.nsid());
        if (!supported(controller) || request.nsid() == Nsid.BROADCAST) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else if (namespace.isEmpty()) {
            request.complete(Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT));
        } else {
            Reservations reservations = namespace.get().reservations();
            request.complete(Status.SUCCESS, fid == Fid.RESERVATION_NOTIFICATION_MASK
                    ? reservations.mask()
                    : reservations.persistent() ? FeatureDword.PTPL : 0);
        }
    }

    /// Of a namespace, or with the broadcast NSID of all that the host sees.
    static void setFeature(Controller controller, Request request, int fid, int value) {
        boolean all = request.nsid() == Nsid.BROADCAST;
        if (!supported(controller)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        if (!all && visible(controller, request.nsid()).isEmpty()) {
            request.complete(Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT));
            return;
        }
        SubsystemView view = controller.groupSubsystem().view();
        List<Long> nsids = all
                ? view.namespaces().stream().filter(namespace -> namespace.visibleTo(controller.hostNqn()))
                        .map(NvmfNamespace::nsid).toList()
                : List.of(request.nsid());
        boolean persistent = (value & FeatureDword.PTPL) != 0;
        submit(controller, request, nsids, fid == Fid.RESERVATION_NOTIFICATION_MASK
                ? (now, _) -> Outcome.of(now.masked(value & MASK))
                : (now, persists) -> persistent && !persists
                        ? all ? Outcome.of(now) : Outcome.refused(now, GenericStatus.INVALID_FIELD)
                        : Outcome.of(now.persistent(persistent)));
    }

    private static Optional<NvmfNamespace> visible(Controller controller, long nsid) {
        return controller.groupSubsystem().view().find(nsid)
                .filter(namespace -> namespace.visibleTo(controller.hostNqn()));
    }
}
