package io.spindrift.bdev;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.ForEachChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// What happens to an I/O of a channel that cannot go straight to the module.
///
/// ```
///   rights, freeze, support -> trim the vector -> hold foreign memory -> range locks -> rate limit
///     -> emulate | split or bounce | queue behind those that wait for room | module
/// ```
/// Runs on the channel's thread. Once the pools have grown it allocates only for range locks.
final class SlowPath {
    // Why a submit comes here; bits of BdevChannel.submitFlags.
    static final int FROZEN = 1;
    static final int QUEUEING = 2;
    /// The device has limits that not every short I/O of one range keeps.
    static final int LIMITED = 4;
    static final int NOT_NATIVE = 8;
    static final int LOCKED = 16;
    static final int LIMITED_RATE = 32;

    private final BdevChannel channel;
    private final Bdev bdev;
    private final BdevThread shared;
    private final long alignmentMask;
    private final boolean limited;
    private final long shortBlocks;
    private final int shortSegments;
    private BdevIo queueHead;
    private BdevIo queueTail;
    private IoAdmission admission;
    private final ArrayDeque<BdevIo> refused = new ArrayDeque<>();
    private final List<RangeLocks.Lock> locks = new ArrayList<>(1);
    private final List<BdevIo> lockedOut = new ArrayList<>(1);
    private final List<PendingLock> pendingLocks = new ArrayList<>(1);

    /// A lock that is granted here once the writes in flight have ended.
    private record PendingLock(RangeLocks.Lock lock, ForEachChannel<BdevChannel> walk) {}

    SlowPath(BdevChannel channel, BdevThread shared, long alignmentMask) {
        this.channel = channel;
        this.bdev = channel.bdev();
        this.shared = shared;
        this.alignmentMask = alignmentMask;
        BdevGeometry geometry = bdev.geometry();
        this.limited = geometry.splitOnBoundary() || geometry.maxTransferBlocks() > 0 || geometry.maxSegments() > 0
                || geometry.maxSegmentSize() > 0;
        this.shortBlocks = unlessZero(geometry.maxTransferBlocks());
        this.shortSegments = unlessZero(geometry.maxSegments());
    }

    /// A limit where 0 stands for none.
    private static int unlessZero(int limit) {
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }

    /// Whether I/O of `blocks` keeps the device's limits, unless its flags say that it needs a closer look. On the data path.
    boolean isShort(IoVector data, long blocks) {
        return blocks <= shortBlocks && data.count() <= shortSegments;
    }

    /// The flags that a channel of `bdev` always has.
    static int flagsOf(Bdev bdev) {
        BdevGeometry geometry = bdev.geometry();
        boolean limited = geometry.splitOnBoundary() || geometry.maxSegmentSize() > 0;
        boolean nativeData = bdev.supportsNatively(BdevIoType.READ) && bdev.supportsNatively(BdevIoType.WRITE);
        return (limited ? LIMITED : 0) | (nativeData ? 0 : NOT_NATIVE);
    }

    /// Takes an I/O of a caller whose range has been checked.
    void start(BdevIo io) {
        if (!channel.writable() && writes(io.type)) {
            channel.endLater(io, BdevStatus.WRITE_PROTECTED);
        } else if ((channel.submitFlags & FROZEN) != 0) {
            channel.endLater(io, BdevStatus.ABORTED);
        } else if (!bdev.supports(io.type)) {
            channel.endLater(io, BdevStatus.UNSUPPORTED);
        } else if (!fitVectors(io) || !hold(io)) {
            channel.endLater(io, BdevStatus.INVALID);
        } else if ((channel.submitFlags & LOCKED) != 0 && writes(io.type) && lockedOut(io)) {
            lockedOut.add(io);
        } else {
            routeWithinRate(io);
        }
    }

    /// Routes an I/O that nothing but the rate limit may hold back.
    private void routeWithinRate(BdevIo io) {
        if ((channel.submitFlags & LIMITED_RATE) != 0 && (!refused.isEmpty() || !admission.admit(io))) {
            refused.add(io);
        } else {
            route(io);
        }
    }

    /// Takes a part of an I/O that is under way: past the checks, the locks and the rate limit.
    void startPart(BdevIo io) {
        if ((channel.submitFlags & FROZEN) != 0) {
            channel.endLater(io, BdevStatus.ABORTED);
        } else {
            route(io);
        }
    }

    private void route(BdevIo io) {
        if (!bdev.supportsNatively(io.type)) {
            emulate(io);
        } else if (hasData(io.type) && misaligned(io)) {
            bounce(io);
        } else if (limited && exceedsLimits(io)) {
            shared.takeParted().start(channel, io, splitMode(io));
        } else if ((channel.submitFlags & QUEUEING) != 0) {
            queueLast(io);
        } else {
            channel.submitToModule(io);
        }
    }

