package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.feature.FeatureDword;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.feature.HostBehaviorSupport;
import io.spindrift.nvmf.GroupSubsystem;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The admin commands (base specification 2.0, 5). On the controller's thread; off the data path, so they may allocate.
final class AdminCommands {
    private static final int HOST_ID_SIZE = 16;
    private static final int HOST_BEHAVIOR_SIZE = 512;
    /// Get Log Page is answered from memory; no host asks for more at once.
    private static final long MAX_LOG_BYTES = 16 << 20;

    private AdminCommands() {}

    static void execute(Controller controller, Request request) {
        int opcode = request.opcode();
        if (request.fuse() != SubmissionQueueEntry.FUSE_NONE) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD)); // only I/O commands can be fused
        } else if (opcode == AdminOpcode.FABRICS) {
            FabricsCommands.execute(controller, request);
        } else if (!controller.registers().ready()) {
            request.complete(Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR));
        } else if (opcode == AdminOpcode.KEEP_ALIVE) {
            controller.kept();
            request.complete(Status.SUCCESS);
        } else if (opcode == AdminOpcode.ASYNC_EVENT_REQUEST) {
            controller.events().add(request);
        } else if (opcode == AdminOpcode.ABORT) {
            controller.aborts().execute(request); // also while a change waits for what it is to end
        } else {
            manage(controller, request);
        }
    }

    /// Those that look at the subsystem, which must not change meanwhile.
    private static void manage(Controller controller, Request request) {
        GroupSubsystem subsystem = controller.groupSubsystem();
        if (subsystem.managementPaused()) {
            subsystem.park(request);
            return;
        }
        request.manage(subsystem);
        switch (request.opcode()) {
            case AdminOpcode.IDENTIFY -> identify(controller, request);
            case AdminOpcode.GET_LOG_PAGE -> getLogPage(controller, request);
            case AdminOpcode.GET_FEATURES -> getFeatures(controller, request);
            case AdminOpcode.SET_FEATURES -> setFeatures(controller, request);
            default -> request.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        }
    }

    private static void identify(Controller controller, Request request) {
        if (request.data().byteLength() < IdentifyCommand.DATA_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(IdentifyCommand.DATA_SIZE, Long.BYTES);
            int status = new IdentifyPages(controller, controller.groupSubsystem().view()).fill(page,
                    IdentifyCommand.cns(request.sqe(), request.sqeAt()), request.nsid(),
                    IdentifyCommand.csi(request.sqe(), request.sqeAt()),
                    IdentifyCommand.cntid(request.sqe(), request.sqeAt()));
            answer(request, status, page, 0, IdentifyCommand.DATA_SIZE);
        }
    }

    /// Ends the request, if the status is good with `bytes` of `page`, or zeroes where that ends.
    static void answer(Request request, int status, MemorySegment page, long from, long bytes) {
        if (status != Status.SUCCESS) {
            request.complete(status);
            return;
        }
        request.data().fill((byte) 0); // what its last user left there is not this host's
        long part = Math.min(bytes, page.byteSize() - from);
        if (part > 0) {
            request.data().copyFrom(page, from, 0, part);
        }
        request.completeWith(bytes);
    }

    private static void getLogPage(Controller controller, Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        int lid = GetLogPageCommand.lid(sqe, at);
        long bytes = GetLogPageCommand.bytes(sqe, at);
        long offset = GetLogPageCommand.lpo(sqe, at);
        if (bytes > MAX_LOG_BYTES || offset < 0 || offset % 4 != 0 || GetLogPageCommand.indexOffset(sqe, at)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        if (request.data().byteLength() < bytes) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        boolean retain = GetLogPageCommand.rae(sqe, at);
        try (Arena arena = Arena.ofConfined()) {
            LogPages pages = new LogPages(controller, arena);
            MemorySegment page = pages.page(lid, GetLogPageCommand.lsp(sqe, at), retain);
            if (page == null) {
                request.complete(Status.withDnr(CommandSpecificStatus.INVALID_LOG_PAGE));
            } else if (offset > pages.readable(lid, page)) {
                request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            } else {
                answer(request, Status.SUCCESS, page, Math.min(offset, page.byteSize()), bytes);
                if (!retain) {
                    controller.events().logRead(lid);
                }
            }
        }
    }

    private static void getFeatures(Controller controller, Request request) {
        int fid = FeatureCommand.fid(request.sqe(), request.sqeAt());
        if (FeatureCommand.sel(request.sqe(), request.sqeAt()) != FeatureCommand.SEL_CURRENT) {
            selectFeature(controller, request, fid);
            return;
        }
        switch (fid) {
            case Fid.HOST_IDENTIFIER -> getHostIdentifier(controller, request);
            case Fid.HOST_BEHAVIOR_SUPPORT -> getHostBehavior(request, controller.features());
            case Fid.RESERVATION_NOTIFICATION_MASK, Fid.RESERVATION_PERSISTENCE ->
                ReservationCommands.getFeature(controller, request, fid);
            default -> {
                long value = controller.features().get(fid, SubmissionQueueEntry.cdw11(request.sqe(), request.sqeAt()));
                if (value < 0) {
                    request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
                } else {
                    request.complete(Status.SUCCESS, (int) value);
                }
            }
        }
    }

    /// Another value than the current one. None is saved, so that the saved one is the default.
    private static void selectFeature(Controller controller, Request request, int fid) {
        int capabilities = Features.capabilities(fid);
        int select = FeatureCommand.sel(request.sqe(), request.sqeAt());
        if (capabilities < 0 || select > FeatureCommand.SEL_CAPABILITIES) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else if (select == FeatureCommand.SEL_CAPABILITIES) {
            request.complete(Status.SUCCESS, capabilities);
        } else if (fid == Fid.HOST_IDENTIFIER) {
            getHostIdentifier(controller, request); // it cannot be changed
        } else if (fid == Fid.HOST_BEHAVIOR_SUPPORT) {
            getHostBehavior(request, controller.features().defaults());
        } else {
            long value = controller.features().defaults().get(fid,
                    SubmissionQueueEntry.cdw11(request.sqe(), request.sqeAt()));
            request.complete(Status.SUCCESS, (int) Math.max(value, 0));
        }
    }

    /// The extended format, 128 bits, as CTRATT says.
    private static void getHostIdentifier(Controller controller, Request request) {
        if ((SubmissionQueueEntry.cdw11(request.sqe(), request.sqeAt()) & FeatureDword.EXHID) == 0) {
            request.complete(Status.withDnr(GenericStatus.HOST_IDENTIFIER_INCONSISTENT_FORMAT));
            return;
        }
        if (request.data().byteLength() < HOST_ID_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(HOST_ID_SIZE);
            WireUuid.write(id, 0, controller.hostId());
            answer(request, Status.SUCCESS, id, 0, HOST_ID_SIZE);
        }
    }

    private static void getHostBehavior(Request request, Features features) {
        if (request.data().byteLength() < HOST_BEHAVIOR_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment behavior = arena.allocate(HOST_BEHAVIOR_SIZE);
            HostBehaviorSupport.ACRE.set(behavior, 0, features.advancedRetries() ? 1 : 0);
            answer(request, Status.SUCCESS, behavior, 0, HOST_BEHAVIOR_SIZE);
        }
    }

    /// Advanced Command Retry alone can be enabled.
    private static void setHostBehavior(Controller controller, Request request) {
        if (request.data().byteLength() < HOST_BEHAVIOR_SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment behavior = arena.allocate(HOST_BEHAVIOR_SIZE);
            request.data().copyTo(behavior, 0, 0, HOST_BEHAVIOR_SIZE);
            int retries = HostBehaviorSupport.ACRE.get(behavior, 0);
            if (retries > 1 || HostBehaviorSupport.ETDAS.get(behavior, 0) != 0
                    || HostBehaviorSupport.LBAFEE.get(behavior, 0) != 0) {
                request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            } else {
                controller.features().advancedRetries(retries == 1);
                request.complete(Status.SUCCESS);
            }
        }
    }

    private static void setFeatures(Controller controller, Request request) {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        int fid = FeatureCommand.fid(sqe, at);
        int value = SubmissionQueueEntry.cdw11(sqe, at);
        int refusal = refusal(request, fid, FeatureCommand.sv(sqe, at));
        if (refusal != Status.SUCCESS) {
            request.complete(Status.withDnr(refusal));
            return;
        }
        switch (fid) {
            case Fid.KEEP_ALIVE_TIMER -> {
                controller.keepAliveTimeout(FeatureDword.kato(value));
                request.complete(Status.SUCCESS);
            }
            // It came with Connect (base specification 2.0, 5.27.1.21).
            case Fid.HOST_IDENTIFIER -> request.complete(Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR));
            case Fid.RESERVATION_NOTIFICATION_MASK, Fid.RESERVATION_PERSISTENCE ->
                ReservationCommands.setFeature(controller, request, fid, value);
            case Fid.HOST_BEHAVIOR_SUPPORT -> setHostBehavior(controller, request);
            case Fid.NUMBER_OF_QUEUES -> {
                int status = controller.hasIoQueues()
                        ? Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR)
                        : controller.features().set(fid, value);
                request.complete(status, status == Status.SUCCESS ? (int) controller.features().get(fid, 0) : 0);
            }
            default -> request.complete(controller.features().set(fid, value));
        }
    }

    /// Why no value of a feature can be set so; 0 if one can.
    private static int refusal(Request request, int fid, boolean saved) {
        int capabilities = Features.capabilities(fid);
        if (capabilities < 0) {
            return GenericStatus.INVALID_FIELD;
        }
        if (saved) {
            return CommandSpecificStatus.FEATURE_NOT_SAVEABLE;
        }
        boolean forNamespace = request.nsid() != Nsid.NONE && request.nsid() != Nsid.BROADCAST;
        return forNamespace && (capabilities & FeatureCommand.CAPABILITY_NAMESPACE_SPECIFIC) == 0
                && fid != Fid.ERROR_RECOVERY // a namespace's by the specification; all of them have the same here
                        ? CommandSpecificStatus.FEATURE_NOT_NAMESPACE_SPECIFIC
                        : Status.SUCCESS;
    }
}
