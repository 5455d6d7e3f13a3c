package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Makes runs, one at a time, and reports on them. Control path.
final class Runner {
    private final Application application;
    private final BdevSubsystem bdev;
    private final PrintStream out;
    /// Held from a run's opening to its end, not always by one thread.
    private final Semaphore oneRun = new Semaphore(1);
    private TestRun current;
    private boolean stopped;

    /// Runs on the bdevs of `application`, reported to `out`.
    Runner(Application application, BdevSubsystem bdev, PrintStream out) {
        this.application = application;
        this.bdev = bdev;
        this.out = out;
    }

    /// Runs `load`, and what else `options` say, to the end, or until [#stop()], and prints the report.
    ///
    /// @throws PerfException if it cannot be run, or another one runs
    List<JobResult> run(BdevperfOptions options, Load load) throws PerfException, InterruptedException {
        return open(options, load).finish();
    }

    /// Claims and plans a run and opens its bdevs; the caller sees to it that [OpenRun#finish()] follows.
    ///
    /// @throws PerfException if it cannot be run, or another one runs; then nothing is claimed
    OpenRun open(BdevperfOptions options, Load load) throws PerfException {
        if (!oneRun.tryAcquire()) {
            throw PerfException.state("another test is in progress; one runs at a time");
        }
        boolean complete = false;
        try {
            requireNotStopped();
            OpenRun opened = openAlone(options, load);
            complete = true;
            return opened;
        } finally {
            if (!complete) {
                oneRun.release();
            }
        }
    }

    private OpenRun openAlone(BdevperfOptions options, Load load) throws PerfException {
        Plan plan = Planner.plan(bdev.registry(), application.options().cpuMask(), options, load, System.nanoTime());
        plan.notices().forEach(notice -> application.log().notice("%s", notice));
        return new OpenRun(plan, options, TestRun.open(plan, bdev.registry(), application.memory(),
                sentence -> application.log().error("%s", sentence)));
    }

    /// The one run there is, which holds its bdevs open.
    final class OpenRun {
        private final Plan plan;
        private final BdevperfOptions options;
        private final TestRun run;

        private OpenRun(Plan plan, BdevperfOptions options, TestRun run) {
            this.plan = plan;
            this.options = options;
            this.run = run;
        }

        /// Runs it to the end, or until [#stop()], prints the report, and gives everything back. Once; any control
        /// thread.
        ///
        /// @throws PerfException if the program stopped before it began
        List<JobResult> finish() throws PerfException, InterruptedException {
            try (run) {
                begin(run);
                print(Report.began(plan.settings().seconds()));
                follow(run, options);
                List<JobResult> results = run.results();
                print(Report.table(results) + Report.latencies(results, plan.settings().latencyLevel()));
                return results;
            } finally {
                end();
                oneRun.release();
            }
        }
    }

    private synchronized void requireNotStopped() throws PerfException {
        if (stopped) {
            throw PerfException.state("the program is stopping");
        }
    }

    private synchronized void begin(TestRun run) throws PerfException {
        requireNotStopped();
        current = run;
        run.start();
    }

    private synchronized void end() {
        current = null;
    }

    /// Waits for the end; shows how it goes, if that is wanted or someone looks at a terminal.
    private void follow(TestRun run, BdevperfOptions options) throws InterruptedException {
        boolean rows = options.reportSeconds().isPresent();
        boolean terminal = System.console() != null && System.console().isTerminal();
        RunningReport report = new RunningReport(run.specs(), options.averagePeriods());
        if (rows) {
            print(Report.header());
        }
        while (!run.await(options.reportSeconds().orElse(1), TimeUnit.SECONDS)) {
            if (rows) {
                print(report.rows(run.statistics()));
            } else if (terminal) {
                print(report.line(run.statistics()));
            }
        }
    }

    /// Whether [#stop()] was called.
    synchronized boolean stopped() {
        return stopped;
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }

    /// Ends the present run before its time, and lets no other begin; returns when its report is out.
    void stop() throws InterruptedException {
        synchronized (this) {
            stopped = true;
            if (current != null) {
                current.stop();
            }
        }
        oneRun.acquire();
        oneRun.release();
    }
}
