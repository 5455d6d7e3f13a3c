package io.spindrift.framework.rpc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/// The calls of one connection that wait for an event, each on a virtual thread of its own.
final class WaitingCalls {
    /// How many wait at a time; who would begin another is held back.
    static final int MOST = 1024;

    private final Executor threads;
    private final Semaphore free = new Semaphore(MOST);

    /// None yet; `threads` starts a virtual thread for each task.
    WaitingCalls(Executor threads) {
        this.threads = threads;
    }

    /// Runs `rest` beside the caller. Throws [RpcException] if the application stops meanwhile.
    <T> CompletableFuture<T> run(Supplier<T> rest) {
        try {
            free.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller's to see
            throw stopping();
        }
        try {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return rest.get();
                } finally {
                    free.release();
                }
            }, threads);
        } catch (RejectedExecutionException closed) {
            free.release();
            throw stopping();
        }
    }

    private static RpcException stopping() {
        return RpcException.internal("the application is stopping");
    }
}
