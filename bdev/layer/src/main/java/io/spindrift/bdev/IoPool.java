package io.spindrift.bdev;

import io.spindrift.bdev.spi.ModuleChannel;
import java.util.Arrays;
import java.util.function.Consumer;

/// The pooled I/Os of one channel, and those who wait for one. On the channel's thread.
///
/// It grows by what the application's [IoBudget] gives, and gives back what it need not keep when other channels lack
/// some.
final class IoPool {
    private static final int GROWTH = 32;

    private final BdevChannel channel;
    private final ModuleChannel module;
    private final IoBudget budget;
    /// The first `size` are the pool's, each at its [BdevIo#slot].
    private BdevIo[] all = new BdevIo[GROWTH];
    private int size;
    /// A stack: the one that came back last, and is in the cache, goes first.
    private BdevIo[] free = new BdevIo[GROWTH];
    private int freeCount;
    private IoWaiter firstWaiter;
    private IoWaiter lastWaiter;

    IoPool(BdevChannel channel, ModuleChannel module, IoBudget budget) {
        this.channel = channel;
        this.module = module;
        this.budget = budget;
    }

    /// An I/O, or null if there is none.
    BdevIo take() {
        int left = freeCount - 1;
        if (left < 0) {
            return grow(GROWTH) ? take() : null;
        }
        freeCount = left;
        return free[left];
    }

    /// An I/O for a part of one that is under way: never null.
    BdevIo takeForPart() {
        if (freeCount == 0 && !grow(1)) {
            budget.overdraw();
            add(1);
        }
        return take();
    }

    void put(BdevIo io) {
        free[freeCount++] = io;
    }

    /// How many are out.
    int inFlight() {
        return size - freeCount;
    }

    private boolean grow(int wanted) {
        int count = budget.take(wanted);
        add(count);
        return count > 0;
    }

    private void add(int count) {
        if (size + count > all.length) {
            int capacity = Math.max(size + count, 2 * all.length);
            all = Arrays.copyOf(all, capacity);
            free = Arrays.copyOf(free, capacity);
        }
        for (int i = 0; i < count; i++) {
            BdevIo io = new BdevIo(channel, module.newIoContext(), budget.nextId());
            io.slot = size;
            all[size++] = io;
            free[freeCount++] = io;
        }
    }

    /// Calls `action` for each I/O that is on its way; `action` may not take any or give back.
    void forEachInFlight(Consumer<BdevIo> action) {
        for (int i = 0; i < size; i++) {
            BdevIo io = all[i];
            if (io.onItsWay()) {
                action.accept(io);
            }
        }
    }

    /// Whether a caller's write to the range of `lock` is on its way, and not held back by a lock itself.
    boolean anyWrite(RangeLocks.Lock lock, SlowPath slow) {
        for (int i = 0; i < size; i++) {
            BdevIo io = all[i];
            if (io != lock.io && io.onItsWay() && SlowPath.writes(io.type) && io.type != BdevIoType.COMPARE_AND_WRITE
                    && (io.special & BdevIo.SPECIAL_INTERNAL) == 0 && lock.overlaps(io.offsetBlocks, io.numBlocks)
                    && !slow.isLockedOut(io)) {
                return true;
            }
        }
        return false;
    }

    // ---- giving back ------------------------------------------------------------------------------------------

    /// Others lack I/Os: gives those back that are free and more than `keep`.
    void giveBack(int keep) {
        int surplus = Math.min(freeCount, size - keep);
        if (surplus <= 0 || firstWaiter != null) {
            return;
        }
        for (int i = 0; i < surplus; i++) {
            remove(free[--freeCount]);
            free[freeCount] = null;
        }
        budget.give(surplus);
    }

    private void remove(BdevIo io) {
        BdevIo last = all[--size];
        all[io.slot] = last;
        last.slot = io.slot;
        all[size] = null;
    }

    /// Gives all back: none is out.
    void dissolve() {
        budget.give(size);
        Arrays.fill(all, null);
        Arrays.fill(free, null);
        size = 0;
        freeCount = 0;
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    boolean waitedFor() {
        return firstWaiter != null;
    }

    /// Queues `waiter`, unless it waits already. Returns whether it is the first.
    boolean await(IoWaiter waiter) {
        if (waiter.waiting) {
            return false;
        }
        waiter.waiting = true;
        waiter.next = null;
        boolean first = firstWaiter == null;
        if (first) {
            firstWaiter = waiter;
            budget.starving();
        } else {
            lastWaiter.next = waiter;
        }
        lastWaiter = waiter;
        return first;
    }

    /// Takes `waiter` out of the queue; false if it is not in it.
    boolean cancel(IoWaiter waiter) {
        IoWaiter before = null;
        for (IoWaiter other = firstWaiter; other != null; other = other.next) {
            if (other == waiter) {
                remove(waiter, before);
                return true;
            }
            before = other;
        }
        return false;
    }

    private void remove(IoWaiter waiter, IoWaiter before) {
        waiter.waiting = false;
        if (before == null) {
            firstWaiter = waiter.next;
        } else {
            before.next = waiter.next;
        }
        if (lastWaiter == waiter) {
            lastWaiter = before;
        }
        if (firstWaiter == null) {
            budget.fed();
        }
    }

    /// Tells the oldest waiter that there is an I/O.
    void feedOne() {
        IoWaiter waiter = firstWaiter;
        firstWaiter = waiter.next;
        if (firstWaiter == null) {
            budget.fed();
        }
        waiter.waiting = false;
        try {
            waiter.ioAvailable();
        } catch (Throwable t) {
            Bdev bdev = channel.bdev();
            bdev.registry().reactors().contain("who waited for an I/O of " + bdev.name(), t);
        }
    }

    /// Tells the oldest waiter if there is an I/O or the budget gives one. Returns whether it did.
    boolean tryToFeedOne() {
        if (firstWaiter == null || freeCount == 0 && !grow(1)) {
            return false;
        }
        feedOne();
        return true;
    }

    /// The channel goes: nobody may submit any more.
    void forgetWaiters() {
        if (firstWaiter != null) {
            for (IoWaiter waiter = firstWaiter; waiter != null; waiter = waiter.next) {
                waiter.waiting = false;
            }
            firstWaiter = null;
            budget.fed();
        }
    }
}
