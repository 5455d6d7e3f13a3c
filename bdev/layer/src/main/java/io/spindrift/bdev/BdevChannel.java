package io.spindrift.bdev;

import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoThread;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// One thread's way to an open device: the methods that submit I/O.
///
/// Everything runs on the channel's thread. Each submitting method returns false when there is no pooled I/O left
/// (then see [#waitForIo(IoWaiter)]); otherwise the completion is told once, in a later turn or from the module's
/// poller, never inside the call. Every outcome, a range past the end among them, is the completion's status. The
/// vector and the options are lent until then.
///
/// ```
///   read/write -> checks -> [flags? -> startSlow: split, bounce, emulate, queue] -> module.submit
///   module: io.complete -> [inside submit? -> next turn] -> finish: statistics, completion, back to the pool
/// ```
public final class BdevChannel extends IoChannel {
    private static final int GROWTH = 32;

    // Why a submit leaves the fast path:
    private static final int FROZEN = 1;
    private static final int QUEUEING = 2;
    private static final int LIMITED = 4;
    private static final int NOT_NATIVE = 8;
    // Why an end does:
    private static final int WAITED_FOR = 1;
    private static final int CLOSING = 2;

    private final Bdev bdev;
    private final BdevThread shared;
    private final ModuleChannel module;
    private final IoBudget budget;
    private final boolean writable;
    private final int blockSize;
    private final long alignmentMask;
    private final IoCounters[] counters = new IoCounters[BdevIoType.COUNT];
    private final Map<Long, long[]> failures = new HashMap<>();
    private BdevIo[] all = new BdevIo[0];
    private BdevIo[] free = new BdevIo[0];
    private int freeCount;
    private int submitFlags;
    private int finishFlags;
    private BdevIo queueHead;
    private BdevIo queueTail;
    private IoWaiter firstWaiter;
    private IoWaiter lastWaiter;

    BdevChannel(BdevDescriptor descriptor, IoThread thread) {
        super(descriptor, thread);
        bdev = descriptor.bdev();
        budget = bdev.registry().budget();
        writable = descriptor.writable();
        blockSize = bdev.blockSize();
        BdevGeometry geometry = bdev.geometry();
        alignmentMask = geometry.bufferAlignment() - 1L;
        for (int type = 0; type < counters.length; type++) {
            counters[type] = new IoCounters();
        }
        if (geometry.splitOnBoundary() || geometry.maxTransferBlocks() > 0 || geometry.maxSegments() > 0
                || geometry.maxSegmentSize() > 0) {
            submitFlags |= LIMITED;
        }
        if (!bdev.supportsNatively(BdevIoType.READ) || !bdev.supportsNatively(BdevIoType.WRITE)) {
            submitFlags |= NOT_NATIVE;
        }
        module = bdev.backend().channel();
        shared = bdev.registry().threadState(thread);
        thread.probes().fire(BdevTracepoints.IOCH_CREATE, thread.now(), System.identityHashCode(this), 0, 0, 0, 0);
    }

    public Bdev bdev() {
        return bdev;
    }

    /// How many I/Os are on their way.
    public int inFlight() {
        return all.length - freeCount;
    }

    // ---- submitting -------------------------------------------------------------------------------------------

    /// Reads blocks into `data`.
    public boolean read(IoVector data, long offsetBlocks, long numBlocks, BdevCompletion completion) {
        return transfer(BdevIoType.READ, data, offsetBlocks, numBlocks, null, completion);
    }

    /// As [#read(IoVector, long, long, BdevCompletion)], with options.
    public boolean read(IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        return transfer(BdevIoType.READ, data, offsetBlocks, numBlocks, options, completion);
    }

    /// Writes `data`.
    public boolean write(IoVector data, long offsetBlocks, long numBlocks, BdevCompletion completion) {
        return transfer(BdevIoType.WRITE, data, offsetBlocks, numBlocks, null, completion);
    }

    /// As [#write(IoVector, long, long, BdevCompletion)], with options.
    public boolean write(IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        return transfer(BdevIoType.WRITE, data, offsetBlocks, numBlocks, options, completion);
    }

    private boolean transfer(int type, IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        BdevIo io = take();
        if (io == null) {
            return false;
        }
        io.type = type;
        io.vector = data;
        io.offsetBlocks = offsetBlocks;
        io.numBlocks = numBlocks;
        io.options = options;
        io.completion = completion;
        start(io);
        return true;
    }

    private void start(BdevIo io) {
        IoThread thread = thread();
        IoVector data = io.vector;
        long blocks = io.numBlocks;
        long now = thread.now();
        io.submitTick = now;
        io.state = BdevIo.SUBMITTED;
        thread.probes().fire(BdevTracepoints.IO_START, now, io.id(), blocks, io.type, io.offsetBlocks, inFlight());
        if (io.offsetBlocks < 0 || blocks <= 0 || io.offsetBlocks > bdev.numBlocks() - blocks) {
            endLater(io, BdevStatus.LBA_OUT_OF_RANGE);
        } else if ((submitFlags | data.addressBits() & alignmentMask) == 0 && !data.counted()
                && data.byteLength() == blocks * blockSize && (writable || io.type == BdevIoType.READ)) {
            submitToModule(io);
        } else {
            startSlow(io);
        }
    }

