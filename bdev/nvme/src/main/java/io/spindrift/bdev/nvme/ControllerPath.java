package io.spindrift.bdev.nvme;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.log.Log;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.identify.IdentifyController;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A controller of an [AttachedSubsystem]: a path to its namespaces, which comes back by itself ([Recovery]).
///
/// ```
///   attach --> ENABLED --failed--> RESETTING --connected--> ENABLED
///                 |                 |     ^
///                 |                 v     | (reconnect_delay_sec)     ctrlr_loss_timeout_sec
///              disable            DELAYED '                        --------------------------> CLOSED
///                 `-> DISABLED --enable--> ENABLED
/// ```
/// On control threads, unless a method says otherwise. What connects and disconnects takes turns.
final class ControllerPath implements ControllerListener {
    enum State {
        ENABLED, RESETTING, RECONNECT_IS_DELAYED, DISABLED, DELETING
    }

    private final AttachedSubsystem owner;
    private final NvmeDriver driver;
    private final PathSettings settings;
    private final ControllerDevice device;
    private final Recovery recovery;
    private final ReentrantLock turn = new ReentrantLock();
    /// Where the controller may be reached; it is connected to the first.
    private volatile List<TransportId> ids;
    private volatile NvmeController controller;
    private volatile State state = State.ENABLED;
    private volatile boolean hopeless;
    /// Whether its namespaces are known to be those of the bdevs.
    private volatile boolean trusted = true;
    private boolean toldOfQueues;

    /// Not connected.
    ControllerPath(AttachedSubsystem owner, NvmeDriver driver, TransportId id, PathSettings settings) {
        this.owner = owner;
        this.driver = driver;
        this.settings = settings;
        this.ids = List.of(id);
        this.device = new ControllerDevice(owner.reactors(), this);
        this.recovery = new Recovery(this, owner.reactors());
    }

    // ---- what it is -------------------------------------------------------------------------------------------

    AttachedSubsystem owner() {
        return owner;
    }

    /// For messages.
    String name() {
        return owner.name() + " (" + id().traddr() + (id().trsvcid().isEmpty() ? "" : ":" + id().trsvcid()) + ")";
    }

    Log log() {
        return driver.context().log();
    }

    TransportId id() {
        return ids.getFirst();
    }

    List<TransportId> ids() {
        return ids;
    }

    /// Adds a place to fail over to.
    void addId(TransportId alternate) {
        List<TransportId> more = new ArrayList<>(ids);
        more.add(alternate);
        ids = List.copyOf(more);
    }

    /// Takes a place away that it is not connected to.
    void removeId(TransportId alternate) {
        List<TransportId> fewer = new ArrayList<>(ids);
        fewer.remove(alternate);
        ids = List.copyOf(fewer);
    }

    /// Leaves the place that it is connected to for another, for good.
    void leave(TransportId present) throws Exception {
        reset();
        removeId(present);
    }

    PathSettings settings() {
        return settings;
    }

    ControllerDevice device() {
        return device;
    }

    NvmeController controller() {
        return controller;
    }

    State state() {
        return state;
    }

    /// Whether it is enabled and not connected.
    boolean hasFailed() {
        return state == State.ENABLED && controller.state() == NvmeController.State.FAILED;
    }

    /// Whether I/O is not to wait for it. Any thread.
    boolean hopeless() {
        return hopeless;
    }

    /// Whether its namespaces are known to be those of the bdevs: not from before it is connected anew until they have been
    /// compared. Any thread.
    boolean trusted() {
        return trusted;
    }

    /// Has its channels look at it again.
    void publish() {
        device.visitChannels(ControllerChannel::changed);
    }

    // ---- connecting -------------------------------------------------------------------------------------------

    /// Connects for the first time.
    void connect() throws Exception {
        turn.lock();
        try {
            controller = driver.connect(id(), settings.driver(), this);
        } finally {
            turn.unlock();
        }
    }

    /// Gives `channel` its queue pair, as it has asked for.
    void connect(ControllerChannel channel) {
        turn.lock();
        try {
            connectQueue(channel);
        } catch (Exception e) {
            channel.thread().callIfAlive(() -> channel.notConnected(false));
            if (state == State.ENABLED && controller.state() == NvmeController.State.READY) {
                failed(controller, "the I/O queue of thread " + channel.thread().name() + " cannot be connected: "
                        + e.getMessage());
            }
        } finally {
            turn.unlock();
        }
    }

    private void connectQueue(ControllerChannel channel) throws Exception {
        QueuePair made;
        try {
            made = controller.connectQueuePair(channel.thread(), channel);
        } catch (NvmeException e) {
            if (e.errno() != Errno.ENOSPC) {
                throw e;
            }
            if (!toldOfQueues) {
                toldOfQueues = true;
                log().warn("%s: %s; threads without one do not use this path", name(), e.getMessage());
            }
            channel.thread().callIfAlive(() -> channel.notConnected(true));
            return;
        }
        RangeBuffers ranges = new RangeBuffers(driver.context().memory(), made.requestCount());
        boolean[] kept = new boolean[1];
        channel.thread().callIfAlive(() -> kept[0] = channel.adopt(made, ranges));
        if (!kept[0]) {
            disconnect(made, ranges);
        }
    }

    /// Ends a queue pair whose channel is gone.
    void disconnect(QueuePair queue, RangeBuffers ranges) {
        queue.controller().disconnectQueuePair(queue);
        ranges.free();
    }

