package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.PathStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.GroupSubsystem;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.SubsystemView;
import io.spindrift.nvmf.TransportAddress;
import io.spindrift.nvmf.ViewUser;
import io.spindrift.nvmf.spi.NvmfTransport;
import java.util.Optional;

/// A queue pair: one connection of a host, which Connect makes the admin queue or an I/O queue of a controller.
///
/// Everything on the thread of its poll group. A transport extends it.
/// ```
///   NEW --Connect--> CONNECTING --> ENABLED --> ENDED      (the connection may end at any time)
/// ```
public abstract class QueuePair implements ViewUser {
    /// Above a status field.
    private static final int BARRED_SHIFT = 16;

    /// Where it is in its life.
    public enum State {
        /// Before Connect.
        NEW,
        /// Its controller is being asked.
        CONNECTING, ENABLED,
        /// The connection is over.
        ENDED
    }

    private final PollGroup group;
    private final NvmfTransport transport;
    private final TransportAddress listen;
    private final TransportAddress local;
    private final Optional<TransportAddress> peer;
    private State state = State.NEW;
    private Controller controller;
    private GroupSubsystem subsystem;
    private int qid;
    private int entries;
    private boolean flowControl = true;
    private int sqhd;
    /// By the view's slots: 0, or the status of a command for a namespace that the host cannot reach here, and what the
    /// namespace's reservation bars the host from, shifted.
    private int[] limits = {};
    private String hostNqn = "";
    private final FusedCommands fused = new FusedCommands();

    /// A connection of `peer` to `local`, which came in through the listener at `listen`.
    protected QueuePair(PollGroup group, NvmfTransport transport, TransportAddress listen, TransportAddress local,
            Optional<TransportAddress> peer) {
        this.group = group;
        this.transport = transport;
        this.listen = listen;
        this.local = local;
        this.peer = peer;
        group.counters().currentUnassociatedQueuePairs++;
    }

    public final PollGroup group() {
        return group;
    }

    public final NvmfTransport transport() {
        return transport;
    }

    /// The listener that it came through.
    public final TransportAddress listen() {
        return listen;
    }

    /// The address that the host has used: another than [#listen()]'s if that is a wildcard.
    public final TransportAddress local() {
        return local;
    }

    public final Optional<TransportAddress> peer() {
        return peer;
    }

    public final State state() {
        return state;
    }

    /// 0 for the admin queue; once [State#ENABLED].
    public final int qid() {
        return qid;
    }

    /// Commands that the host may have on their way at once; as many as an admin queue may have until Connect says.
    public final int depth() {
        return state == State.ENABLED ? entries : (int) transport.options().maxAdminQueueDepth();
    }

    /// Whether the host looks at SQHD. Without, a transport may say in other ways that a command succeeded.
    public final boolean flowControl() {
        return flowControl;
    }

    // ---- for transports ---------------------------------------------------------------------------------------

    /// A command is next in the order of its queue; a transport tells of each as it arrives, with its submission queue
    /// entry, before [#execute].
    public final void arrived(Request request) {
        if (request.fuse() != SubmissionQueueEntry.FUSE_NONE || fused.expecting()) {
            fused.arrived(request);
        }
    }

    /// Since when the first command of a fused operation has waited for its second, in ticks of the thread; `now` if none
    /// does.
    protected final long fusedWaitingSince(long now) {
        return fused.waitingSince(now);
    }

    /// Commands of the host that had to wait here may arrive again.
    protected final void fusedGoesOn(long now) {
        fused.goesOn(now);
    }

    /// Whether a command that has arrived is one for which a device may lend its memory ([Request#borrow]): a read by itself.
    protected final boolean mayBorrow(Request request) {
        return state == State.ENABLED && qid != 0 && request.opcode() == NvmOpcode.READ
                && request.fuse() == SubmissionQueueEntry.FUSE_NONE;
    }

    /// Executes a command whose data have been moved in. One that throws ends with Internal Error, or, if it was about to
    /// be answered, ends the connection.
    public final void execute(Request request) {
        assert group.thread().isCurrent();
        int command = request.lives();
        try {
            dispatch(request);
        } catch (Throwable t) { // one command's bug, which must not keep its host or a change waiting for ever
            contain(request, command, t);
        }
    }

    private void contain(Request request, int command, Throwable t) {
        group.thread().reactors().contain("a command of queue " + qid + " of " + hostNqn, t);
        if (request.open() && request.lives() == command) {
            refused();
            request.complete(GenericStatus.INTERNAL_ERROR);
        } else {
            disconnect();
        }
    }

    private void dispatch(Request request) {
        if (state == State.ENABLED) {
            if (qid == 0) {
                AdminCommands.execute(controller, request);
            } else if (request.opcode() != AdminOpcode.FABRICS) {
                NvmCommands.execute(this, request);
            } else {
                FabricsCommands.refuse(request);
            }
        } else if (state == State.NEW && request.opcode() == AdminOpcode.FABRICS) {
            Connect.execute(this, request);
        } else {
            request.complete(state == State.ENDED
                    ? GenericStatus.ABORTED_SQ_DELETION
                    : Status.withDnr(GenericStatus.COMMAND_SEQUENCE_ERROR));
        }
    }

