package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;

/// The I/Os of one channel that may be too much for one turn: first in, first out, a bounded amount of work in each turn.
///
/// What is too much for the turn in which it was submitted goes on in a poller, so that the reactor serves others
/// between. Owned by the channel's thread; allocates nothing once made.
final class PieceQueue implements PollFunction {
    private final PieceWork pieces;
    /// Paused while nothing waits.
    private final Poller poller;
    private boolean running;
    /// Whether [#add] has done a turn's work since it resumed the poller, which then does none in its next run: that is in
    /// the same turn, or in the next one if a timer or a descriptor's poller called.
    private boolean turnUsed;
    private BdevIo head;
    private BdevIo tail;

    PieceQueue(PieceWork pieces, IoThread thread) {
        this.pieces = pieces;
        this.poller = thread.addPoller("malloc_pieces", this);
        poller.pause();
    }

    /// Nothing waits any more, and nothing more comes.
    void close() {
        poller.unregister();
    }

    /// Does `io`, now or in later turns, then completes it. One at a time is under way: whatever comes while the poller
    /// runs waits for its turn.
    void add(BdevIo io) {
        MallocIoContext context = context(io);
        context.next = null;
        context.pass = 0;
        context.done = 0;
        if (head != null) {
            context(tail).next = io;
            tail = io;
            return;
        }
        head = io;
        tail = io;
        if (running) {
            return; // submitted by the completion of what was the last
        }
        work();
        if (head != null) {
            running = true;
            turnUsed = true;
            poller.resume();
        }
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
        int count = head == null ? 0 : 1;
        if (turnUsed) {
            turnUsed = false;
            return count;
        }
        work();
        if (head == null) {
            running = false;
            poller.pause();
        }
        return count;
    }

    private void work() {
        long budget = PieceWork.TURN_BYTES;
        while (head != null && budget > 0) {
            BdevIo io = head;
            long status = pieces.advance(io, budget);
            budget -= pieces.spent();
            if (status != PieceWork.UNDER_WAY) {
                head = context(io).next;
                io.complete(status);
            }
        }
    }

    @Override
    public boolean readyToSleep() {
        return head == null;
    }

    private static MallocIoContext context(BdevIo io) {
        return (MallocIoContext) io.moduleContext();
    }
}
