package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.thread.Reactors;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Logs, once a second while it is on, how often each reactor's core was taken from it: what a core shared with
/// something else costs. Control path.
final class ContextSwitchMonitor implements AutoCloseable {
    private final Reactors reactors;
    private final KernelStatistics kernel;
    private final Log log;
    private Optional<Future<Void>> watching = Optional.empty();

    ContextSwitchMonitor(Reactors reactors, KernelStatistics kernel, Log log) {
        this.reactors = reactors;
        this.kernel = kernel;
        this.log = log;
    }

    synchronized boolean enabled() {
        return watching.isPresent();
    }

    synchronized void enable(boolean wanted) {
        if (wanted == watching.isPresent()) {
            return;
        }
        watching.ifPresent(task -> task.cancel(true));
        watching = wanted ? Optional.of(reactors.control().submit(() -> {
            watch();
            return null;
        })) : Optional.empty();
    }

    /// Ends when it is interrupted, or when the kernel does not tell.
    private void watch() throws InterruptedException {
        Map<Integer, KernelStatistics.Switches> before = new HashMap<>();
        try {
            while (true) {
                for (Reactor reactor : reactors.reactors()) {
                    report(reactor, before);
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (IOException e) {
            log.error("context switches are not watched any more: %s", e);
        }
    }

    /// Logs what happened to `reactor` since `before`, which it brings up to date.
    void report(Reactor reactor, Map<Integer, KernelStatistics.Switches> before) throws IOException {
        KernelStatistics.Switches now = kernel.switches(reactor.osThreadId());
        KernelStatistics.Switches last = before.put(reactor.core(), now);
        if (last != null && now.since(last).involuntary() > 0) {
            log.notice("core %d: %d voluntary and %d involuntary context switches in the last second", reactor.core(),
                    now.since(last).voluntary(), now.since(last).involuntary());
        }
    }

    @Override
    public void close() {
        enable(false);
    }
}
