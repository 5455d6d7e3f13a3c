package io.spindrift.bdev;

import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoThread;
import java.util.Optional;

/// One thread's way to an open device: the methods that submit I/O.
///
/// Everything runs on the channel's thread. Each submitting method returns false when there is no pooled I/O left
/// (then see [#waitForIo(IoWaiter)]); otherwise the completion is told once, in a later turn or from the module's
/// poller, never inside the call. Every outcome, a range past the end among them, is the completion's status. The
/// vector and the options are lent until then.
///
/// ```
///   read/write -> checks -> [flags? -> SlowPath: split, bounce, emulate, queue] -> module.submit
///   module: io.complete -> [inside submit? -> next turn] -> finish: statistics, completion, back to the pool
/// ```
public final class BdevChannel extends IoChannel {
    // Why an end leaves the fast path:
    private static final int WAITED_FOR = 1;
    private static final int CLOSING = 2;
    private static final int HISTOGRAM = 4;

    private final Bdev bdev;
    private final BdevThread shared;
    private final SlowPath slow;
    private final ModuleChannel module;
    private final IoPool pool;
    private final boolean writable;
    private final int blockSize;
    private final long alignmentMask;
    private final ChannelCounters counters = new ChannelCounters();
    private final IoCounters[] countersByType;
    private Optional<IoTimeouts> timeouts = Optional.empty();
    /// Why a read or write leaves the fast path: the bits of [SlowPath].
    int submitFlags;
    private int finishFlags;

    BdevChannel(BdevDescriptor descriptor, IoThread thread) {
        super(descriptor, thread);
        bdev = descriptor.bdev();
        writable = descriptor.writable();
        blockSize = bdev.blockSize();
        alignmentMask = bdev.geometry().bufferAlignment() - 1L;
        submitFlags = SlowPath.flagsOf(bdev);
        countersByType = counters.byType();
        countLatencies(bdev.registry().monitor().newHistogram(bdev));
        module = bdev.backend().channel();
        pool = new IoPool(this, module, bdev.registry().budget());
        shared = bdev.registry().threadState(thread);
        shared.add(this);
        slow = new SlowPath(this, shared, alignmentMask);
        slow.joinLate();
        thread.probes().fire(BdevTracepoints.IOCH_CREATE, thread.now(), id(), 0, 0, 0, 0);
    }

    public Bdev bdev() {
        return bdev;
    }

    /// How many I/Os are on their way. On the channel's thread.
    public int inFlight() {
        return pool.inFlight();
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
        assert thread().isCurrent();
        BdevIo io = pool.take();
        if (io == null) {
            return false;
        }
        fill(io, type, data, offsetBlocks, numBlocks, options, completion);
        start(io);
        return true;
    }

    private void fill(BdevIo io, int type, IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        io.type = type;
        io.vector = data;
        io.offsetBlocks = offsetBlocks;
        io.numBlocks = numBlocks;
        io.options = options;
        io.completion = completion;
        io.submitTick = thread().now();
        io.state = BdevIo.SUBMITTED;
    }