    /// Both halves of a compare-and-write, each by itself.
    private void bounce(BdevIo io) {
        if (io.type == BdevIoType.COMPARE_AND_WRITE) {
            CompareAndWrite.start(channel, io);
        } else {
            shared.takeParted().start(channel, io, PartedIo.Mode.BOUNCED);
        }
    }

    private void emulate(BdevIo io) {
        switch (io.type) {
            case BdevIoType.WRITE_ZEROES -> shared.takeParted().start(channel, io, PartedIo.Mode.ZEROES);
            case BdevIoType.COMPARE -> shared.takeParted().start(channel, io, PartedIo.Mode.COMPARE);
            case BdevIoType.COPY -> shared.takeParted().start(channel, io, PartedIo.Mode.COPY);
            case BdevIoType.COMPARE_AND_WRITE -> CompareAndWrite.start(channel, io);
            default -> channel.endLater(io, BdevStatus.UNSUPPORTED);
        }
    }

    // ---- checks -----------------------------------------------------------------------------------------------

    static boolean writes(int type) {
        return switch (type) {
            case BdevIoType.WRITE, BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES, BdevIoType.COMPARE_AND_WRITE,
                    BdevIoType.COPY ->
                true;
            default -> false;
        };
    }

    private static boolean hasData(int type) {
        return switch (type) {
            case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.COMPARE, BdevIoType.COMPARE_AND_WRITE -> true;
            default -> false;
        };
    }

    /// A vector that is longer than the request is cut to it; false if one is too short.
    private boolean fitVectors(BdevIo io) {
        if (!hasData(io.type)) {
            return true;
        }
        long bytes = io.numBlocks * bdev.blockSize();
        if (io.vector.byteLength() < bytes
                || io.secondVector != null && io.type == BdevIoType.COMPARE_AND_WRITE
                        && io.secondVector.byteLength() < bytes) {
            return false;
        }
        if (io.options != null && io.options.metadata() != null
                && io.options.metadata().byteLength() < io.numBlocks * bdev.geometry().metadataSize()) {
            return false;
        }
        if (io.vector.byteLength() > bytes) {
            io.cutVector(bytes);
        }
        if (io.type == BdevIoType.COMPARE_AND_WRITE && io.secondVector.byteLength() > bytes) {
            io.cutSecondVector(bytes);
        }
        return true;
    }

    private boolean hold(BdevIo io) {
        if (!hasData(io.type)) {
            return true;
        }
        int slot = channel.thread().slot();
        if (!io.vector.hold(slot)) {
            return false;
        }
        if (io.type == BdevIoType.COMPARE_AND_WRITE && !io.secondVector.hold(slot)) {
            io.vector.release(slot);
            return false;
        }
        io.special |= BdevIo.SPECIAL_HELD;
        return true;
    }

    /// Undoes [#hold] at the end of `io`.
    void release(BdevIo io) {
        int slot = channel.thread().slot();
        io.vector.release(slot);
        if (io.type == BdevIoType.COMPARE_AND_WRITE) {
            io.secondVector.release(slot);
        }
    }

    private boolean misaligned(BdevIo io) {
        return (io.vector.addressBits() & alignmentMask) != 0
                || io.type == BdevIoType.COMPARE_AND_WRITE && (io.secondVector.addressBits() & alignmentMask) != 0;
    }

    private boolean exceedsLimits(BdevIo io) {
        BdevGeometry geometry = bdev.geometry();
        if (!hasData(io.type) || io.type == BdevIoType.COMPARE_AND_WRITE) {
            return false;
        }
        if (geometry.splitOnBoundary() && io.offsetBlocks
                / geometry.optimalIoBoundary() != (io.offsetBlocks + io.numBlocks - 1) / geometry.optimalIoBoundary()) {
            return true;
        }
        return geometry.maxTransferBlocks() > 0 && io.numBlocks > geometry.maxTransferBlocks()
                || !SegmentLimit.fits(io.vector, geometry);
    }

    private PartedIo.Mode splitMode(BdevIo io) {
        return SegmentLimit.divisible(io.vector, bdev.blockSize(), bdev.geometry())
                ? PartedIo.Mode.SPLIT
                : PartedIo.Mode.BOUNCED;
    }

    // ---- I/O that waits for room in the module ----------------------------------------------------------------