    /// Gives `io` to the module, past all checks.
    void submitToModule(BdevIo io) {
        BdevThread state = shared;
        boolean before = state.submitting;
        state.submitting = true;
        try {
            module.submit(io);
        } catch (Throwable t) {
            containModule(io, t);
        }
        state.submitting = before;
    }

    private void containModule(BdevIo io, Throwable t) {
        bdev.registry().reactors().contain("module " + bdev.module().name() + ", submit of " + io, t);
        if (io.state == BdevIo.SUBMITTED) {
            ended(io, BdevStatus.FAILED);
        }
    }

    /// Ends `io` in the next turn, without the module having seen it.
    void endLater(BdevIo io, long status) {
        io.status = status;
        io.state = BdevIo.ENDED;
        shared.putOff(io);
    }

    private void startSlow(BdevIo io) {
        if (!writable && io.type != BdevIoType.READ) {
            endLater(io, BdevStatus.WRITE_PROTECTED);
        } else if ((submitFlags & FROZEN) != 0) {
            endLater(io, BdevStatus.ABORTED);
        } else if (!bdev.supports(io.type)) {
            endLater(io, BdevStatus.UNSUPPORTED);
        } else if (io.vector != null && io.vector.counted() && !hold(io)) {
            endLater(io, BdevStatus.INVALID);
        } else if ((submitFlags & QUEUEING) != 0) {
            queue(io);
        } else {
            submitToModule(io);
        }
    }

    private boolean hold(BdevIo io) {
        if (!io.vector.hold(thread().slot())) {
            return false;
        }
        io.special |= BdevIo.SPECIAL_HELD;
        return true;
    }

    // ---- ending -----------------------------------------------------------------------------------------------

    /// What [BdevIo#complete(long)] does.
    void ended(BdevIo io, long status) {
        assert thread().isCurrent();
        if (io.state != BdevIo.SUBMITTED) {
            throw new IllegalStateException(io + " was completed twice");
        }
        if (status == BdevStatus.NOMEM) {
            queueFirst(io);
            return;
        }
        io.status = status;
        io.state = BdevIo.ENDED;
        if (shared.submitting) {
            shared.putOff(io);
        } else {
            finish(io);
        }
    }

    /// Counts `io`, tells its completion, and takes it back.
    void finish(BdevIo io) {
        IoThread thread = thread();
        long now = thread.now();
        long latency = now - io.submitTick;
        if ((io.status | finishFlags | io.special) == 0) {
            counters[io.type].count(io.numBlocks, latency);
        } else if (!finishSlow(io, latency)) {
            return;
        }
        thread.probes().fire(BdevTracepoints.IO_DONE, now, io.id(), io.numBlocks, latency, io.status, inFlight());
        try {
            io.completion.completed(io);
        } catch (Throwable t) {
            bdev.registry().reactors().contain("completion of " + io, t);
        }
        io.state = BdevIo.FREE;
        free[freeCount++] = io;
        if (finishFlags != 0) {
            freed();
        }
    }

    /// Returns whether `io` really is at its end.
    private boolean finishSlow(BdevIo io, long latency) {
        if ((io.special & BdevIo.SPECIAL_RESETTING) != 0) {
            bdev.resets.ended(io, io.status);
            return false;
        }
        if ((io.special & BdevIo.SPECIAL_HELD) != 0) {
            io.vector.release(thread().slot());
        }
        if ((io.special & BdevIo.SPECIAL_INTERNAL) == 0) {
            if (io.status == BdevStatus.SUCCESS) {
                counters[io.type].count(io.numBlocks, latency);
            } else {
                failures.computeIfAbsent(io.status, status -> new long[1])[0]++;
            }
        }
        io.special = 0;
        return true;
    }

    // ---- the pool ---------------------------------------------------------------------------------------------

    private BdevIo take() {
        assert thread().isCurrent();
        int left = freeCount - 1;
        if (left < 0) {
            return grow(GROWTH) ? take() : null;
        }
        freeCount = left;
        return free[left];
    }

    private boolean grow(int wanted) {
        int count = budget.take(wanted);
        if (count == 0) {
            return false;
        }
        int old = all.length;
        all = Arrays.copyOf(all, old + count);
        free = Arrays.copyOf(free, old + count);
        for (int i = old; i < all.length; i++) {
            all[i] = new BdevIo(this, module.newIoContext(), budget.nextId());
            free[freeCount++] = all[i];
        }
        return true;
    }

    /// Has `waiter` told when a submit is worth another try; after one returned false. First come, first served.
    public void waitForIo(IoWaiter waiter) {
        assert thread().isCurrent();
        if (waiter.waiting) {
            return;
        }
        waiter.waiting = true;
        waiter.next = null;
        if (firstWaiter == null) {
            firstWaiter = waiter;
            finishFlags |= WAITED_FOR;
            budget.starving();
            stall();
        } else {
            lastWaiter.next = waiter;
        }
        lastWaiter = waiter;
    }

