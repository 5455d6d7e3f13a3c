package io.spindrift.framework.memory;

import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Message;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// One thread's buffers of one pool that are free, and its waiters; see [BufferPool] for how threads share.
///
/// Everything runs on the owner but [#askBack], [#claims], [#firstTicket] and [#tryClaim], and [#empty] when the owner
/// has exited.
///
/// Claims are the waiters that no buffer is on its way to. A waiter that is cancelled takes its claim along; if all
/// are taken, one buffer on its way finds nobody and goes on to the next thread.
final class BufferCache {
    private static final int MAX_BATCH = 32;
    private static final VarHandle CLAIMS;
    private static final VarHandle ASKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIMS = lookup.findVarHandle(BufferCache.class, "claims", int.class).withInvokeExactBehavior();
            ASKED = lookup.findVarHandle(BufferCache.class, "asked", boolean.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BufferPool pool;
    private final IoThread thread;
    private final Buffer[] free;
    private final int batch;
    private int freeCount;
    private boolean closed;

    private BufferWaiter firstWaiter;
    private BufferWaiter lastWaiter;
    private int waiterCount;
    private volatile int claims;
    /// Of the first waiter, as others see it; stale at worst while a buffer is on its way here.
    private volatile long firstTicket;

    /// Buffers released while a waiter's callback runs, which are handed out when it returns: no recursion.
    private Buffer firstReleased;
    private Buffer lastReleased;
    private boolean serving;

    private volatile boolean asked;
    private final Message giveBack = new Message() {
        @Override
        protected void run() {
            giveBack();
        }

        @Override
        protected void rejected() {
            pool.abandon(BufferCache.this);
        }
    };

    private long cacheHits;
    private long mainHits;
    private long retries;

    BufferCache(BufferPool pool, IoThread thread, int size) {
        this.pool = pool;
        this.thread = thread;
        this.free = new Buffer[size];
        this.batch = Math.clamp(size / 2, 1, MAX_BATCH);
        pool.add(this);
    }

    BufferPool pool() {
        return pool;
    }

    IoThread thread() {
        return thread;
    }

    // ---- taking and giving ------------------------------------------------------------------------------------

    /// A free buffer, or null if there is none or others here wait already.
    Buffer tryGet() {
        if (firstWaiter != null) {
            return null;
        }
        if (freeCount > 0) {
            cacheHits++;
            return free[--freeCount].lend();
        }
        return takeShared();
    }

    /// A free buffer, or null and `waiter` is queued.
    Buffer get(BufferWaiter waiter) {
        Buffer buffer = tryGet();
        return buffer != null ? buffer : await(waiter);
    }

    private Buffer takeShared() {
        Buffer buffer;
        if (free.length == 0) {
            buffer = pool.stack().pop();
        } else {
            freeCount = pool.stack().pop(free, batch);
            buffer = freeCount == 0 ? null : free[--freeCount];
            // Who waits may have been looking for what this has just put in the cache.
            if (freeCount > 0 && pool.hasWaiters()) {
                askBack();
            }
        }
        if (buffer == null) {
            return null;
        }
        mainHits++;
        return buffer.lend();
    }

    void release(Buffer buffer) {
        buffer.takeBack();
        if (pool.hasWaiters()) {
            handOut(buffer);
        } else {
            keep(buffer);
        }
    }

    private void keep(Buffer buffer) {
        if (freeCount < free.length) {
            free[freeCount++] = buffer;
        } else if (freeCount == 0) {
            pool.stack().push(buffer);
            handOutShared();
        } else {
            freeCount -= batch;
            pool.stack().push(free, freeCount, batch);
            free[freeCount++] = buffer;
            handOutShared();
        }
    }

    /// After a push: a waiter that came just before it did not find what was pushed.
    private void handOutShared() {
        while (pool.hasClaims()) {
            Buffer buffer = pool.stack().pop();
            if (buffer == null) {
                break;
            }
            handOut(buffer);
        }
    }

    private void handOut(Buffer buffer) {
        buffer.next = null;
        if (firstReleased == null) {
            firstReleased = buffer;
        } else {
            lastReleased.next = buffer;
        }
        lastReleased = buffer;
        if (!serving) {
            handOutReleased();
        }
    }

    private void handOutReleased() {
        while (firstReleased != null) {
            Buffer buffer = firstReleased;
            firstReleased = buffer.next;
            pool.handOut(buffer, this);
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------------

    private Buffer await(BufferWaiter waiter) {
        retries++;
        enqueue(waiter);
        boolean first = pool.beginWaiting();
        int unused = (int) CLAIMS.getAndAdd(this, 1);
        Buffer buffer = freeCount > 0 ? free[--freeCount] : pool.stack().pop();
        Buffer taken = buffer == null ? null : takeLate(buffer, waiter);
        // Even when served: another who waits by now relies on the first to ask.
        if (first && pool.hasWaiters()) {
            pool.reclaimFor(freeCount == 0 ? this : null);
        }
        return taken;
    }

    /// A buffer turned up after `waiter` was queued: it is the waiter's if nobody was before it. No callback runs from
    /// here: what is another's goes by a message.
    private Buffer takeLate(Buffer buffer, BufferWaiter waiter) {
        if (firstWaiter == waiter && tryClaim()) {
            remove(waiter);
            return buffer.lend();
        }
        pool.handOut(buffer, null);
        return null;
    }

    /// Takes `waiter` out of the queue; false if it does not wait here.
    boolean cancel(BufferWaiter waiter) {
        if (waiter.queue != this) {
            return false;
        }
        remove(waiter);
        trimClaims();
        return true;
    }

    /// A claim on this cache was taken, for `buffer`: the first waiter gets it.
    void serve(Buffer buffer) {
        BufferWaiter waiter = firstWaiter;
        if (waiter == null) {
            pool.handOut(buffer, null);
            return;
        }
        remove(waiter);
        trimClaims();
        serving = true;
        try {
            waiter.onBuffer(buffer.lend());
        } catch (Throwable t) {
            thread.reactors().contain("buffer waiter " + waiter.getClass().getName(), t);
        } finally {
            serving = false;
        }
    }

    /// A buffer that another thread sent, having taken a claim.
    void onArrival(Buffer buffer) {
        if (closed) {
            pool.handOut(buffer, null);
        } else if (firstWaiter != null) {
            serve(buffer);
            handOutReleased();
        } else {
            handOut(buffer);
        }
    }

    private void enqueue(BufferWaiter waiter) {
        if (waiter.queue != null) {
            throw new IllegalStateException("waiter=" + waiter + " waits already");
        }
        waiter.queue = this;
        waiter.ticket = pool.nextTicket();
        waiter.previous = lastWaiter;
        waiter.next = null;
        if (lastWaiter == null) {
            firstWaiter = waiter;
            firstTicket = waiter.ticket;
        } else {
            lastWaiter.next = waiter;
        }
        lastWaiter = waiter;
        waiterCount++;
    }

    private void remove(BufferWaiter waiter) {
        BufferWaiter previous = waiter.previous;
        BufferWaiter next = waiter.next;
        if (next == null) {
            lastWaiter = previous;
        } else {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else {
            firstWaiter = next;
            if (next != null) {
                firstTicket = next.ticket;
            }
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.queue = null;
        waiterCount--;
    }

    // ---- what other threads see -------------------------------------------------------------------------------

    int claims() {
        return claims;
    }

    long firstTicket() {
        return firstTicket;
    }

    /// Takes a claim; its taker owes this cache a buffer.
    boolean tryClaim() {
        for (int seen = claims; seen > 0; seen = claims) {
            if (CLAIMS.compareAndSet(this, seen, seen - 1)) {
                pool.endWaiting();
                return true;
            }
        }
        return false;
    }

    /// No more claims than waiters: one was cancelled, or served out of turn.
    private void trimClaims() {
        while (claims > waiterCount && tryClaim()) {
            // each turn takes one
        }
    }

    /// Nobody waits here any more, and what is free goes to the stack. On the owner, or for it when it has exited.
    void empty() {
        while (tryClaim()) {
            // each turn takes one
        }
        if (freeCount > 0) {
            pool.stack().push(free, 0, freeCount);
            freeCount = 0;
        }
    }

    /// Has the owner hand out what it keeps, soon.
    void askBack() {
        if (ASKED.compareAndSet(this, false, true) && !thread.send(giveBack)) {
            pool.abandon(this);
        }
    }

    private void giveBack() {
        asked = false; // before the look at the waiters: who finds it set relies on that look
        while (freeCount > 0 && pool.hasWaiters()) {
            handOut(free[--freeCount]);
        }
    }

    // ---- ends and figures -------------------------------------------------------------------------------------

    /// Gives everything back.
    void close() {
        if (firstWaiter != null) {
            throw new IllegalStateException(waiterCount + " waiters are queued on a buffer channel that is closed");
        }
        closed = true;
        pool.abandon(this);
    }

    BufferStats.Pool stats() {
        return new BufferStats.Pool(cacheHits, mainHits, retries, free.length);
    }
}
