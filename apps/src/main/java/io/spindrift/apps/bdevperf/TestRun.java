package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One run of a [Plan]: makes its threads and jobs, lets them go together, waits for the last.
///
/// ```java
/// try (TestRun run = TestRun.open(plan, bdevs, memory, complaints)) {
///     run.start();
///     while (!run.await(1, TimeUnit.SECONDS)) { show(run.statistics()); }
///     List<JobResult> results = run.results();
/// }
/// ```
/// On a control thread; [#stop()] from any but a reactor's.
final class TestRun implements AutoCloseable {
    private final Plan plan;
    private final BdevRegistry bdevs;
    private final Reactors reactors;
    private final Memory memory;
    private final Consumer<String> complaints;
    private final List<IoThread> threads = new ArrayList<>();
    private final List<BdevDescriptor> descriptors = new ArrayList<>();
    private final List<PerfJob> jobs = new ArrayList<>();
    private final List<PerfJob> opened = new ArrayList<>();
    private CountDownLatch running = new CountDownLatch(0);
    private boolean started;
    private boolean terminated;

    private TestRun(Plan plan, BdevRegistry bdevs, Memory memory, Consumer<String> complaints) {
        this.plan = plan;
        this.bdevs = bdevs;
        this.reactors = bdevs.reactors();
        this.memory = memory;
        this.complaints = complaints;
    }

    /// Opens the bdevs and makes the jobs. `complaints` is told, on a control thread, what fails during the run.
    ///
    /// @throws PerfException if a bdev cannot be opened; then nothing is left
    static TestRun open(Plan plan, BdevRegistry bdevs, Memory memory, Consumer<String> complaints)
            throws PerfException {
        TestRun run = new TestRun(plan, bdevs, memory, complaints);
        boolean complete = false;
        try {
            for (Plan.PlannedThread planned : plan.threads()) {
                run.open(planned);
            }
            if (run.jobs.isEmpty()) {
                throw new PerfException("there is no bdev to run on any more");
            }
            complete = true;
        } finally {
            if (!complete) {
                run.close();
            }
        }
        return run;
    }

    private void open(Plan.PlannedThread planned) throws PerfException {
        IoThread thread = reactors.createThread(planned.name(), planned.cores());
        threads.add(thread);
        for (JobSpec spec : planned.jobs()) {
            try {
                JobEvents events = new JobEvents();
                BdevDescriptor descriptor = bdevs.open(spec.name(), spec.workload().changes(), thread, events);
                descriptors.add(descriptor);
                long seed = plan.settings().seed() + jobs.size() * 0x9e3779b97f4a7c15L;
                PerfJob job = new PerfJob(spec, plan.settings(), seed, descriptor, thread, memory, events);
                jobs.add(job);
                events.job = job;
                thread.run(job::onOpen);
                opened.add(job);
            } catch (ErrnoException e) {
                if (plan.named() || e.errno() != Errno.ENODEV) {
                    throw new PerfException("job " + spec.name() + ": " + e.getMessage(), e);
                }
                complaints.accept("job " + spec.name() + " is left out: " + e.getMessage());
            } catch (RuntimeException e) {
                throw new PerfException("job " + spec.name() + ": " + e.getMessage(), e);
            }
        }
    }

    /// Forwards what happens to one job, on its thread.
    private final class JobEvents implements BdevEvents, PerfJob.Listener {
        private volatile PerfJob job;

        @Override
        public void removed(BdevDescriptor descriptor) {
            PerfJob affected = job;
            if (affected != null) {
                affected.onRemoved();
            }
        }

        @Override
        public void failed(PerfJob failing, String sentence, boolean fatal) {
            reactors.control().fromReactor(() -> complaints.accept(sentence));
            if (fatal) {
                stopJobs();
            }
        }

        @Override
        public void ended(PerfJob ending) {
            reactors.control().fromReactor(running::countDown);
        }
    }

    /// Lets all jobs begin.
    synchronized void start() {
        running = new CountDownLatch(jobs.size());
        started = true;
        jobs.forEach(job -> job.thread.send(job::onStart));
        if (terminated) {
            stopJobs();
        }
    }

    /// Ends the run before its time: I/O under way is waited for, none is added.
    synchronized void stop() {
        terminated = true;
        if (started) {
            stopJobs();
        }
    }

    private void stopJobs() {
        jobs.forEach(job -> job.thread.send(job::onStop));
    }

    /// Waits for the last job to end, but not longer than this; returns whether it has.
    boolean await(long time, TimeUnit unit) throws InterruptedException {
        return running.await(time, unit);
    }

    /// What each job has done so far.
    List<JobStatistics> statistics() {
        return jobs.stream().map(job -> job.thread.call(job::statistics)).toList();
    }

    /// The jobs, in the order of [#statistics()].
    List<JobSpec> specs() {
        return jobs.stream().map(PerfJob::spec).toList();
    }

    /// How each job ended. After [#await] has said that they have.
    synchronized List<JobResult> results() {
        return jobs.stream().map(job -> new JobResult(job.spec(), job.statistics(), status(job),
                job.counters.histogram())).toList();
    }

    private JobResult.Status status(PerfJob job) {
        if (terminated) {
            return JobResult.Status.TERMINATED;
        }
        return job.broken() ? JobResult.Status.FAILED : JobResult.Status.FINISHED;
    }

    /// Ends what still runs, closes the bdevs and gives everything back.
    @Override
    public void close() {
        try {
            if (started) {
                stop();
                running.await();
            } else {
                opened.forEach(job -> job.thread.run(job::onCancel));
            }
            for (BdevDescriptor descriptor : descriptors) {
                descriptor.closeAndWait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return; // I/O may still use the memory, which the application's end will free
        }
        jobs.forEach(job -> job.free(memory));
        threads.forEach(thread -> thread.send(() -> thread.exit()));
    }
}