    /// An I/O came free while someone waited for one, or while the channel is closing.
    private void freed() {
        if ((finishFlags & WAITED_FOR) != 0) {
            feedOne();
        }
        if ((finishFlags & CLOSING) != 0 && inFlight() == 0) {
            releaseModule();
        }
    }

    private void feedOne() {
        IoWaiter waiter = firstWaiter;
        firstWaiter = waiter.next;
        if (firstWaiter == null) {
            finishFlags &= ~WAITED_FOR;
            budget.fed();
        }
        waiter.waiting = false;
        waiter.ioAvailable();
    }

    // ---- I/O that waits for room in the module ----------------------------------------------------------------

    private void queue(BdevIo io) {
        io.state = BdevIo.QUEUED;
        io.nextQueued = null;
        if (queueHead == null) {
            queueHead = io;
        } else {
            queueTail.nextQueued = io;
        }
        queueTail = io;
    }

    /// The module had no room for `io`: it is the oldest of those that wait.
    private void queueFirst(BdevIo io) {
        io.state = BdevIo.QUEUED;
        io.nextQueued = queueHead;
        queueHead = io;
        if (io.nextQueued == null) {
            queueTail = io;
        }
        submitFlags |= QUEUEING;
        stall();
    }

    private void stall() {
        shared.stalled(this);
    }

    /// Whether the thread must come back to this channel in each turn.
    boolean isStalled() {
        return queueHead != null || firstWaiter != null;
    }

    /// Submits what waits, until the module is full again or `limit` are gone. Returns how many went.
    int retry(int limit) {
        int count = 0;
        while (queueHead != null && count < limit) {
            BdevIo io = queueHead;
            queueHead = io.nextQueued;
            io.state = BdevIo.SUBMITTED;
            submitToModule(io);
            if (io.state == BdevIo.QUEUED) {
                break;
            }
            count++;
        }
        if (queueHead == null) {
            submitFlags &= ~QUEUEING;
        }
        if (firstWaiter != null && (freeCount > 0 || grow(1))) {
            feedOne();
            count++;
        }
        return count;
    }

    // ---- resets -----------------------------------------------------------------------------------------------

    /// Has the module give up or finish what it has; I/O that is submitted meanwhile fails as aborted.
    public boolean reset(BdevCompletion completion) {
        BdevIo io = take();
        if (io == null) {
            return false;
        }
        io.type = BdevIoType.RESET;
        io.vector = null;
        io.options = null;
        io.offsetBlocks = 0;
        io.numBlocks = 0;
        io.completion = completion;
        io.submitTick = thread().now();
        io.state = BdevIo.SUBMITTED;
        bdev.resets.add(io);
        return true;
    }

    /// Every channel is frozen: the module's turn.
    void resetModule(BdevIo io) {
        io.special |= BdevIo.SPECIAL_RESETTING;
        if (bdev.supportsNatively(BdevIoType.RESET)) {
            submitToModule(io);
        } else {
            endLater(io, BdevStatus.SUCCESS);
        }
    }

    /// Every channel is thawed: the end of the reset.
    void resetDone(BdevIo io, long status) {
        io.special &= ~BdevIo.SPECIAL_RESETTING;
        io.status = status;
        io.state = BdevIo.ENDED;
        finish(io);
    }

    /// Begins or ends a reset on this channel; what the core had queued is given up.
    void frozen(boolean frozen) {
        if (!frozen) {
            submitFlags &= ~FROZEN;
            return;
        }
        submitFlags |= FROZEN;
        BdevIo io = queueHead;
        queueHead = null;
        submitFlags &= ~QUEUEING;
        while (io != null) {
            BdevIo next = io.nextQueued;
            endLater(io, BdevStatus.ABORTED);
            io = next;
        }
    }

    // ---- statistics and the end -------------------------------------------------------------------------------

    /// What was done through this channel.
    BdevStatistics statistics() {
        BdevStatistics snapshot = new BdevStatistics();
        snapshot.add(counters, failures);
        return snapshot;
    }

    @Override
    protected void onDestroy() {
        thread().probes().fire(BdevTracepoints.IOCH_DESTROY, thread().now(), System.identityHashCode(this), 0, 0, 0, 0);
        bdev.registry().retired(bdev, statistics());
        if (inFlight() == 0) {
            releaseModule();
        } else {
            finishFlags |= CLOSING;
            bdev.registry().reactors().contain("release of a channel of " + bdev.name(),
                    new IllegalStateException(inFlight() + " I/Os are in flight"));
        }
    }

    private void releaseModule() {
        finishFlags &= ~CLOSING;
        budget.give(all.length);
        all = new BdevIo[0];
        freeCount = 0;
        module.release();
        bdev.registry().releaseThreadState(thread());
    }
}
