package io.spindrift.apps.nvme.perf;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The loads of a run, on threads of their cores. Control path.
final class PerfRun implements AutoCloseable {
    private final Reactors reactors;
    private final Memory memory;
    private final PrintStream err;
    private final Map<Integer, IoThread> threads = new LinkedHashMap<>();
    private final List<NamespaceLoad> loads = new ArrayList<>();
    private CountDownLatch running = new CountDownLatch(0);
    private boolean started;
    private boolean stopped;

    /// A run without loads, which tells `err` of failed I/O.
    PerfRun(Reactors reactors, Memory memory, PrintStream err) {
        this.reactors = reactors;
        this.memory = memory;
        this.err = err;
    }

    /// Adds a load of `namespace` by `core`.
    NamespaceLoad add(PerfNamespace namespace, int core, PerfOptions options) {
        IoThread thread = threads.computeIfAbsent(core,
                number -> reactors.createThread("nvme_perf_" + number, CpuMask.of(number)));
        NamespaceLoad load = new NamespaceLoad(namespace, core, thread, options, loads.size(),
                new Events(new ErrorLines(reactors.control(), err, options.errorInterval)));
        loads.add(load);
        return load;
    }

    /// Connects all loads.
    ///
    /// @throws Exception the first failure; what is connected by then, [#close] takes down
    void connect() throws Exception {
        for (NamespaceLoad load : loads) {
            load.connect(memory);
        }
    }

    /// Forwards what happens to one load, on its thread.
    private final class Events implements NamespaceLoad.Listener {
        private final ErrorLines errors;

        Events(ErrorLines errors) {
            this.errors = errors;
        }

        @Override
        public void ioFailed(NamespaceLoad load, boolean read, int status) {
            errors.add(read, status);
        }

        @Override
        public void disconnected(NamespaceLoad load, String reason) {
            reactors.control().fromReactor(() -> err.println(load.namespace().name() + ": " + reason));
        }

        @Override
        public void ended(NamespaceLoad load) {
            reactors.control().fromReactor(running::countDown);
        }
    }

    /// Lets all loads begin.
    synchronized void start() {
        running = new CountDownLatch(loads.size());
        started = true;
        loads.forEach(load -> load.thread.send(load::onStart));
        if (stopped) {
            stopLoads();
        }
    }

    /// Ends the run before its time: I/O on its way is waited for, none is added.
    synchronized void stop() {
        stopped = true;
        if (started) {
            stopLoads();
        }
    }

    private void stopLoads() {
        loads.forEach(load -> load.thread.send(load::onStop));
    }

    /// Waits for the last load to end, but not longer than this; returns whether it has.
    boolean await(long time, TimeUnit unit) throws InterruptedException {
        return running.await(time, unit);
    }

    List<NamespaceLoad> loads() {
        return List.copyOf(loads);
    }

    /// The threads, one a core.
    List<IoThread> threads() {
        return List.copyOf(threads.values());
    }

    /// I/Os that have ended so far.
    long completed() {
        return loads.stream().mapToLong(load -> load.thread.call(load::statistics).ended()).sum();
    }

    /// How each load ended. After [#await] has said that they have.
    List<LoadResult> results() {
        return loads.stream().map(load -> new LoadResult(load.namespace().name(), load.core(),
                load.thread.call(load::statistics), load.counters.histogram(), load.broken())).toList();
    }

    /// Ends what still runs, and gives queue pairs, memory and threads back.
    @Override
    public void close() {
        stop();
        try {
            running.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return; // I/O may still use the memory, which the application's end will free
        }
        loads.forEach(load -> load.free(memory));
        threads.values().forEach(thread -> thread.send(() -> thread.exit()));
    }
}