    private void queueLast(BdevIo io) {
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
    void queueFirst(BdevIo io) {
        io.state = BdevIo.QUEUED;
        io.nextQueued = queueHead;
        queueHead = io;
        if (io.nextQueued == null) {
            queueTail = io;
        }
        channel.submitFlags |= QUEUEING;
        shared.stalled(channel);
    }

    /// Whether the thread must come back in each turn.
    boolean isStalled() {
        return queueHead != null || !pendingLocks.isEmpty();
    }

    /// Submits what waits, until the module is full again or `limit` are gone. Returns how many went.
    int retry(int limit) {
        int count = 0;
        while (queueHead != null && count < limit) {
            BdevIo io = queueHead;
            queueHead = io.nextQueued;
            io.state = BdevIo.SUBMITTED;
            channel.submitToModule(io);
            if (io.state == BdevIo.QUEUED) {
                break;
            }
            count++;
        }
        if (queueHead == null) {
            channel.submitFlags &= ~QUEUEING;
        }
        return pendingLocks.isEmpty() ? count : count + grantLocks();
    }

    /// Begins or ends a reset on this channel; what the core had queued is given up.
    void freeze(boolean frozen) {
        if (frozen) {
            channel.submitFlags |= FROZEN;
            abortQueued();
        } else {
            channel.submitFlags &= ~FROZEN;
        }
    }

    /// Gives up everything that the module has not seen.
    private void abortQueued() {
        BdevIo io = queueHead;
        queueHead = null;
        channel.submitFlags &= ~QUEUEING;
        while (io != null) {
            BdevIo next = io.nextQueued;
            channel.endLater(io, BdevStatus.ABORTED);
            io = next;
        }
        for (BdevIo held : lockedOut) {
            channel.endLater(held, BdevStatus.ABORTED);
        }
        lockedOut.clear();
        for (BdevIo held = refused.poll(); held != null; held = refused.poll()) {
            channel.endLater(held, BdevStatus.ABORTED);
        }
    }

    // ---- the rate limit ---------------------------------------------------------------------------------------

    /// Has every I/O of callers admitted by `limiter`; null ends that and lets those go that wait.
    void admission(IoAdmission limiter) {
        admission = limiter;
        if (limiter != null) {
            channel.submitFlags |= LIMITED_RATE;
        } else {
            channel.submitFlags &= ~LIMITED_RATE;
            for (BdevIo io = refused.poll(); io != null; io = refused.poll()) {
                route(io);
            }
        }
    }

    /// There may be quota again: tries those that wait, oldest first.
    void readmit() {
        while (!refused.isEmpty() && admission.admit(refused.peek())) {
            route(refused.poll());
        }
    }

    /// Takes `io` out of whatever the core has it wait in; false if it is not there.
    boolean unqueue(BdevIo io) {
        if (lockedOut.remove(io) || refused.remove(io)) {
            return true;
        }
        BdevIo previous = null;
        for (BdevIo other = queueHead; other != null; other = other.nextQueued) {
            if (other == io) {
                if (previous == null) {
                    queueHead = io.nextQueued;
                } else {
                    previous.nextQueued = io.nextQueued;
                }
                if (queueTail == io) {
                    queueTail = previous;
                }
                return true;
            }
            previous = other;
        }
        return false;
    }

    // ---- range locks ------------------------------------------------------------------------------------------

    private boolean lockedOut(BdevIo io) {
        for (RangeLocks.Lock lock : locks) {
            if (lock.io != io && lock.overlaps(io.offsetBlocks, io.numBlocks)) {
                return true;
            }
        }
        return false;
    }

    /// A new channel: takes over what is locked and frozen already.
    void joinLate() {
        if (bdev.resets.frozen()) {
            channel.submitFlags |= FROZEN;
        }
        locks.addAll(bdev.locks.active());
        if (!locks.isEmpty()) {
            channel.submitFlags |= LOCKED;
        }
    }

    /// Holds new writes to the range, and goes on with the walk once those in flight have ended.
    void lock(RangeLocks.Lock lock, ForEachChannel<BdevChannel> walk) {
        if (!locks.contains(lock)) {
            locks.add(lock);
        }
        channel.submitFlags |= LOCKED;
        pendingLocks.add(new PendingLock(lock, walk));
        if (grantLocks() == 0) {
            shared.stalled(channel);
        }
    }

    private int grantLocks() {
        int granted = 0;
        for (int i = pendingLocks.size() - 1; i >= 0; i--) {
            PendingLock pending = pendingLocks.get(i);
            if (!channel.anyWriteInFlight(pending.lock)) {
                pendingLocks.remove(i);
                pending.walk.next(0);
                granted++;
            }
        }
        return granted;
    }

    /// The channel goes, with nothing in flight: no lock need wait for it.
    void grantAllLocks() {
        pendingLocks.forEach(pending -> pending.walk.next(0));
        pendingLocks.clear();
    }

    void unlock(RangeLocks.Lock lock) {
        locks.remove(lock);
        if (locks.isEmpty()) {
            channel.submitFlags &= ~LOCKED;
        }
        List<BdevIo> held = List.copyOf(lockedOut);
        lockedOut.clear();
        for (BdevIo io : held) {
            if (lockedOut(io)) {
                lockedOut.add(io);
            } else {
                routeWithinRate(io);
            }
        }
    }

    /// Whether the core holds `io` back because of a lock.
    boolean isLockedOut(BdevIo io) {
        return lockedOut.contains(io);
    }
}
