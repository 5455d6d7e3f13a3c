package io.spindrift.framework.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// All buffers of one size: the shared stack of free ones, and the threads' caches that wait or can give back.
///
/// ```
///   thread A: BufferCache [free..] waiters    thread B: BufferCache [free..] waiters
///                    |   ^                                  |   ^
///                    v   |  (32 at a time)                  v   |
///                  BufferStack: free, shared by all
/// ```
/// ## No wake-up is lost
/// A waiter adds itself to `waiting`, then to its cache's claims, then looks at the stack once more. One who puts a
/// buffer on the stack looks at the claims afterwards. All four are volatile, so one of the two sees the other.
/// Buffers in other threads' caches are asked for by whoever raised `waiting` from 0 (a message to each cache): a cache
/// that has answered is empty or saw `waiting` at 0 later; and while `waiting` is not 0 nobody puts a buffer into a
/// cache.
///
/// ## Nobody starves
/// A released buffer belongs to the waiter with the lowest ticket of all threads' first waiters. Its releaser claims it
/// for that thread and sends it there: the buffer is the message. So each claim has one buffer on its way.
final class BufferPool {
    private static final VarHandle WAITING;
    private static final VarHandle TICKETS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAITING = lookup.findVarHandle(BufferPool.class, "waiting", int.class).withInvokeExactBehavior();
            TICKETS = lookup.findVarHandle(BufferPool.class, "tickets", long.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long capacity;
    private final MemoryRegion region;
    private final BufferStack stack;
    /// Replaced, never changed.
    private volatile BufferCache[] caches = {};
    /// At least the sum of all caches' claims; 0 in good times, when releases need look at nothing else.
    private volatile int waiting;
    private volatile long tickets;

    /// Makes `count` buffers of `capacity` bytes, each aligned to 4096, in a region of their own.
    BufferPool(Memory memory, String owner, int count, long capacity) {
        long stride = NativePages.roundUp(capacity, NativePages.PAGE_BYTES);
        this.capacity = capacity;
        this.region = memory.allocate(owner, Math.multiplyExact(count, stride));
        Buffer[] buffers = new Buffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = new Buffer(this, i, region, i * stride, capacity);
        }
        this.stack = new BufferStack(buffers);
    }

    long capacity() {
        return capacity;
    }

    MemoryRegion region() {
        return region;
    }

    BufferStack stack() {
        return stack;
    }

    synchronized void add(BufferCache cache) {
        BufferCache[] next = Arrays.copyOf(caches, caches.length + 1);
        next[caches.length] = cache;
        caches = next;
    }

    /// Takes a cache out that its owner closed or, exiting by force, left behind; once.
    void abandon(BufferCache cache) {
        synchronized (this) {
            BufferCache[] rest = Arrays.stream(caches).filter(c -> c != cache).toArray(BufferCache[]::new);
            if (rest.length == caches.length) {
                return;
            }
            caches = rest;
            cache.empty();
        }
        while (hasClaims()) {
            Buffer buffer = stack.pop();
            if (buffer == null) {
                return;
            }
            handOut(buffer, null);
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    /// Whether any thread waits: then a free buffer is handed out, never kept.
    boolean hasWaiters() {
        return waiting != 0;
    }

    long nextTicket() {
        return (long) TICKETS.getAndAdd(this, 1L);
    }

    /// Announces one waiter more; returns whether it is the only one, who must ask the caches.
    boolean beginWaiting() {
        return (int) WAITING.getAndAdd(this, 1) == 0;
    }

    /// One claim has been taken.
    void endWaiting() {
        int unused = (int) WAITING.getAndAdd(this, -1);
    }

    /// Asks all caches but that of the waiter for what they keep.
    void reclaimFor(BufferCache waiter) {
        for (BufferCache cache : caches) {
            if (cache != waiter) {
                cache.askBack();
            }
        }
    }

    /// Gives `buffer`, which is nobody's, to the oldest waiter of any thread, else to the stack.
    ///
    /// @param here the current thread's cache, whose waiter gets it without a message, or null
    void handOut(Buffer buffer, BufferCache here) {
        Buffer free = buffer;
        while (free != null) {
            BufferCache receiver = claimOldest();
            if (receiver == null) {
                stack.push(free);
                free = hasClaims() ? stack.pop() : null; // a waiter may have come just before the push
            } else if (receiver == here) {
                here.serve(free);
                return;
            } else if (free.sendTo(receiver)) {
                return;
            } else {
                abandon(receiver);
            }
        }
    }

    /// A thread exited with a waiter left, whose buffer therefore goes to the next.
    void onReceiverExited(BufferCache receiver, Buffer buffer) {
        abandon(receiver);
        handOut(buffer, null);
    }

    private BufferCache claimOldest() {
        for (;;) {
            BufferCache oldest = null;
            long lowest = 0;
            for (BufferCache cache : caches) {
                if (cache.claims() > 0) {
                    long ticket = cache.firstTicket();
                    if (oldest == null || ticket < lowest) {
                        oldest = cache;
                        lowest = ticket;
                    }
                }
            }
            if (oldest == null || oldest.tryClaim()) {
                return oldest;
            }
        }
    }

    /// Whether a waiter has no buffer on its way yet.
    boolean hasClaims() {
        for (BufferCache cache : caches) {
            if (cache.claims() > 0) {
                return true;
            }
        }
        return false;
    }
}
