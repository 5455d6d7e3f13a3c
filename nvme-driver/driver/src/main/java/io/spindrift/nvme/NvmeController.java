package io.spindrift.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spi.TransportController;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final List<QueuePair> ioQueues = new CopyOnWriteArrayList<>();
    private final BitSet qids = new BitSet();
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
        try {
            connectLocked();
        } catch (Exception e) {
            close();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void connectLocked() throws Exception {
        state = State.CONNECTING;
        connection++;
        ControllerSetUp setUp = new ControllerSetUp(this);
        outcome = setUp.connect();
        anaStates = setUp.anaStates();
        namespaces = setUp.namespaces();
        adminThread.run(() -> {
            adminQueue.onUp();
            events.begin(data.asyncEvents());
            keepAlive.begin(outcome.keepAliveMillis());
        });
        failure = "";
        state = State.READY;
        if (adminThread.<Boolean, RuntimeException>call(adminQueue::down)) {
            throw new NvmeException(Errno.ECONNRESET, adminQueue.failure());
        }
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
            int qid = takeQid();
            QueuePair made = null;
            boolean connected = false;
            try {
                int depth = outcome().ioEntries() - 1;
                made = new QueuePair(this, thread, qid, depth, requests, queueListener);
                connectQueue(made);
                ioQueues.add(made);
                connected = true;
                return made;
            } finally {
                if (!connected) {
                    giveUp(made, qid);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(QueuePair made, int qid) {
        if (made != null) {
            made.disconnect("it could not be connected");
            made.transport().close();
        }
        qids.clear(qid);
    }

    private void requireReady() {
        if (state != State.READY) {
            throw new NvmeException(Errno.ENOTCONN, "controller " + name() + " is not connected"
                    + (failure.isEmpty() ? "" : ": " + failure));
        }
    }

    private int takeQid() {
        int qid = qids.nextClearBit(1);
        if (qid > ioQueueCount()) {
            throw new NvmeException(Errno.ENOSPC, "controller " + name() + " gives " + ioQueueCount()
                    + " I/O queues, and all are in use");
        }
        qids.set(qid);
        return qid;
    }

    private void connectQueue(QueuePair queue) throws Exception {
        queue.transport().connect(options.timeouts().connectMillis());
        queue.thread().run(() -> queue.onConnecting(options.timeouts().connectMillis() * 1_000_000,
                options.timeouts().ioMillis() * 1_000_000));
        if (transport.fabrics()) {
            FabricsCommands.connect(queue, id, options, outcome().ioEntries(), data().cntlid(), 0);
        }
        queue.thread().run(queue::onUp);
    }

    /// Ends a queue pair for good. Its owner has seen to it that nothing is outstanding, or is told of what was.
    public void disconnectQueuePair(QueuePair queue) {
        lock.lock();
        try {
            if (ioQueues.remove(queue)) {
                queue.disconnect("it is disconnected");
                queue.transport().close();
                qids.clear(queue.qid());
            }
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
                for (QueuePair queue : ioQueues) {
                    connectQueue(queue);
                }
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
        for (QueuePair queue : ioQueues) {
            queue.thread().callIfAlive(() -> queue.goDown(reason));
        }
        adminThread.callIfAlive(() -> adminQueue.goDown(reason));
        transport.stop();
        for (QueuePair queue : ioQueues) {
            queue.transport().disconnect();
        }
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
            List<QueuePair> queues = new ArrayList<>(ioQueues);
            for (QueuePair queue : queues) {
                queue.disconnect("the controller is closed");
            }
            if (reachable) {
                ControllerSetUp.shutDown(this);
            }
            disconnectAll("the controller is closed");
            queues.forEach(queue -> queue.transport().close());
            ioQueues.clear();
            adminQueue.transport().close();
            transport.close();
            driver.closed(this);
        } finally {
            lock.unlock();
        }
    }

    // ---- what happens to it -----------------------------------------------------------------------------------

    /// A queue pair that was up is of no more use. On its thread.
    void queuePairFailed(QueuePair queue, String reason) {
        failed(connection, "the " + queue + " has failed: " + reason);
    }

    /// On a reactor: the connection that is counted `since` is of no more use.
    void failed(int since, String sentence) {
        notices.fromReactor(() -> {
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
        notices.fromReactor(() -> listener.timedOut(this, queue, cid, sentence));
    }

    /// An asynchronous event has come. On the admin queue's thread.
    void eventArrived(int dw0) {
        int since = connection;
        notices.fromReactor(() -> {
            if (since == connection && state == State.READY) {
                react(dw0);
            }
        });
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
            listener.namespacesChanged(this, changed);
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
        listener.anaChanged(this);
    }

    @Override
    public String toString() {
        return name();
    }
}
