package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spi.TransportController;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// A controller that is used through a driver: its admin queue, its I/O queue pairs, what it says of itself.
///
/// ```
///   connect --> READY --connection breaks, command times out, ...--> FAILED --reset--> READY     close: CLOSED, for good
/// ```
/// On control threads, unless a method says otherwise. Connecting, resetting and closing exclude each other.
public final class NvmeController implements AutoCloseable {
    /// Where a controller is in its life.
    public enum State {
        CONNECTING, READY, FAILED, CLOSED
    }

    /// What may be asked for before the controller has told its limit.
    private static final long FIRST_TRANSFER = 4096;

    private final NvmeDriver driver;
    private final TransportId id;
    private final ControllerOptions options;
    private final ControllerListener listener;
    private final TransportController transport;
    private final IoThread adminThread;
    private final QueuePair adminQueue;
    private final AdminCommands admin;
    private final AsyncEvents events;
    private final KeepAlive keepAlive;
    private final ControlEvents notices;
    private final IoQueues ioQueues = new IoQueues(this);
    private final ReentrantLock lock = new ReentrantLock();
    private volatile State state = State.CONNECTING;
    private volatile String failure = "";
    /// Counts connections: what is told of an earlier one is out of date.
    private volatile int connection;
    private volatile ControllerData data;
    private volatile ControllerSetUp.Outcome outcome;
    private volatile Map<Long, NvmeNamespace> namespaces = Map.of();
    private volatile Map<Long, Integer> anaStates = Map.of();

    NvmeController(NvmeDriver driver, TransportId id, ControllerOptions options, ControllerListener listener)
            throws Exception {
        this.driver = driver;
        this.id = id;
        this.options = options;
        this.listener = listener;
        this.adminThread = options.adminThread().orElse(driver.context().reactors().appThread());
        this.notices = new ControlEvents(driver.context().reactors());
        this.transport = driver.transport(id).open(this, id, options);
        int depth = options.queues().adminEntries() - 1;
        this.adminQueue = new QueuePair(this, adminThread, 0, depth, depth, QueuePairListener.IGNORE);
        this.admin = new AdminCommands(adminQueue, driver, false);
        this.events = new AsyncEvents(this, adminQueue);
        this.keepAlive = new KeepAlive(this, adminQueue);
    }

    // ---- what it is -------------------------------------------------------------------------------------------

    /// For messages: its subsystem and address.
    public String name() {
        return id.isPcie() ? id.traddr() : id.subnqn() + " at " + id.traddr() + ":" + id.trsvcid();
    }

    public TransportId id() {
        return id;
    }

    public ControllerOptions options() {
        return options;
    }

    public NvmeDriver driver() {
        return driver;
    }

    /// Where it is in its life. Any thread.
    public State state() {
        return state;
    }

    /// Why it failed, a sentence; empty if it has not. Any thread.
    public String failure() {
        return failure;
    }

    /// What it said of itself when it was connected last. Any thread.
    public ControllerData data() {
        ControllerData known = data;
        if (known == null) {
            throw new IllegalStateException("controller " + name() + " was never connected");
        }
        return known;
    }

    /// In the midst of connecting: it has said what it is.
    void identified(ControllerData said) {
        data = said;
    }

    private ControllerSetUp.Outcome outcome() {
        ControllerSetUp.Outcome known = outcome;
        if (known == null) {
            throw new IllegalStateException("controller " + name() + " was never connected");
        }
        return known;
    }

    /// Whether it is a discovery controller, which has no I/O queues.
    public boolean discovery() {
        return outcome().discovery();
    }

    /// The most bytes of data that one command may have. Any thread.
    public long maxTransferBytes() {
        ControllerData known = data;
        long own = known == null ? FIRST_TRANSFER : known.maxTransferBytes();
        return Math.min(transport.maxTransferBytes(), own);
    }

    /// The most ranges of memory that the data of one command may have. Any thread.
    public int maxSegments() {
        return transport.maxSegments();
    }

    /// A power of two that the addresses of data must be multiples of. Any thread.
    public int dataAlignment() {
        return transport.dataAlignment();
    }

    /// Bytes of data that a command of an I/O queue may carry in its capsule; 0 for none, and without Fabrics.
    public long inCapsuleBytes() {
        ControllerSetUp.Outcome known = outcome;
        return known == null ? 0 : known.inCapsuleBytes();
    }

    /// How many I/O queue pairs it gives.
    public int ioQueueCount() {
        return outcome().ioQueues();
    }

    /// Entries of each of its I/O queues.
    int ioEntries() {
        return outcome().ioEntries();
    }

