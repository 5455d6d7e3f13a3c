package io.spindrift.nvmf;

import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvmf.reservation.Outcome;
import io.spindrift.nvmf.reservation.ReservationChange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/// A subsystem: namespaces, the hosts that may use them, and the listeners where they are reached.
///
/// Control path. Each change holds the subsystem's lock from its checks to its end: it pauses what it touches, publishes
/// the new view to every poll group, and resumes. A change that is refused throws [RpcException] or
/// [IllegalArgumentException] with a sentence, and has changed nothing. [#view()] and [#state()] may be read by any
/// thread.
public final class NvmfSubsystem {
    /// What a subsystem is for.
    public enum Subtype {
        NVM, DISCOVERY
    }

    /// Where it is in its life.
    public enum State {
        /// Not reachable: before its start and after its removal.
        INACTIVE,
        /// Serves its hosts.
        ACTIVE,
        /// Serves them but for what is being changed.
        PAUSED
    }

    private static final long LOCK_MILLIS = 10;

    private final NvmfTarget target;
    private final String nqn;
    private final Subtype subtype;
    private final SubsystemOptions options;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final NamespaceTable namespaces;
    private final SubsystemPublisher publisher;
    private final List<NvmfListener> listeners = new ArrayList<>();
    private final Set<String> hosts = new LinkedHashSet<>();
    private final HealthCounters health = new HealthCounters();
    private boolean allowAnyHost;
    private volatile boolean removed;
    private long version;

    NvmfSubsystem(NvmfTarget target, String nqn, Subtype subtype, SubsystemOptions options, boolean allowAnyHost) {
        this.target = target;
        this.nqn = nqn;
        this.subtype = subtype;
        this.options = options;
        this.allowAnyHost = allowAnyHost;
        this.namespaces = new NamespaceTable(this, target.opener());
        this.publisher = new SubsystemPublisher(this, target.pollGroups(), nextView());
    }

    public NvmfTarget target() {
        return target;
    }

    public String nqn() {
        return nqn;
    }

    public Subtype subtype() {
        return subtype;
    }

    public SubsystemOptions options() {
        return options;
    }

    public State state() {
        return publisher.state();
    }

    /// What its hosts have done. Any thread.
    public HealthCounters health() {
        return health;
    }

    /// As it is now, after the last change that has been published. Any thread.
    public SubsystemView view() {
        return publisher.view();
    }

    // ---- life -------------------------------------------------------------------------------------------------

    void start() {
        lock.lock();
        try {
            publisher.start();
        } finally {
            lock.unlock();
        }
    }

