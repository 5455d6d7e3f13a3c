package io.spindrift.nvme.pcie;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Calls that are waited for to their end, though the thread that asks is interrupted: what one opens would be lost else, and
/// what one closes stay open. It is interrupted still when the call returns.
///
/// @param calls where they run
record UninterruptedCalls(Blocking calls) implements Blocking {
    @Override
    public <T> T call(Callable<T> task) throws Exception {
        FutureTask<T> running = new FutureTask<>(task);
        boolean interrupted = Thread.interrupted();
        try {
            try {
                calls.call(() -> {
                    running.run();
                    return null;
                });
            } catch (InterruptedException e) {
                interrupted = true; // the task goes on
            }
            while (true) {
                try {
                    return running.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