    /// Its namespaces that can be used, by NSID in ascending order. Any thread.
    public Collection<NvmeNamespace> namespaces() {
        return namespaces.values();
    }

    public Optional<NvmeNamespace> namespace(long nsid) {
        return Optional.ofNullable(namespaces.get(nsid));
    }

    /// The ANA state of a namespace here, one of [AnaGroupDescriptor]; optimized if the controller reports none. Any thread.
    public int anaState(long nsid) {
        return anaStates.getOrDefault(nsid, AnaGroupDescriptor.STATE_OPTIMIZED);
    }

    /// Its admin commands.
    public AdminCommands admin() {
        return admin;
    }

    public QueuePair adminQueue() {
        return adminQueue;
    }

    /// Its transport's side, for transports and what knows them.
    public TransportController transport() {
        return transport;
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    /// Connects for the first time; what was made so far is closed if it fails.
    void connect() throws Exception {
        lock.lock();
        boolean connected = false;
        try {
            connectLocked();
            connected = true;
        } finally {
            if (!connected) {
                close();
            }
            lock.unlock();
        }
    }

    private void connectLocked() throws Exception {
        if (state == State.CLOSED) {
            throw new NvmeException(Errno.ENODEV, "controller " + name() + " is closed");
        }
        state = State.CONNECTING;
        connection++;
        ControllerSetUp setUp = new ControllerSetUp(this);
        outcome = setUp.connect();
        anaStates = setUp.anaStates();
        namespaces = setUp.namespaces();
        adminQueue.up();
        adminThread.run(() -> events.begin(data.asyncEvents()));
        failure = "";
        state = State.READY;
        if (adminThread.<Boolean, RuntimeException>call(adminQueue::down)) {
            throw new NvmeException(Errno.ECONNRESET, adminQueue.failure());
        }
    }

    /// In the midst of connecting: the controller is to hear of its host at least once in so many milliseconds; 0 for never.
    void keepAlive(long millis) {
        adminThread.run(() -> keepAlive.begin(millis));
    }

    /// Makes a queue pair for `thread` and connects it. It is connected anew by each reset, until [#disconnectQueuePair].
    ///
    /// @throws NvmeException ENOTCONN if the controller is not ready, ENOSPC if it gives no more queues, or what failed
    public QueuePair connectQueuePair(IoThread thread, QueuePairListener queueListener) throws Exception {
        return connectQueuePair(thread, options.queues().ioRequests(), queueListener);
    }

    /// As the other, for `requests` requests or more instead of what the options say.
    public QueuePair connectQueuePair(IoThread thread, int requests, QueuePairListener queueListener)
            throws Exception {
        lock.lock();
        try {
            requireReady();
            return ioQueues.connect(thread, requests, queueListener);
        } finally {
            lock.unlock();
        }
    }

    private void requireReady() {
        if (state != State.READY) {
            throw new NvmeException(Errno.ENOTCONN, "controller " + name() + " is not connected"
                    + (failure.isEmpty() ? "" : ": " + failure));
        }
    }

    /// Ends a queue pair for good. Its owner has seen to it that nothing is outstanding, or is told of what was.
    public void disconnectQueuePair(QueuePair queue) {
        lock.lock();
        try {
            ioQueues.remove(queue);
        } finally {
            lock.unlock();
        }
    }

    // ---- resetting --------------------------------------------------------------------------------------------

    /// Resets the controller, and connects it and all its queue pairs anew. Commands that were outstanding end with a status
    /// that says so.
    ///
    /// @throws NvmeException if it cannot be connected; it is FAILED then, and may be reset again
    public void reset() throws Exception {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                throw new NvmeException(Errno.ENODEV, "controller " + name() + " is closed");
            }
            disconnectAll("the controller is reset");
            boolean ready = false;
            try {
                connectLocked();
                ioQueues.reconnect();
                ready = true;
            } catch (Exception e) {
                failure = String.valueOf(e.getMessage());
                throw e;
            } finally {
                if (!ready) {
                    state = State.FAILED;
                    disconnectAll("the controller could not be connected");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends all connections, but not the queue pairs: [#reset] connects them anew.
    public void disconnect(String reason) {
        lock.lock();
        try {
            if (state != State.CLOSED) {
                disconnectAll(reason);
                state = State.FAILED;
                failure = reason;
            }
        } finally {
            lock.unlock();
        }
    }

    private void disconnectAll(String reason) {
        connection++; // what fails from here on is no news
        adminThread.callIfAlive(() -> {
            keepAlive.end();
            events.end();
        });
        ioQueues.goDown(reason);
        adminThread.callIfAlive(() -> adminQueue.goDown(reason));
        transport.stop();
        ioQueues.disconnect();
        adminQueue.transport().disconnect();
    }

    /// Shuts the controller down in order, if it can be reached, and frees all; queue pairs end too. Does nothing the second
    /// time.
    @Override
    public void close() {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            boolean reachable = state == State.READY;
            state = State.CLOSED;
            closeLocked(reachable);
        } finally {
            lock.unlock();
        }
    }

    /// Each step, whatever becomes of those before it.
    private void closeLocked(boolean reachable) {
        String reason = "the controller is closed";
        try {
            if (reachable) {
                ioQueues.disconnectInOrder(reason);
                ControllerSetUp.shutDown(this);
            }
        } finally {
            try {
                disconnectAll(reason);
                ioQueues.close();
                adminQueue.close(reason);
            } finally {
                driver.closed(this);
                transport.close();
            }
        }
    }

    // ---- what happens to it -----------------------------------------------------------------------------------

    /// A queue pair that was up is of no more use. On its thread.
    void queuePairFailed(QueuePair queue, String reason) {
        failed(connection, "the " + queue + " has failed: " + reason);
    }

    /// On a reactor: the connection that is counted `since` is of no more use.
    void failed(int since, String sentence) {
        notices.add(() -> {
            if (becomesFailed(since, sentence)) {
                listener.failed(this, sentence);
            }
        });
    }

    private boolean becomesFailed(int since, String sentence) {
        lock.lock();
        try {
            if (since != connection || state != State.READY) {
                return false;
            }
            state = State.FAILED;
            failure = sentence;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Counts connections. Any thread.
    int connection() {
        return connection;
    }

    /// Whether a command is expected to take as long as it takes.
    boolean mayTakeForEver(NvmeRequest request) {
        return request.queuePair().qid() == 0 && SubmissionQueueEntry.opc(request.command(),
                request.commandAt()) == AdminOpcode.ASYNC_EVENT_REQUEST;
    }

    /// A command takes longer than it may. On its queue pair's thread.
    void timedOut(NvmeRequest request, long nanos, boolean settingUp) {
        QueuePair queue = request.queuePair();
        String sentence = request + " was not answered within " + nanos / 1_000_000 + " ms";
        if (queue.qid() == 0 || settingUp) {
            queue.transport().fail(sentence);
            return;
        }
        int cid = request.cid();
        int since = connection;
        notices.add(() -> {
            if (since == connection) { // else a reset has ended it
                listener.timedOut(this, queue, cid, sentence);
            }
        });
    }

    /// An asynchronous event has come. On the admin queue's thread.
    void eventArrived(int dw0) {
        int since = connection;
        notices.add(() -> {
            if (isReady(since)) {
                react(dw0);
            }
        });
    }

    /// Whether the connection that is counted `since` is up; waits if it is about to be.
    private boolean isReady(int since) {
        lock.lock();
        try {
            return since == connection && state == State.READY;
        } finally {
            lock.unlock();
        }
    }

    private void react(int dw0) {
        try {
            switch (AsyncEvents.kind(dw0)) {
                case NAMESPACES -> rescan();
                case ANA -> refreshAna();
                case DISCOVERY_LOG -> listener.discoveryLogChanged(this);
                case OTHER -> listener.event(this, dw0);
            }
        } catch (NvmeException e) {
            driver.context().log().warn("%s: after an asynchronous event: %s", name(), e.getMessage());
        }
    }

    /// Reads again which namespaces there are, and tells the listener if that has changed.
    public void rescan() {
        Map<Long, NvmeNamespace> before;
        Set<Long> changed;
        lock.lock();
        try {
            requireReady();
            before = namespaces;
            NamespaceScan scan = new NamespaceScan(this, admin);
            namespaces = scan.run(true);
            if (data().reportsAna()) {
                anaStates = AnaStates.read(this, admin);
            }
            changed = NamespaceScan.differences(before, namespaces);
        } finally {
            lock.unlock();
        }
        if (!changed.isEmpty()) {
            notices.add(() -> listener.namespacesChanged(this, changed));
        }
    }

    /// Reads the ANA states again, and tells the listener.
    public void refreshAna() {
        lock.lock();
        try {
            requireReady();
            anaStates = AnaStates.read(this, admin);
        } finally {
            lock.unlock();
        }
        notices.add(() -> listener.anaChanged(this));
    }

    @Override
    public String toString() {
        return name();
    }
}
