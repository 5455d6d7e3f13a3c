package io.spindrift.framework.app;

import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.trace.ProbeOwner;
import io.spindrift.framework.trace.ReactorProbes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// A reactor as tracing sees it.
record TracedReactor(Reactor reactor) implements ProbeOwner {
    private static final long LOOK_NANOS = 50_000;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    @Override
    public int core() {
        return reactor.core();
    }

    @Override
    public ReactorProbes probes() {
        return reactor.probes();
    }

    /// Looks now and then whether the reactor has run it: waking the caller would cost the reactor a system call.
    @Override
    public void run(Runnable task) {
        AtomicBoolean done = new AtomicBoolean();
        reactor.send(() -> {
            try {
                task.run();
            } finally {
                done.set(true);
            }
        });
        long start = System.nanoTime();
        while (!done.get()) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new IllegalStateException("the reactor on core " + core() + " does not answer, or has stopped");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
