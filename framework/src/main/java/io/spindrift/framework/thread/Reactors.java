package io.spindrift.framework.thread;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// An application's reactors, the threads on them, and the control path's threads beside them.
///
/// Methods may be called from any thread unless they say otherwise.
public final class Reactors implements AutoCloseable {
    private final String name;
    private final ReactorEvents events;
    private final Control control;
    private final List<Reactor> reactors;
    private final List<ReactorThread> osThreads = new ArrayList<>();
    private final CopyOnWriteArrayList<IoThread> threads = new CopyOnWriteArrayList<>();
    private final AtomicLong nextId = new AtomicLong(1);
    private final AtomicLong nextChannelId = new AtomicLong(1);
    private final AtomicLong exceptions = new AtomicLong();
    private final BitSet slots = new BitSet();
    private final CpuMask mask;
    private IoThread appThread;

    private Reactors(ReactorOptions options, Clock clock) {
        this.name = options.name();
        this.events = options.events();
        this.mask = options.mask();
        this.control = new Control(name);
        List<Reactor> list = new ArrayList<>();
        for (int core : options.mask().cores()) {
            list.add(new Reactor(this, core, clock, options.pollOnly(), options.graceNanos()));
        }
        this.reactors = List.copyOf(list);
        this.appThread = createThread("app_thread", CpuMask.of(options.mainCore()));
    }

    /// Starts a pinned OS thread for each core, and the application's first thread, `app_thread`, on the main core.
    public static Reactors start(ReactorOptions options) {
        Reactors started = new Reactors(options, Clock.SYSTEM);
        for (Reactor reactor : started.reactors) {
            ReactorThread thread = new ReactorThread(started, reactor);
            started.osThreads.add(thread);
            thread.start();
        }
        return started;
    }

    /// Reactors that no OS thread runs: [io.spindrift.framework.testing.ManualReactor] drives them.
    public static Reactors manual(ReactorOptions options, Clock clock) {
        return new Reactors(options, clock);
    }

    String name() {
        return name;
    }

    public Control control() {
        return control;
    }

    /// One a core, ascending.
    public List<Reactor> reactors() {
        return reactors;
    }

    /// All cores that have a reactor.
    public CpuMask cpuMask() {
        return mask;
    }

    /// The reactor of `core`; [IllegalArgumentException] if it has none.
    public Reactor reactor(int core) {
        for (Reactor reactor : reactors) {
            if (reactor.core() == core) {
                return reactor;
            }
        }
        throw new IllegalArgumentException("core " + core + " has no reactor; those that have: " + mask);
    }

    /// The living threads, oldest first.
    public List<IoThread> threads() {
        return List.copyOf(threads);
    }

    /// The first thread, on the main core; it lives as long as the reactors.
    public IoThread appThread() {
        return appThread;
    }

    /// Makes a thread on the reactor of `cores` that has the fewest; it runs from the reactor's next turn on.
    public IoThread createThread(String threadName, CpuMask cores) {
        Reactor reactor = leastLoaded(cores);
        IoThread thread;
        synchronized (slots) {
            int slot = slots.nextClearBit(0);
            slots.set(slot);
            thread = new IoThread(this, threadName, nextId.getAndIncrement(), slot, cores, reactor);
            threads.add(thread);
        }
        reactor.adopt(thread);
        if (reactor.closed()) { // pairs with stopReactors(): either it sees the thread, or this sees the end
            thread.abandon();
        }
        return thread;
    }

    Reactor leastLoaded(CpuMask cores) {
        Reactor best = null;
        long fewest = Long.MAX_VALUE;
        for (Reactor reactor : reactors) {
            if (cores.contains(reactor.core())) {
                long count = threads.stream().filter(thread -> thread.reactor == reactor).count();
                if (count < fewest) {
                    fewest = count;
                    best = reactor;
                }
            }
        }
        if (best == null) {
            throw new IllegalArgumentException("cpumask " + cores + " has no core with a reactor; those that have: "
                    + mask);
        }
        return best;
    }

    void exited(IoThread thread) {
        threads.remove(thread);
        synchronized (slots) {
            slots.clear(thread.slot());
        }
    }

    long nextChannelId() {
        return nextChannelId.getAndIncrement();
    }

    /// How many exceptions were contained on reactors since the start.
    public long exceptionCount() {
        return exceptions.get();
    }

    /// Counts an exception that was contained and is like one that was reported already: a log line for each would say no
    /// more. Any thread.
    public void countException() {
        exceptions.incrementAndGet();
    }

    void contain(IoThread thread, String what, Throwable cause) {
        exceptions.incrementAndGet();
        events.exception(thread == null ? what : "thread " + thread.name() + ", " + what, cause);
    }

    /// Reports an exception that code on a reactor caught in order to fail only what caused it.
    public void contain(String what, Throwable cause) {
        contain(IoThread.current(), what, cause);
    }

    /// Reports something worth a log line. Any thread; does not block.
    public void report(String sentence) {
        events.report(sentence);
    }

    /// Ends all threads (each has `limitNanos`, then is forced), then the reactors and the control path.
    /// From a control thread of the caller's own, not one of [#control()].
    public void stop(long limitNanos) {
        List<IoThread> ending = threads();
        for (IoThread thread : ending) {
            thread.send(() -> thread.exit(limitNanos));
        }
        long deadline = System.nanoTime() + limitNanos + 1_000_000_000L;
        while (!threads.isEmpty() && System.nanoTime() - deadline < 0 && !osThreads.isEmpty()) {
            java.util.concurrent.locks.LockSupport.parkNanos(100_000);
        }
        stopReactors();
        control.close();
    }

    private void stopReactors() {
        reactors.forEach(Reactor::stop);
        boolean interrupted = false;
        for (ReactorThread thread : osThreads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(1));
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (thread.isAlive()) {
                report(thread.getName() + " does not stop: its code blocks");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        for (int i = 0; i < reactors.size(); i++) {
            if (osThreads.isEmpty() || !osThreads.get(i).isAlive()) {
                reactors.get(i).close();
            }
        }
        for (IoThread thread : threads) {
            if (thread.reactor.closed()) {
                thread.abandon();
            }
        }
    }

    /// [#stop(long)] with the default limit.
    @Override
    public void close() {
        stop(IoThread.DEFAULT_EXIT_LIMIT_NANOS);
    }
}