    /// Connects it anew, to one of its places, with all queue pairs that its threads need. With several places the next one
    /// is first. Does nothing if it is not `wanted` any more when it is its turn.
    void reconnect(BooleanSupplier wanted) throws Exception {
        turn.lock();
        try {
            if (!wanted.getAsBoolean()) {
                return;
            }
            if (state == State.DELETING) {
                throw new NvmeException(Errno.ENODEV, name() + " is being detached");
            }
            trusted = false;
            if (ids.size() == 1) {
                controller.reset();
            } else {
                failOver();
            }
            owner.compare(this);
            trusted = true;
            for (ControllerChannel channel : lacking()) {
                connectQueue(channel);
            }
            hopeless = false;
            state = State.ENABLED;
        } finally {
            turn.unlock();
        }
        owner.refresh(this);
    }

    private List<ControllerChannel> lacking() {
        List<ControllerChannel> lacking = Collections.synchronizedList(new ArrayList<>());
        device.visitChannels(channel -> {
            if (channel.beginConnect()) {
                lacking.add(channel);
            }
        });
        return lacking;
    }

    private void failOver() throws Exception {
        List<RangeBuffers> unused = Collections.synchronizedList(new ArrayList<>());
        device.visitChannels(channel -> {
            RangeBuffers had = channel.forget();
            if (had != null) {
                unused.add(had);
            }
        });
        controller.close();
        unused.forEach(RangeBuffers::free);
        List<TransportId> order = new ArrayList<>(ids);
        for (int tries = 1;; tries++) {
            Collections.rotate(order, -1);
            try {
                NvmeController next = driver.connect(order.getFirst(), settings.driver(), this);
                ids = List.copyOf(order);
                controller = next;
                return;
            } catch (Exception e) {
                if (tries == order.size()) {
                    throw e;
                }
                log().notice("%s: %s", owner.name(), e.getMessage());
            }
        }
    }

    // ---- what is asked of it ----------------------------------------------------------------------------------

    /// Connects it anew now. What it has ends, and is tried again.
    void reset() throws Exception {
        if (state == State.DISABLED) {
            throw new ErrnoException(Errno.EALREADY, name() + " is disabled");
        }
        recovery.pause();
        state = State.RESETTING;
        try {
            reconnect(() -> true);
        } catch (Exception e) {
            recovery.begin();
            throw e;
        }
    }

    /// As [#reset()], for an I/O; false if it fails.
    boolean resetForIo() {
        try {
            reset();
            return true;
        } catch (Exception e) {
            log().warn("%s: reset: %s", name(), e.getMessage());
            return false;
        }
    }

    /// Disconnects it until [#enable()].
    void disable() {
        turn.lock();
        try {
            if (state == State.DISABLED) {
                return;
            }
            state = State.DISABLED;
            hopeless = true;
            recovery.pause();
            controller.disconnect("it is disabled");
        } finally {
            turn.unlock();
        }
        publish();
    }

    void enable() throws Exception {
        if (state != State.DISABLED) {
            return;
        }
        reconnect(() -> true);
    }

    /// It will not be used any more: what waits for it fails.
    void giveUp() {
        hopeless = true;
        publish();
    }

    void state(State changed) {
        if (state != State.DISABLED && state != State.DELETING) {
            state = changed;
        }
    }

    /// It goes, from now on: nobody connects it any more.
    void beginDelete() {
        state = State.DELETING;
        recovery.pause();
        if (controller.state() != NvmeController.State.READY) {
            giveUp();
        }
    }

    /// Disconnects it for good; no bdev needs it any more.
    void close() {
        giveUp();
        turn.lock();
        try {
            if (controller != null) {
                controller.close();
            }
        } finally {
            turn.unlock();
        }
        device.unregister();
    }

    // ---- what happens to it -----------------------------------------------------------------------------------

    @Override
    public void failed(NvmeController failed, String reason) {
        if (state == State.DISABLED) {
            return;
        }
        if (state == State.DELETING) {
            giveUp();
            return;
        }
        log().warn("%s: %s", name(), reason);
        recovery.begin();
    }

    @Override
    public void namespacesChanged(NvmeController changed, Set<Long> nsids) {
        owner.refresh(this);
    }

    @Override
    public void anaChanged(NvmeController changed) {
        owner.updateAna(this);
        publish();
    }

    /// The longest that a namespace is in the state Change.
    int anaTransitionSeconds() {
        return IdentifyController.ANATT.get(controller.data().page(), 0);
    }

    /// A command said that a namespace's ANA state is not what is known. On an IoThread.
    void readAnaLater() {
        owner.reactors().control().fromReactor(() -> {
            try {
                controller.refreshAna();
            } catch (RuntimeException e) {
                log().warn("%s: its ANA states: %s", name(), e.getMessage());
                owner.updateAna(this); // as they were
            }
        });
    }

    @Override
    public void timedOut(NvmeController slow, QueuePair queuePair, int cid, String sentence) {
        log().warn("%s: %s", name(), sentence);
        switch (owner.options().actionOnTimeout()) {
            case NONE -> {
                // it goes on
            }
            case RESET -> resetForIo();
            case ABORT -> {
                try {
                    slow.admin().abort(queuePair.qid(), cid);
                } catch (RuntimeException e) {
                    log().warn("%s: %s: it is reset", name(), e.getMessage());
                    resetForIo();
                }
            }
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
