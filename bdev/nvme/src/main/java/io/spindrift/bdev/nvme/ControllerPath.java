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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A controller of an [AttachedSubsystem]: a path to its namespaces, which comes back by itself ([Recovery]).
///
/// ```
///   attach --> ENABLED --failed--> RESETTING --connected--> ENABLED
///                 |                 |     ^
///                 |                 v     | (reconnect_delay_sec)
///              disable    RECONNECT_IS_DELAYED
///                 `-> DISABLED --enable--> ENABLED
///   any of these --detach, ctrlr_loss_timeout_sec--> DELETING, for good
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
    private final ChannelQueues queues;
    private final Places places;
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicReference<State> state = new AtomicReference<>(State.ENABLED);
    private final AtomicBoolean removing = new AtomicBoolean();
    private final CountDownLatch removed = new CountDownLatch(1);
    private volatile NvmeController controller;
    private volatile boolean deleting;
    private volatile boolean hopeless;
    /// Whether its namespaces are known to be those of the bdevs.
    private volatile boolean trusted = true;

    /// Not connected.
    ControllerPath(AttachedSubsystem owner, NvmeDriver driver, TransportId id, PathSettings settings) {
        this.owner = owner;
        this.driver = driver;
        this.settings = settings;
        this.places = new Places(id);
        this.device = new ControllerDevice(owner.reactors(), this);
        this.recovery = new Recovery(this, owner.reactors());
        this.queues = new ChannelQueues(this);
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
        return places.all().getFirst();
    }

    List<TransportId> ids() {
        return places.all();
    }

    /// Adds a place to fail over to.
    void addId(TransportId alternate) {
        places.add(alternate);
    }

    /// Takes a place away that it is not connected to.
    void removeId(TransportId alternate) {
        places.remove(alternate);
    }

    /// Leaves the place that it is connected to for another, for good.
    void leave(TransportId present) throws Exception {
        places.remove(present);
        reset();
    }

    NvmeDriver driver() {
        return driver;
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
        return deleting ? State.DELETING : state.get();
    }

    /// Whether it is enabled and not connected.
    boolean hasFailed() {
        return state() == State.ENABLED && controller.state() == NvmeController.State.FAILED;
    }

    /// Whether it is to be connected: it is not, and it is neither disabled nor going.
    boolean lacksConnection() {
        return !deleting && state.get() != State.DISABLED && controller.state() != NvmeController.State.READY;
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
            queues.connect(channel);
        } finally {
            turn.unlock();
        }
    }

    /// Gives all channels queue pairs that lack one, if it is connected.
    void connectLacking() {
        turn.lock();
        try {
            if (!deleting && controller.state() == NvmeController.State.READY) {
                queues.connectLacking();
            }
        } finally {
            turn.unlock();
        }
    }

    /// Ends a queue pair whose channel is gone.
    void disconnect(QueuePair queue, RangeBuffers ranges) {
        if (queues.disconnect(queue, ranges)) {
            connectLacking();
        }
    }

    /// Connects it anew, to one of its places, with all queue pairs that its threads need. With several places the next one
    /// is first. Returns false, and does nothing, if it is not `wanted` any more when it is its turn.
    boolean reconnect(BooleanSupplier wanted) throws Exception {
        turn.lock();
        try {
            if (!wanted.getAsBoolean()) {
                return false;
            }
            requireStaying();
            trusted = false;
            if (controller.state() != NvmeController.State.CLOSED
                    && places.all().equals(List.of(controller.id()))) {
                controller.reset();
            } else {
                failOver();
            }
            owner.compare(this);
            trusted = true;
            queues.connectLacking();
            recovery.end();
            requireStaying(); // since nobody knew that it would be connected
            hopeless = false;
            state.set(State.ENABLED);
            if (lacksConnection()) {
                recovery.begin(); // it has failed again before the end
            }
        } finally {
            turn.unlock();
        }
        owner.refresh(this);
        return true;
    }

    private void requireStaying() {
        if (deleting) {
            throw new NvmeException(Errno.ENODEV, name() + " is being detached");
        }
    }

    private void failOver() throws Exception {
        List<RangeBuffers> unused = queues.forget();
        controller.close();
        unused.forEach(RangeBuffers::free);
        TransportId last = controller.id();
        int count = places.all().size();
        for (int tries = 1;; tries++) {
            if (id().equals(last)) {
                places.rotate();
            }
            last = id();
            try {
                controller = driver.connect(last, settings.driver(), this);
                return;
            } catch (Exception e) {
                if (tries >= count) {
                    throw e;
                }
                log().notice("%s: %s", owner.name(), e.getMessage());
            }
        }
    }

    // ---- what is asked of it ----------------------------------------------------------------------------------

    /// Connects it anew now. What it has ends, and is tried again.
    void reset() throws Exception {
        requireEnabled();
        recovery.pause();
        state(State.RESETTING);
        try {
            reconnect(this::requireEnabled);
        } catch (Exception e) {
            if (lacksConnection()) {
                recovery.begin();
            }
            throw e;
        }
    }

    /// Always true.
    private boolean requireEnabled() {
        if (state.get() == State.DISABLED) {
            throw new ErrnoException(Errno.EALREADY, name() + " is disabled");
        }
        return true;
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
            if (state.getAndSet(State.DISABLED) == State.DISABLED) {
                return;
            }
            recovery.end();
            hopeless = true;
            controller.disconnect("it is disabled");
        } finally {
            turn.unlock();
        }
        publish();
    }

    void enable() throws Exception {
        if (state.get() == State.DISABLED) {
            reconnect(() -> state.get() == State.DISABLED);
        }
    }

    /// It will not be used any more: what waits for it fails.
    void giveUp() {
        hopeless = true;
        publish();
    }

    /// Is in another state, unless it is disabled.
    void state(State changed) {
        state.updateAndGet(present -> present == State.DISABLED ? present : changed);
    }

    /// Nobody connects it any more, from now on.
    void markDeleting() {
        deleting = true;
    }

    /// It goes: nobody connects it any more. False if it has been told so before; then [#awaitRemoved()].
    boolean beginRemoval() {
        if (!removing.compareAndSet(false, true)) {
            return false;
        }
        deleting = true;
        recovery.end();
        if (controller.state() != NvmeController.State.READY) {
            giveUp();
        }
        return true;
    }

    /// Waits until the other that removes it has done so.
    void awaitRemoved() throws InterruptedException {
        removed.await();
    }

    /// It has been removed.
    void endRemoval() {
        removed.countDown();
    }

    /// Disconnects it for good; no bdev needs it any more.
    void close() {
        deleting = true;
        recovery.end();
        queues.stop();
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
        if (deleting) {
            giveUp();
            return;
        }
        if (state.get() == State.DISABLED) {
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
