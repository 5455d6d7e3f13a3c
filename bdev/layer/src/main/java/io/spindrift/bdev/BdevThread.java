package io.spindrift.bdev;

import io.spindrift.framework.memory.BufferChannel;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Message;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// What all channels of one IoThread share: the I/Os that ended inside a submit, and those that wait for room.
///
/// An I/O that ends while a module's `submit` runs is put off to the thread's next turn, so that a completion never runs
/// inside the call that submitted it, and completions come in batches.
final class BdevThread implements PollFunction {
    private static final int RETRY_BATCH = 32;

    private final IoThread thread;
    private final Poller poller;
    private BdevIo[] ended = new BdevIo[64];
    private int endedCount;
    private BdevIo[] batch = new BdevIo[64];
    /// Channels with I/O that the module had no room for, or with callers that wait for a pooled I/O.
    private final List<BdevChannel> stalled = new ArrayList<>();
    private final List<BdevChannel> channels = new ArrayList<>();
    private final IoBudget budget;
    private final int ioCacheSize;
    private int users;
    /// Whether a module's `submit` is on the stack.
    boolean submitting;

    private final BufferChannel buffers;
    private final long largestBuffer;
    private final AtomicBoolean calledBack = new AtomicBoolean();
    private final Message callBack = new Message() {
        @Override
        protected void run() {
            calledBack.set(false);
            givePooledIosBack();
        }
    };
    private Part freeParts;
    private PartedIo freeParted;

    BdevThread(IoThread thread, BufferPools pools, BdevOptions options, IoBudget budget) {
        this.thread = thread;
        this.poller = thread.addPoller("bdev_completions", this);
        this.buffers = pools.openChannel("bdev", options.smallBufferCache(), options.largeBufferCache());
        this.largestBuffer = pools.largestCapacity();
        this.budget = budget;
        this.ioCacheSize = options.ioCacheSize();
    }

    BufferChannel buffers() {
        return buffers;
    }

    /// The most bytes that one bounce buffer holds.
    long largestBuffer() {
        return largestBuffer;
    }

    Part takePart() {
        Part part = freeParts;
        if (part == null) {
            return new Part(this);
        }
        freeParts = part.nextFree;
        return part;
    }

    void give(Part part) {
        part.nextFree = freeParts;
        freeParts = part;
    }

    PartedIo takeParted() {
        PartedIo parted = freeParted;
        if (parted == null) {
            return new PartedIo(this);
        }
        freeParted = parted.nextFree;
        return parted;
    }

    void give(PartedIo parted) {
        parted.nextFree = freeParted;
        freeParted = parted;
    }

    void add(BdevChannel channel) {
        channels.add(channel);
    }

    void remove(BdevChannel channel) {
        channels.remove(channel);
        stalled.remove(channel);
    }

    /// Channels lack pooled I/Os: has this thread give back what it need not keep, also if it sleeps. Any thread.
    void callPooledIosBack() {
        if (calledBack.compareAndSet(false, true) && !thread.send(callBack)) {
            calledBack.set(false); // it has exited
        }
    }

    private void givePooledIosBack() {
        for (int i = 0; i < channels.size(); i++) { // an iterator would be allocated
            channels.get(i).giveBack(ioCacheSize);
        }
    }

    boolean belongsTo(IoThread other) {
        return thread == other;
    }

    void retain() {
        users++;
    }

    /// Returns whether it was the last user's.
    boolean release() {
        if (--users > 0) {
            return false;
        }
        poller.unregister();
        buffers.close();
        return true;
    }

    /// Puts the completion of `io` off to the next turn.
    void putOff(BdevIo io) {
        int index = endedCount;
        if (index == ended.length) {
            ended = Arrays.copyOf(ended, index * 2);
        }
        ended[index] = io;
        endedCount = index + 1;
    }

    @Override
    public int poll() {
        int count = endedCount;
        if (count > 0) {
            BdevIo[] now = ended;
            ended = batch;
            batch = now;
            endedCount = 0;
            for (int i = 0; i < count; i++) {
                now[i].channel().finish(now[i]);
            }
        }
        if (budget.anyStarving()) {
            givePooledIosBack();
        }
        return stalled.isEmpty() ? count : count + retry();
    }

    @Override
    public boolean readyToSleep() {
        return endedCount == 0 && stalled.isEmpty();
    }

    void stalled(BdevChannel channel) {
        assert thread.isCurrent();
        if (!stalled.contains(channel)) {
            stalled.add(channel);
        }
    }

    private int retry() {
        int work = 0;
        for (int i = stalled.size() - 1; i >= 0; i--) { // no channel goes meanwhile: that takes a message
            BdevChannel channel = stalled.get(i);
            work += channel.retry(RETRY_BATCH);
            if (!channel.isStalled()) {
                stalled.remove(channel);
            }
        }
        return work;
    }
}
