package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.FabricsStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.WireUuid;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.ConnectResponse;
import io.spindrift.nvme.spec.fabrics.FabricsCommand;
import io.spindrift.nvme.spec.fabrics.Fctype;
import io.spindrift.nvmf.DuplicateHostPolicy;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfSubsystem.Subtype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.UUID;

/// The Connect command (base specification 2.0, 6.3): who may have which queue.
///
/// Runs on the queue pair's thread; for an I/O queue the controller's thread is asked. Off the data path: it allocates.
final class Connect {
    private final QueuePair queue;
    private final Request request;
    private final MemorySegment data;

    private Connect(QueuePair queue, Request request, MemorySegment data) {
        this.queue = queue;
        this.request = request;
        this.data = data;
    }

    static void execute(QueuePair queue, Request request) {
        if (FabricsCommand.fctype(request.sqe(), request.sqeAt()) != Fctype.CONNECT) {
            request.complete(Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR));
            return;
        }
        if (request.data().byteLength() < ConnectData.SIZE) {
            request.complete(Status.withDnr(GenericStatus.DATA_SGL_LENGTH_INVALID));
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(ConnectData.SIZE);
            request.data().copyTo(data, 0, 0, ConnectData.SIZE);
            new Connect(queue, request, data).check();
        }
    }

    private void check() {
        MemorySegment sqe = request.sqe();
        long at = request.sqeAt();
        if (ConnectCommand.recfmt(sqe, at) != 0) {
            request.complete(Status.withDnr(FabricsStatus.INCOMPATIBLE_FORMAT));
            return;
        }
        int qid = ConnectCommand.qid(sqe, at);
        int sqsize = ConnectCommand.sqsize(sqe, at);
        long most = qid == 0
                ? queue.transport().options().maxAdminQueueDepth()
                : queue.transport().options().maxQueueDepth();
        if (sqsize == 0 || sqsize >= most) {
            refuse(ConnectResponse.invalidCommandParameter(ConnectCommand.SQSIZE));
            return;
        }
        Optional<String> subnqn = nqn(ConnectData.SUBNQN);
        Optional<NvmfSubsystem> found = subnqn.flatMap(name -> queue.group().target().find(name));
        GroupSubsystem subsystem = found.map(queue.group()::subsystem).orElse(null);
        if (subsystem == null) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.SUBNQN.offset()));
            return;
        }
        Optional<String> hostnqn = nqn(ConnectData.HOSTNQN);
        if (hostnqn.isEmpty()) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.HOSTNQN.offset()));
            return;
        }
        if (!subsystem.view().admits(hostnqn.get())) {
            engine().detail("subsystem %s does not admit host %s", subnqn.get(), hostnqn.get());
            request.complete(Status.withDnr(FabricsStatus.CONNECT_INVALID_HOST),
                    ConnectResponse.invalidDataParameter(ConnectData.HOSTNQN.offset()));
            return;
        }
        boolean discovery = found.get().subtype() == Subtype.DISCOVERY;
        if (!discovery && subsystem.view().listener(queue.listen()).isEmpty()) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.SUBNQN.offset()));
            return;
        }
        boolean flowControl = (ConnectCommand.cattr(sqe, at) & ConnectCommand.CATTR_DISABLE_SQ_FLOW_CONTROL) == 0;
        queue.connecting(qid, sqsize + 1, flowControl, subsystem);
        int cntlid = ConnectData.CNTLID.get(data, 0);
        if (qid == 0) {
            connectAdmin(found.get(), hostnqn.get(), cntlid, ConnectCommand.kato(sqe, at));
        } else {
            connectIo(found.get(), hostnqn.get(), cntlid, qid);
        }
    }

    /// An NQN of the data, if it is one.
    private Optional<String> nqn(io.spindrift.nvme.spec.Field.Utf8 field) {
        return field.length(data, 0) < 0
                ? Optional.empty()
                : Optional.of(field.get(data, 0)).filter(text -> Nqn.problem(text).isEmpty());
    }

    private void refuse(int parameter) {
        engine().detail("Connect of %s at %s refused: invalid parameter %#x", from(), queue.listen(), parameter);
        queue.refused();
        request.complete(Status.withDnr(FabricsStatus.CONNECT_INVALID_PARAMETERS), parameter);
    }

    private void connectAdmin(NvmfSubsystem subsystem, String host, int cntlid, long kato) {
        if (cntlid != ConnectData.CNTLID_DYNAMIC) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.CNTLID.offset()));
            return;
        }
        ControllerTable table = engine().table(subsystem);
        Controller controller = new Controller(table, queue, host, hostId());
        if (!table.add(controller)) {
            queue.refused();
            request.complete(FabricsStatus.CONTROLLER_BUSY);
            return;
        }
        if (subsystem.subtype() == Subtype.NVM
                && subsystem.target().options().duplicateHosts() == DuplicateHostPolicy.RESTRICT_PER_LISTENER
                && table.hasTwin(controller)) {
            table.remove(controller);
            queue.refused();
            request.complete(FabricsStatus.CONTROLLER_BUSY);
            return;
        }
        controller.onStart(kato);
        queue.connected(controller, host);
        engine().detail("subsystem %s: host %s has controller %d, from %s", subsystem.nqn(), host, controller.cntlid(),
                from());
        request.complete(Status.SUCCESS, ConnectResponse.success(controller.cntlid(), 0));
    }

    private String from() {
        return queue.peer().map(Object::toString).orElse("an unknown address");
    }

    private UUID hostId() {
        return WireUuid.read(data, ConnectData.HOSTID.offset());
    }

    private TargetEngine engine() {
        return (TargetEngine) queue.group().target().engine();
    }

    private void connectIo(NvmfSubsystem subsystem, String host, int cntlid, int qid) {
        Optional<Controller> controller = engine().table(subsystem).find(cntlid);
        if (controller.isEmpty() || subsystem.subtype() == Subtype.DISCOVERY) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.CNTLID.offset()));
            return;
        }
        Controller owner = controller.get();
        if (!owner.hostNqn().equals(host)) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.HOSTNQN.offset()));
            return;
        }
        if (!owner.hostId().equals(hostId())) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.HOSTID.offset()));
            return;
        }
        boolean sent = owner.thread().send(() -> {
            int status = owner.onAddQueue(queue, qid);
            if (!queue.group().thread().send(() -> finishIo(owner, host, status)) && status == Status.SUCCESS) {
                owner.onQueueEnded(queue);
            }
        });
        if (!sent) {
            refuse(ConnectResponse.invalidDataParameter(ConnectData.CNTLID.offset()));
        }
    }

    /// Back on the queue's thread: the controller has answered.
    private void finishIo(Controller owner, String host, int status) {
        if (status != Status.SUCCESS) {
            queue.refused();
            request.complete(status, ConnectResponse.invalidCommandParameter(ConnectCommand.QID));
        } else if (queue.state() == QueuePair.State.ENDED) {
            owner.thread().send(() -> owner.onQueueEnded(queue));
            request.complete(GenericStatus.ABORTED_SQ_DELETION);
        } else {
            queue.connected(owner, host);
            engine().detail("subsystem %s: controller %d has I/O queue %d, from %s", owner.subsystem().nqn(),
                    owner.cntlid(), ConnectCommand.qid(request.sqe(), request.sqeAt()), from());
            request.complete(Status.SUCCESS, ConnectResponse.success(owner.cntlid(), 0));
        }
    }
}
