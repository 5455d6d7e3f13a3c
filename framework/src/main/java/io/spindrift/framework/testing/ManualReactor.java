package io.spindrift.framework.testing;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/// Reactors that a test drives step by step, under a clock of its own, so that races are scripted.
///
/// Everything runs on the test's thread: `run` executes code on an IoThread, `step` gives every thread of a core one
/// turn. `thread.call(...)` would wait for a turn that nobody gives: use [#run(IoThread, IoThread.Call)].
public final class ManualReactor implements AutoCloseable {
    private static final int LIMIT = 100_000;
    /// What the kernel does in its own time, a retransmission say, takes many rounds.
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ManualClock clock = new ManualClock();
    private final List<String> reports = new ArrayList<>();
    private final Reactors reactors;

    /// Reactors on cores 0 to `cores` - 1.
    public ManualReactor(int cores) {
        int[] numbers = new int[cores];
        for (int i = 0; i < cores; i++) {
            numbers[i] = i;
        }
        reactors = Reactors.manual(new ReactorOptions("manual", CpuMask.of(numbers), 0, true, 0, new ReactorEvents() {
            @Override
            public void exception(String where, Throwable cause) {
                reports.add(where + ": " + cause);
            }

            @Override
            public void report(String sentence) {
                reports.add(sentence);
            }
        }), clock);
        stepAll();
    }

    public Reactors reactors() {
        return reactors;
    }

    public ManualClock clock() {
        return clock;
    }

    /// The contained exceptions and other reports so far.
    public List<String> reports() {
        return reports;
    }

    /// Makes a thread on `core` and lets the reactor take it over.
    public IoThread thread(String name, int core) {
        IoThread thread = reactors.createThread(name, CpuMask.of(core));
        step(core);
        return thread;
    }

    /// One turn of every thread of `core`; returns the work done.
    public int step(int core) {
        return reactors.reactor(core).drive();
    }

    /// One turn of every thread of every core; returns the work done.
    public int stepAll() {
        int work = 0;
        for (Reactor reactor : reactors.reactors()) {
            work += reactor.drive();
        }
        return work;
    }

    /// Steps all cores until there is no work: in two rounds, since the first may be one that only learns the new time.
    public void settle() {
        stepUntil(() -> stepAll() == 0 && stepAll() == 0);
    }

    /// Steps all cores until `condition` holds; fails after very many rounds that took long.
    public void stepUntil(BooleanSupplier condition) {
        long start = System.nanoTime();
        for (long i = 0; i < LIMIT || System.nanoTime() - start < LIMIT_NANOS; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            stepAll();
        }
        throw new AssertionError("the condition did not hold after " + LIMIT + " rounds and "
                + TimeUnit.NANOSECONDS.toSeconds(LIMIT_NANOS) + " s; reports: " + reports);
    }

    /// Runs `call` on `thread`, in a turn of its reactor, and returns its result.
    public <T, X extends Exception> T run(IoThread thread, IoThread.Call<T, X> call) throws X {
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        boolean[] done = new boolean[1];
        thread.send(() -> {
            try {
                result.set(call.run());
            } catch (Throwable t) {
                failure.set(t);
            }
            done[0] = true;
        });
        stepUntil(() -> done[0]);
        if (failure.get() != null) {
            throw ManualReactor.<RuntimeException>sneak(failure.get());
        }
        return result.get();
    }

    /// Runs `task` on `thread`, in a turn of its reactor.
    public void run(IoThread thread, Runnable task) {
        run(thread, () -> {
            task.run();
            return null;
        });
    }

    /// Throws what the call threw, whatever it is, without wrapping it.
    @SuppressWarnings("unchecked") // T is erased: nothing is cast
    private static <T extends Throwable> T sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Override
    public void close() {
        reactors.stop(0);
    }
}
