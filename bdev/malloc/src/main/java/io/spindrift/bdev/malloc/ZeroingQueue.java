package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;

/// The unmaps and write-zeroes of one channel: first in, first out, a bounded amount of memory in each turn.
///
/// What is too much for the turn in which it was submitted goes on in a poller, so that the reactor serves others
/// between. Separate metadata, a small part of the data, is not counted: all of an I/O's is zeroed in its last turn.
/// Owned by the channel's thread; allocates only that poller.
final class ZeroingQueue implements PollFunction {
    /// Memory zeroed in a turn, in bytes: some hundred microseconds.
    private static final long TURN_BYTES = 4 << 20;

    private final MallocStorage storage;
    private final IoThread thread;
    private final IoVector scratch = new IoVector(1);
    private BdevIo head;
    private BdevIo tail;
    /// Registered while something waits; null otherwise.
    private Poller poller;

    ZeroingQueue(MallocStorage storage, IoThread thread) {
        this.storage = storage;
        this.thread = thread;
    }

    /// Zeroes the blocks of `io`, and their metadata, now or in later turns, then completes it. One at a time is under
    /// way: whatever comes while a poller runs waits for its turn.
    void add(BdevIo io) {
        MallocIoContext context = context(io);
        context.next = null;
        context.zeroFrom = storage.data().bytes(io.offsetBlocks());
        context.zeroEnd = storage.data().bytes(io.offsetBlocks() + io.numBlocks());
        if (head == null) {
            head = io;
            tail = io;
            poll();
            if (head != null && poller == null) {
                poller = thread.addPoller("malloc_zeroing", this);
            }
        } else {
            context(tail).next = io;
            tail = io;
        }
    }

    /// Zeroes the separate metadata of some blocks at once.
    void zeroMetadata(long first, long count) {
        LazyMemory metadata = storage.metadata();
        metadata.zero(metadata.bytes(first), metadata.bytes(first + count), Long.MAX_VALUE, scratch);
    }

    /// Ends `io` as aborted if it waits here or is half done; false if it is not here.
    boolean abort(BdevIo io) {
        BdevIo before = null;
        for (BdevIo at = head; at != null; before = at, at = context(at).next) {
            if (at == io) {
                if (before == null) {
                    head = context(at).next;
                } else {
                    context(before).next = context(at).next;
                }
                if (at == tail) {
                    tail = before;
                }
                io.complete(BdevStatus.ABORTED);
                return true;
            }
        }
        return false;
    }

    /// Ends all that waits as aborted.
    void abortAll() {
        while (head != null) {
            abort(head);
        }
    }

    @Override
    public int poll() {
        int work = head == null ? 0 : 1;
        long budget = TURN_BYTES;
        while (head != null && budget > 0) {
            BdevIo io = head;
            MallocIoContext context = context(io);
            long from = context.zeroFrom;
            context.zeroFrom = storage.data().zero(from, context.zeroEnd, budget, scratch);
            budget -= context.zeroFrom - from;
            if (context.zeroFrom == context.zeroEnd) {
                head = context.next;
                if (storage.metadata() != null) {
                    zeroMetadata(io.offsetBlocks(), io.numBlocks());
                }
                io.complete(BdevStatus.SUCCESS);
            }
        }
        if (head == null && poller != null) {
            poller.unregister();
            poller = null;
        }
        return work;
    }

    @Override
    public boolean readyToSleep() {
        return head == null;
    }

    private static MallocIoContext context(BdevIo io) {
        return (MallocIoContext) io.moduleContext();
    }
}
