package io.spindrift.bdev;

import io.spindrift.framework.thread.IoThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Ranges of one device that no one else writes for a while: what makes an emulated compare-and-write atomic.
///
/// ```
///   lock: every channel holds new writes to the range and waits for those in flight  ->  granted
///   unlock: every channel lets the held writes go
/// ```
/// Overlapping locks are granted one after the other. The list belongs to the application's first thread.
final class RangeLocks {
    /// One lock, for the I/O that wants it.
    static final class Lock {
        final BdevIo io;
        final Runnable granted;

        Lock(BdevIo io, Runnable granted) {
            this.io = io;
            this.granted = granted;
        }

        boolean overlaps(long offsetBlocks, long numBlocks) {
            return offsetBlocks < io.offsetBlocks + io.numBlocks && io.offsetBlocks < offsetBlocks + numBlocks;
        }
    }

    private final Bdev bdev;
    private final IoThread owner;
    /// Locks that others must wait for, from their request until every channel has forgotten them.
    private final List<Lock> held = new ArrayList<>();
    /// What a new channel must honour: set before a lock's walk over the channels, cleared before an unlock's.
    private final List<Lock> active = new CopyOnWriteArrayList<>();
    private final List<Lock> waiting = new ArrayList<>();

    RangeLocks(Bdev bdev, IoThread owner) {
        this.bdev = bdev;
        this.owner = owner;
    }

    /// Locks the range of `io`, whose channel's thread runs `granted` then. False if the application is ending.
    boolean lock(BdevIo io, Runnable granted) {
        return owner.send(() -> onLock(new Lock(io, granted)));
    }

    private void onLock(Lock lock) {
        assert owner.isCurrent();
        for (Lock other : held) {
            if (other.overlaps(lock.io.offsetBlocks, lock.io.numBlocks)) {
                waiting.add(lock);
                return;
            }
        }
        held.add(lock);
        active.add(lock);
        ChannelWalk.start(bdev, (channel, walk) -> channel.slow().lock(lock, walk),
                () -> lock.io.channel().thread().send(lock.granted));
    }

    /// The locks that a channel that is being made must honour. Any thread.
    List<Lock> active() {
        return active;
    }

    /// Unlocks what `io` had locked, then runs `done` on its thread.
    void unlock(BdevIo io, Runnable done) {
        if (!owner.send(() -> onUnlock(io, done))) {
            done.run(); // the application is ending: nobody waits for the range any more
        }
    }

    private void onUnlock(BdevIo io, Runnable done) {
        assert owner.isCurrent();
        Lock lock = held.stream().filter(l -> l.io == io).findFirst().orElseThrow();
        active.remove(lock);
        ChannelWalk.start(bdev, (channel, walk) -> {
            channel.slow().unlock(lock);
            walk.next(0);
        }, () -> {
            held.remove(lock);
            io.channel().thread().send(done);
            List<Lock> retry = List.copyOf(waiting);
            waiting.clear();
            retry.forEach(this::onLock);
        });
    }
}