    /// The command on its way that has this identifier, or null.
    protected abstract Request find(int cid);

    /// Ends the connection; does nothing if it is over. The transport calls [#ended()] when no command is left.
    public abstract void disconnect();

    /// The host has gone, or was sent away: no command begins any more. Those that are on their way end, whatever they do.
    protected final void ending() {
        if (state != State.ENDED && controller != null && qid == 0) {
            controller.dropEvents();
        }
        leaveState();
        fused.ending();
    }

    private void leaveState() {
        if (state == State.NEW || state == State.CONNECTING) {
            group.counters().currentUnassociatedQueuePairs--;
        } else if (state == State.ENABLED) {
            if (qid == 0) {
                group.counters().currentAdminQueuePairs--;
            } else {
                group.counters().currentIoQueuePairs--;
            }
        }
        state = State.ENDED;
    }

    /// The connection is over and none of its commands is left.
    protected final void ended() {
        leaveState();
        if (subsystem != null) {
            subsystem.removeUser(this);
        }
        if (controller != null) {
            Controller left = controller;
            left.thread().send(() -> left.onQueueEnded(this));
        }
    }

    // ---- for the engine ---------------------------------------------------------------------------------------

    final void connecting(int asQid, int withEntries, boolean withFlowControl, GroupSubsystem inSubsystem) {
        state = State.CONNECTING;
        qid = asQid;
        entries = withEntries;
        flowControl = withFlowControl;
        subsystem = inSubsystem;
    }

    /// Connect was refused: another may follow.
    final void refused() {
        if (state == State.CONNECTING) {
            state = State.NEW;
            qid = 0;
            subsystem = null;
        }
    }

    /// Connect has succeeded. `host` decides what it sees.
    final void connected(Controller owner, String host) {
        controller = owner;
        hostNqn = host;
        group.counters().currentUnassociatedQueuePairs--;
        if (qid == 0) {
            group.counters().adminQueuePairs++;
            group.counters().currentAdminQueuePairs++;
        } else {
            group.counters().ioQueuePairs++;
            group.counters().currentIoQueuePairs++;
        }
        state = State.ENABLED;
        subsystem.addUser(this);
        viewChanged(subsystem.view());
    }

    final FusedCommands fused() {
        return fused;
    }

    final Controller controller() {
        return controller;
    }

    final GroupSubsystem subsystem() {
        return subsystem;
    }

    /// The status with which a command for the namespace at this slot of the view is refused; 0 if it may be executed. The
    /// data path: allocates nothing.
    final int refusal(int slot, int opcode) {
        int limit = limits[slot];
        if (limit == 0) {
            return 0;
        }
        int pathStatus = limit & (1 << BARRED_SHIFT) - 1;
        return pathStatus != 0 || !ReservationCommands.conflict(limit >>> BARRED_SHIFT, opcode)
                ? pathStatus
                : Status.withDnr(GenericStatus.RESERVATION_CONFLICT);
    }

    @Override
    public final void viewChanged(SubsystemView view) {
        int[] changed = new int[view.count()];
        NvmfListener listener = view.listener(listen).orElse(null);
        boolean ana = view.subsystem().options().anaReporting();
        for (int slot = 0; slot < changed.length; slot++) {
            NvmfNamespace namespace = view.namespace(slot);
            if (!namespace.visibleTo(hostNqn)) {
                changed[slot] = Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
            } else if (ana && listener != null
                    && listener.states().state(namespace.anaGroup()) == AnaState.INACCESSIBLE) {
                changed[slot] = PathStatus.ANA_INACCESSIBLE;
            }
            changed[slot] |= namespace.reservations().barred(controller.hostId()) << BARRED_SHIFT;
        }
        limits = changed;
    }

    /// A command fails: returns its status, with More if the error log gets an entry of it. Off the fast path: allocates.
    final int failed(Request request, int status) {
        if (state != State.ENABLED || !ErrorLog.records(status)) {
            return status;
        }
        int told = status | Status.M;
        ErrorLog.Failure failure = new ErrorLog.Failure(qid, request.cid(), told,
                qid == 0 ? 0 : NvmCommands.firstBlock(request), request.nsid());
        Controller owner = controller;
        if (owner.thread() == group.thread()) {
            owner.errors().add(failure);
        } else {
            owner.thread().send(() -> owner.errors().add(failure));
        }
        return told;
    }

    /// A command ends, with `status`: SQHD goes on.
    final void completed(Request request, int status) {
        int next = sqhd + 1;
        sqhd = next >= depth() ? 0 : next;
        if (qid != 0) {
            group.counters().completedNvmeIo++;
            subsystem.health().count(request.opcode(), request.transferLength(), status);
        }
    }

    /// Submission Queue Head Pointer.
    final int sqhd() {
        return sqhd;
    }
}