    /// Ends its controllers, closes its listeners and namespaces, and leaves the poll groups. False if that has been
    /// done or is under way.
    boolean remove() throws Exception {
        lock.lockInterruptibly();
        try {
            if (removed) {
                return false;
            }
            removed = true;
            hosts.clear();
            allowAnyHost = false;
            if (state() == State.ACTIVE) {
                end();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void end() throws Exception {
        publisher.publish(Nsid.NONE, nextView()); // admits nobody
        boolean reachable = !listeners.isEmpty();
        for (NvmfListener listener : List.copyOf(listeners)) {
            target.listening().release(listener.address());
        }
        listeners.clear();
        try {
            target.engine().disconnectAll(this);
        } finally {
            leave();
            if (reachable) {
                target.discoveryChanged(Optional.empty());
            }
        }
    }

    private void leave() throws InterruptedException {
        List<NvmfNamespace> closing = namespaces.clear();
        publisher.stop(nextView());
        for (NvmfNamespace namespace : closing) {
            namespaces.close(namespace);
        }
    }

    // ---- hosts ------------------------------------------------------------------------------------------------

    /// Lets every host connect, or only those that are named.
    public void allowAnyHost(boolean allow) {
        changing(() -> {
            if (allowAnyHost != allow) {
                allowAnyHost = allow;
                apply(Nsid.NONE, () -> allowAnyHost = !allow);
                tellDiscovery(Optional.empty());
            }
            return null;
        });
    }

    /// Lets the host with this NQN connect.
    public void addHost(String hostNqn) {
        Nqn.check("host", hostNqn);
        changing(() -> {
            if (!hosts.add(hostNqn)) {
                throw new IllegalArgumentException("host=" + hostNqn + " is allowed already");
            }
            apply(Nsid.NONE, () -> hosts.remove(hostNqn));
            tellDiscovery(Optional.of(hostNqn));
            return null;
        });
    }

    /// Ends the right of [#addHost] and then, outside of the lock, the host's connections: see
    /// [NvmfEngine#disconnectHost].
    public void removeHost(String hostNqn, long timeoutMillis) throws Exception {
        changing(() -> {
            if (!hosts.remove(hostNqn)) {
                throw new IllegalArgumentException("host=" + hostNqn + " is not among the allowed hosts of " + nqn);
            }
            apply(Nsid.NONE, () -> hosts.add(hostNqn));
            tellDiscovery(Optional.of(hostNqn));
            return null;
        });
        target.engine().disconnectHost(this, hostNqn, timeoutMillis);
    }

    // ---- listeners --------------------------------------------------------------------------------------------

    /// Lets the subsystem be reached at `address`, all ANA groups with the same state.
    public void addListener(TransportAddress address, Optional<String> sock, AnaState state) {
        changing(() -> {
            if (view().listener(address).isPresent()) {
                throw new IllegalArgumentException("listen_address=" + address + ": " + nqn
                        + " has this listener already");
            }
            target.listening().acquire(address, sock);
            NvmfListener listener = new NvmfListener(address, sock, AnaStates.all(state));
            listeners.add(listener);
            apply(Nsid.NONE, () -> {
                listeners.remove(listener);
                target.listening().release(address);
            });
            target.discoveryChanged(Optional.empty());
            return null;
        });
    }

    /// Ends what [#addListener] began, and the connections that came in there.
    public void removeListener(TransportAddress address) throws Exception {
        NvmfListener gone = changing(() -> {
            NvmfListener listener = listener(address);
            int index = listeners.indexOf(listener);
            listeners.remove(index);
            apply(Nsid.NONE, () -> listeners.add(index, listener));
            target.listening().release(address);
            target.discoveryChanged(Optional.empty());
            return listener;
        });
        target.engine().disconnectListener(this, gone);
    }

    /// Sets the state of an ANA group, or of all, at a listener.
    public void setAnaState(TransportAddress address, AnaState state, OptionalLong group) {
        changing(() -> {
            if (!options.anaReporting()) {
                throw new IllegalArgumentException("ana_state=" + state.name().toLowerCase(Locale.ROOT)
                        + ": the subsystem " + nqn + " was created without ana_reporting");
            }
            group.ifPresent(number -> namespaces.checkGroup(number));
            NvmfListener before = listener(address);
            AnaStates states = group.isPresent()
                    ? before.states().with(group.getAsLong(), state)
                    : AnaStates.all(state);
            NvmfListener after = before.with(states);
            int index = listeners.indexOf(before);
            listeners.set(index, after);
            apply(Nsid.NONE, () -> listeners.set(index, before));
            target.engine().anaChanged(this, after);
            return null;
        });
    }

    private NvmfListener listener(TransportAddress address) {
        return view().listener(address).orElseThrow(() -> new IllegalArgumentException("listen_address=" + address
                + ": " + nqn + " has no such listener"));
    }

    // ---- namespaces -------------------------------------------------------------------------------------------

    /// Adds a namespace and returns its NSID.
    public long addNamespace(NamespaceRequest request) throws Exception {
        return changing(() -> {
            NvmfNamespace namespace = namespaces.open(request, events());
            boolean complete = false;
            try {
                apply(namespace.nsid(), () -> namespaces.remove(namespace));
                complete = true;
            } finally {
                if (!complete) {
                    namespaces.close(namespace);
                }
            }
            target.engine().namespaceChanged(this, namespace.nsid());
            return namespace.nsid();
        });
    }

    /// Removes a namespace; returns when its commands have ended and its device is closed.
    public void removeNamespace(long nsid) throws Exception {
        changing(() -> {
            removeNow(namespaces.get(nsid));
            return null;
        });
    }

    private void removeNow(NvmfNamespace namespace) throws Exception {
        namespaces.remove(namespace);
        apply(namespace.nsid(), () -> namespaces.put(namespace));
        namespaces.close(namespace);
        target.engine().namespaceChanged(this, namespace.nsid());
    }

    /// Moves a namespace to another ANA group.
    public void setAnaGroup(long nsid, long group) {
        changing(() -> {
            namespaces.checkGroup(group);
            replace(namespaces.get(nsid).inGroup(group));
            return null;
        });
    }

    /// Shows a namespace to a host or hides it from one. It must not be visible to all.
    public void setVisible(long nsid, String hostNqn, boolean visible) {
        Nqn.check("host", hostNqn);
        changing(() -> {
            NvmfNamespace namespace = namespaces.get(nsid);
            if (namespace.autoVisible()) {
                throw new IllegalArgumentException("nsid=" + nsid
                        + " is visible to every host: it was added without no_auto_visible");
            }
            if (namespace.hosts().contains(hostNqn) != visible) {
                replace(namespace.visible(hostNqn, visible));
            }
            return null;
        });
    }

    private void replace(NvmfNamespace changed) {
        NvmfNamespace before = namespaces.get(changed.nsid());
        namespaces.put(changed);
        apply(changed.nsid(), () -> namespaces.put(before));
        target.engine().namespaceChanged(this, changed.nsid());
    }

    /// What happens to a device: a control task changes the subsystem.
    private BdevEvents events() {
        return new BdevEvents() {
            @Override
            public void removed(BdevDescriptor descriptor) {
                target.later("removing the namespace on bdev " + descriptor.bdev().name(), () -> onGone(descriptor));
            }

            @Override
            public void resized(BdevDescriptor descriptor) {
                target.later("resizing the namespace on bdev " + descriptor.bdev().name(),
                        () -> onResized(descriptor));
            }
        };
    }

    private void onGone(BdevDescriptor descriptor) throws Exception {
        lock.lockInterruptibly();
        try {
            Optional<NvmfNamespace> namespace = namespaces.find(descriptor);
            if (namespace.isPresent() && !removed) {
                removeNow(namespace.get());
            }
        } finally {
            lock.unlock();
        }
    }

    /// A device that is in use only grows, so that commands may go on meanwhile.
    private void onResized(BdevDescriptor descriptor) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Optional<NvmfNamespace> namespace = namespaces.find(descriptor);
            if (namespace.isPresent() && !removed) {
                NvmfNamespace resized = namespace.get().withBlocks(descriptor.bdev().numBlocks());
                namespaces.put(resized);
                publisher.publishRunning(nextView());
                target.engine().namespaceChanged(this, resized.nsid());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- reservations -------------------------------------------------------------------------------------------

    /// Has the control path make `change` to the reservations of each of these namespaces, until one fails; then tells `done`
    /// the status, on a control thread. Any thread, reactors too.
    public void changeReservations(List<Long> nsids, ReservationChange change, IntConsumer done) {
        target.later("reservations of " + nqn, () -> {
            int status = Status.withDnr(GenericStatus.INTERNAL_ERROR);
            try {
                int last = Status.SUCCESS;
                for (int i = 0; i < nsids.size() && last == Status.SUCCESS; i++) {
                    last = reserve(nsids.get(i), change);
                }
                status = last;
            } finally {
                done.accept(status);
            }
        });
    }

    /// Who removes the subsystem holds the lock and waits for its controllers, and those for the commands that are here.
    private boolean lockUnlessRemoved() throws InterruptedException {
        while (!removed) {
            if (lock.tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    private int reserve(long nsid, ReservationChange change) throws Exception {
        if (!lockUnlessRemoved()) {
            return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
        }
        try {
            Optional<NvmfNamespace> found = view().find(nsid);
            if (found.isEmpty() || removed) {
                return Status.withDnr(GenericStatus.INVALID_NAMESPACE_OR_FORMAT);
            }
            NvmfNamespace before = found.get();
            Outcome outcome = change.apply(before.reservations(), before.ptplFile().isPresent());
            NvmfNamespace after = before.with(outcome.next());
            namespaces.keepReservations(before, after);
            namespaces.put(after);
            if (outcome.aborts()) {
                apply(nsid, () -> namespaces.put(before)); // returns when commands that had begun have ended
            } else if (outcome.next() != before.reservations()) {
                publisher.publishRunning(nextView());
            }
            outcome.notices().forEach(notice -> target.engine().reservationNotice(this, nsid, notice));
            return outcome.status();
        } finally {
            lock.unlock();
        }
    }

    // ---- changes ----------------------------------------------------------------------------------------------

    /// A change of what is guarded by the lock.
    private interface Change<T, X extends Exception> {
        T run() throws X;
    }

    private <T, X extends Exception> T changing(Change<T, X> change) throws X {
        lock.lock();
        try {
            if (removed) {
                throw RpcException.invalidParams("Subsystem with NQN '" + nqn + "' not found: it is being deleted");
            }
            return change.run();
        } finally {
            lock.unlock();
        }
    }

    /// Publishes what has been changed; if that fails, `undo` takes it back.
    private void apply(long nsid, Runnable undo) {
        boolean complete = false;
        try {
            publisher.publish(nsid, nextView());
            complete = true;
        } finally {
            if (!complete) {
                undo.run();
            }
        }
    }

    private SubsystemView nextView() {
        return new SubsystemView(this, ++version, namespaces.all(), listeners, allowAnyHost, hosts);
    }

    private void tellDiscovery(Optional<String> hostNqn) {
        if (!listeners.isEmpty()) {
            target.discoveryChanged(hostNqn);
        }
    }

    @Override
    public String toString() {
        return nqn;
    }
}
