package io.spindrift.framework.rpc;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The calls of one connection that wait for an event, each on a virtual thread of its own.
final class WaitingCalls {
    /// How many wait at a time; who would begin another is held back.
    static final int MOST = 1024;

    private final Executor threads;
    private final long lookNanos;
    private final Runnable look;
    private final Semaphore free = new Semaphore(MOST);
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    /// None yet; `threads` starts a virtual thread for each task. Who is held back runs `look` every `lookNanos`.
    WaitingCalls(Executor threads, long lookNanos, Runnable look) {
        this.threads = threads;
        this.lookNanos = lookNanos;
        this.look = look;
    }

    /// Runs `rest` beside the caller. Throws [RpcException] if the application stops meanwhile or [#cancel()] is called.
    <T> CompletableFuture<T> run(Supplier<T> rest) {
        awaitFree();
        try {
            return CompletableFuture.supplyAsync(() -> {
                running.add(Thread.currentThread());
                try {
                    if (cancelled) { // after the thread was added: cancel() sees the thread, or this sees cancel()
                        Thread.currentThread().interrupt();
                    }
                    return rest.get();
                } finally {
                    running.remove(Thread.currentThread());
                    free.release();
                }
            }, threads);
        } catch (RejectedExecutionException closed) {
            free.release();
            throw stopping();
        }
    }

    private void awaitFree() {
        try {
            while (!free.tryAcquire(lookNanos, TimeUnit.NANOSECONDS)) {
                look.run();
                if (cancelled) {
                    throw stopping();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller's to see
            throw stopping();
        }
    }

    /// Interrupts those that wait, and all that are begun from now on: nobody is there for their answers. Any thread.
    void cancel() {
        cancelled = true;
        running.forEach(Thread::interrupt);
    }

    /// Whether [#cancel()] was called.
    boolean cancelled() {
        return cancelled;
    }

    private static RpcException stopping() {
        return RpcException.internal("the connection is closed, or the application is stopping");
    }
}