    private void start(BdevIo io) {
        IoThread thread = thread();
        IoVector data = io.vector;
        long blocks = io.numBlocks;
        thread.probes().fire(BdevTracepoints.IO_START, io.submitTick, io.id(), blocks, io.type, io.offsetBlocks,
                inFlight());
        if (io.offsetBlocks < 0 || blocks <= 0 || io.offsetBlocks > bdev.currentBlocks() - blocks) {
            endLater(io, BdevStatus.LBA_OUT_OF_RANGE);
        } else if ((submitFlags | data.addressBits() & alignmentMask) == 0 && !data.counted()
                && data.byteLength() == blocks * blockSize && slow.isShort(data, blocks)
                && (writable || io.type == BdevIoType.READ)) {
            submitToModule(io);
        } else {
            slow.start(io);
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

    boolean writable() {
        return writable;
    }

    // ---- other types ------------------------------------------------------------------------------------------

    /// Tells the device that the blocks' contents are no longer needed.
    public boolean unmap(long offsetBlocks, long numBlocks, BdevCompletion completion) {
        return other(BdevIoType.UNMAP, null, null, 0, offsetBlocks, numBlocks, null, completion);
    }

    /// Sets the blocks to zero.
    public boolean writeZeroes(long offsetBlocks, long numBlocks, BdevCompletion completion) {
        return other(BdevIoType.WRITE_ZEROES, null, null, 0, offsetBlocks, numBlocks, null, completion);
    }

    /// Makes what was written to the blocks durable.
    public boolean flush(long offsetBlocks, long numBlocks, BdevCompletion completion) {
        return other(BdevIoType.FLUSH, null, null, 0, offsetBlocks, numBlocks, null, completion);
    }

    /// Compares the blocks with `data`: [BdevStatus#MISCOMPARE] if they differ.
    public boolean compare(IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        return other(BdevIoType.COMPARE, data, null, 0, offsetBlocks, numBlocks, options, completion);
    }

    /// Writes `data` if the blocks equal `expected`, and no other write comes between. [BdevStatus#MISCOMPARE] if they
    /// differ. Emulated, where the module has none, under a lock on the range; that allocates.
    public boolean compareAndWrite(IoVector expected, IoVector data, long offsetBlocks, long numBlocks,
            BdevIoOptions options, BdevCompletion completion) {
        return other(BdevIoType.COMPARE_AND_WRITE, expected, data, 0, offsetBlocks, numBlocks, options, completion);
    }

    /// Copies `numBlocks` blocks from `sourceBlocks` to `offsetBlocks` of the same device.
    public boolean copy(long offsetBlocks, long sourceBlocks, long numBlocks, BdevCompletion completion) {
        return other(BdevIoType.COPY, null, null, sourceBlocks, offsetBlocks, numBlocks, null, completion);
    }

    /// Finds the next block with data from `offsetBlocks` on: [BdevIo#result()].
    public boolean seekData(long offsetBlocks, BdevCompletion completion) {
        return other(BdevIoType.SEEK_DATA, null, null, 0, offsetBlocks, 1, null, completion);
    }

    /// Finds the next block without data from `offsetBlocks` on: [BdevIo#result()].
    public boolean seekHole(long offsetBlocks, BdevCompletion completion) {
        return other(BdevIoType.SEEK_HOLE, null, null, 0, offsetBlocks, 1, null, completion);
    }

    /// Borrows the device's memory of the blocks ([BdevIo#vector()] in the completion), with their contents if
    /// `populate`. After success the I/O is the caller's until [#zcopyEnd]; after failure it is not.
    ///
    /// What is lent is no copy: writes of others, who do not wait for it (nor do range locks), show in it at once. Who needs
    /// contents that stay, for a digest as an example, reads. A channel with memory that is lent must not be released.
    public boolean zcopyStart(long offsetBlocks, long numBlocks, boolean populate, BdevCompletion completion) {
        return other(BdevIoType.ZCOPY_START, null, null, populate ? 1 : 0, offsetBlocks, numBlocks, null, completion);
    }

    /// Gives back what [#zcopyStart] lent, writing it if `commit`. `io` is the one from its completion.
    public void zcopyEnd(BdevIo io, boolean commit, BdevCompletion completion) {
        assert thread().isCurrent();
        if (io.channel() != this || io.state != BdevIo.LENT) {
            throw new IllegalStateException(io + " is not lent by this channel");
        }
        io.type = BdevIoType.ZCOPY_END;
        io.sourceBlocks = commit ? 1 : 0;
        io.special = BdevIo.SPECIAL_LENDING;
        io.completion = completion;
        io.submitTick = thread().now();
        io.state = BdevIo.SUBMITTED;
        if (commit && !writable) {
            endLater(io, BdevStatus.WRITE_PROTECTED);
        } else {
            submitToModule(io);
        }
    }

    private boolean other(int type, IoVector data, IoVector second, long sourceBlocks, long offsetBlocks,
            long numBlocks, BdevIoOptions options, BdevCompletion completion) {
        assert thread().isCurrent();
        BdevIo io = pool.take();
        if (io == null) {
            return false;
        }
        fill(io, type, data, offsetBlocks, numBlocks, options, completion);
        io.secondVector = second;
        io.sourceBlocks = sourceBlocks;
        if (type == BdevIoType.ZCOPY_START) {
            io.special = BdevIo.SPECIAL_LENDING;
        }
        thread().probes().fire(BdevTracepoints.IO_START, io.submitTick, io.id(), numBlocks, type, offsetBlocks,
                inFlight());
        if (outside(offsetBlocks, numBlocks) || type == BdevIoType.COPY && outside(sourceBlocks, numBlocks)) {
            endLater(io, BdevStatus.LBA_OUT_OF_RANGE);
        } else {
            slow.start(io);
        }
        return true;
    }

    private boolean outside(long offsetBlocks, long numBlocks) {
        return offsetBlocks < 0 || numBlocks <= 0 || offsetBlocks > bdev.currentBlocks() - numBlocks;
    }

    /// Submits a part of an I/O that is under way; never lacks a pooled I/O.
    void submitPart(int type, IoVector data, long offsetBlocks, long numBlocks, BdevIoOptions options,
            BdevCompletion completion) {
        BdevIo io = pool.takeForPart();
        fill(io, type, data, offsetBlocks, numBlocks, options, completion);
        io.special = BdevIo.SPECIAL_INTERNAL;
        slow.startPart(io);
    }

    // ---- giving up --------------------------------------------------------------------------------------------

    /// Has the I/Os that were submitted with `target` as their completion given up, as far as the module can. They end
    /// by themselves, aborted or not; `completion` gets success if all were, else [BdevStatus#FAILED].
    public boolean abort(BdevCompletion target, BdevCompletion completion) {
        assert thread().isCurrent();
        BdevIo abort = pool.take();
        if (abort == null) {
            return false;
        }
        fill(abort, BdevIoType.ABORT, null, 0, 0, null, completion);
        new AbortSequence(this, abort).start(target);
        return true;
    }

    /// Has the module give up `target`, which it has.
    void abortInModule(BdevIo target, BdevCompletion completion) {
        if (!bdev.supportsNatively(BdevIoType.ABORT)) {
            completion.completed(null);
            return;
        }
        BdevIo io = pool.takeForPart();
        fill(io, BdevIoType.ABORT, null, 0, 0, null, completion);
        io.abortTarget = target;
        io.special = BdevIo.SPECIAL_INTERNAL;
        submitToModule(io);
    }

    /// Calls `action` for each I/O on its way.
    void forEachInFlight(java.util.function.Consumer<BdevIo> action) {
        pool.forEachInFlight(action);
    }

    boolean anyWriteInFlight(RangeLocks.Lock lock) {
        return pool.anyWrite(lock, slow);
    }

    /// Where I/O goes that cannot go straight to the module.
    SlowPath slow() {
        return slow;
    }

    // ---- ending -----------------------------------------------------------------------------------------------

    /// What [BdevIo#complete(long)] does.
    void ended(BdevIo io, long status) {
        assert thread().isCurrent();
        if (io.state != BdevIo.SUBMITTED) {
            throw new IllegalStateException(io + " was completed twice");
        }
        if (status == BdevStatus.NOMEM) {
            slow.queueFirst(io);
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
            countersByType[io.type].count(io.numBlocks, latency);
        } else if (!finishSlow(io, latency)) {
            return;
        }
        boolean lent = io.type == BdevIoType.ZCOPY_START && io.status == BdevStatus.SUCCESS;
        if (lent) {
            io.state = BdevIo.LENT;
        }
        thread.probes().fire(BdevTracepoints.IO_DONE, now, io.id(), io.numBlocks, latency, io.status, inFlight());
        try {
            io.completion.completed(io);
        } catch (Throwable t) {
            bdev.registry().reactors().contain("completion of " + io, t);
        }
        if (lent) {
            return; // until zcopyEnd, which the completion may have called already
        }
        io.state = BdevIo.FREE;
        pool.put(io);
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
            slow.release(io);
        }
        if ((io.special & BdevIo.SPECIAL_INTERNAL) == 0) {
            counters.count(io, latency);
        }
        io.special = 0;
        return true;
    }

    // ---- waiting for a pooled I/O -----------------------------------------------------------------------------

    /// Has `waiter` told when a submit is worth another try; after one returned false. First come, first served.
    public void waitForIo(IoWaiter waiter) {
        assert thread().isCurrent();
        if (pool.await(waiter)) {
            finishFlags |= WAITED_FOR;
            shared.stalled(this);
            bdev.registry().callPooledIosBack();
        }
    }

    /// `waiter` waits no more; false if it did not.
    public boolean cancelWait(IoWaiter waiter) {
        assert thread().isCurrent();
        boolean waited = pool.cancel(waiter);
        clearWaitedFor();
        return waited;
    }

    /// Others lack I/Os: gives those back that are free and more than `keep`.
    void giveBack(int keep) {
        pool.giveBack(keep);
    }

    /// An I/O came free while someone waited for one, or while the channel is closing.
    private void freed() {
        if (pool.waitedFor()) {
            pool.feedOne();
        }
        clearWaitedFor();
        if ((finishFlags & CLOSING) != 0 && inFlight() == 0) {
            releaseModule();
        }
    }

    private void clearWaitedFor() {
        if (!pool.waitedFor()) {
            finishFlags &= ~WAITED_FOR;
        }
    }

    /// Whether the thread must come back to this channel in each turn.
    boolean isStalled() {
        return pool.waitedFor() || slow.isStalled();
    }

    /// Tries what had to wait. Returns the work done.
    int retry(int limit) {
        int count = slow.retry(limit);
        while (count < limit && pool.tryToFeedOne()) {
            count++;
        }
        clearWaitedFor();
        return count;
    }

    // ---- resets -----------------------------------------------------------------------------------------------

    /// Has the module give up or finish what it has; I/O that is submitted meanwhile fails as aborted.
    public boolean reset(BdevCompletion completion) {
        assert thread().isCurrent();
        BdevIo io = pool.take();
        if (io == null) {
            return false;
        }
        fill(io, BdevIoType.RESET, null, 0, 0, null, completion);
        bdev.resets.add(io);
        return true;
    }

    // ---- limits -----------------------------------------------------------------------------------------------

    /// Tells `handler` of every I/O of callers that takes longer than `nanos`, looking a few times in that span; 0 ends
    /// it. One handler a channel.
    public void timeout(long nanos, IoTimeoutHandler handler) {
        assert thread().isCurrent();
        timeouts.ifPresent(IoTimeouts::stop);
        timeouts = nanos > 0 ? Optional.of(new IoTimeouts(this, pool, nanos, handler)) : Optional.empty();
    }

    // ---- statistics and the end -------------------------------------------------------------------------------

    /// What was done through this channel.
    ChannelCounters counters() {
        return counters;
    }

    /// Counts latencies in `wanted`, or none.
    void countLatencies(Optional<LatencyHistogram> wanted) {
        counters.histogram(wanted);
        finishFlags = wanted.isPresent() ? finishFlags | HISTOGRAM : finishFlags & ~HISTOGRAM;
    }

    @Override
    protected void onDestroy() {
        timeouts.ifPresent(IoTimeouts::stop);
        pool.forgetWaiters();
        clearWaitedFor();
        thread().probes().fire(BdevTracepoints.IOCH_DESTROY, thread().now(), id(), 0, 0, 0, 0);
        bdev.registry().monitor().retired(this);
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
        pool.dissolve();
        slow.grantAllLocks();
        module.release();
        shared.remove(this);
        bdev.registry().release(shared);
    }
}
