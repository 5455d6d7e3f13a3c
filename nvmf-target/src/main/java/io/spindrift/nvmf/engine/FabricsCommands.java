package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.fabrics.FabricsCommand;
import io.spindrift.nvme.spec.fabrics.Fctype;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;

/// The Fabrics commands of an admin queue after Connect: Property Get and Set (base specification 2.0, 6.5 and 6.6). On the
/// controller's thread.
final class FabricsCommands {
    private FabricsCommands() {}

    static void execute(Controller controller, Request request) {
        switch (FabricsCommand.fctype(request.sqe(), request.sqeAt())) {
            case Fctype.PROPERTY_GET -> get(controller, request);
            case Fctype.PROPERTY_SET -> set(controller, request);
            case Fctype.CONNECT -> request.complete(Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR));
            default -> request.complete(Status.withDnr(GenericStatus.INVALID_OPCODE));
        }
    }

    /// Those of an I/O queue after its Connect: there are none.
    static void refuse(Request request) {
        request.complete(Status.withDnr(FabricsCommand.fctype(request.sqe(), request.sqeAt()) == Fctype.CONNECT
                ? GenericStatus.COMMAND_SEQUENCE_ERROR
                : GenericStatus.INVALID_OPCODE));
    }

    private static void get(Controller controller, Request request) {
        long offset = PropertyCommand.ofst(request.sqe(), request.sqeAt());
        int bytes = PropertyCommand.bytes(request.sqe(), request.sqeAt());
        if (bytes == 0 || bytes != ControllerProperty.fabricsSize(offset)) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
        } else {
            request.complete(Status.SUCCESS, controller.registers().get(offset));
        }
    }

    private static void set(Controller controller, Request request) {
        long offset = PropertyCommand.ofst(request.sqe(), request.sqeAt());
        if (offset != ControllerProperty.CC || PropertyCommand.bytes(request.sqe(), request.sqeAt()) != 4) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        int value = (int) PropertyCommand.value(request.sqe(), request.sqeAt());
        ControllerRegisters.Change change = controller.registers().configure(value);
        if (change == ControllerRegisters.Change.INVALID) {
            request.complete(Status.withDnr(GenericStatus.INVALID_FIELD));
            return;
        }
        if (change == ControllerRegisters.Change.RESET) {
            controller.reset();
        } else if (change == ControllerRegisters.Change.SHUT_DOWN) {
            controller.shutDown();
        }
        request.complete(Status.SUCCESS);
    }
}
