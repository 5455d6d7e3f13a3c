package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Makes runs, one at a time, and reports on them. Control path.
final class Runner {
    private final Application application;
    private final BdevSubsystem bdev;
    private final PrintStream out;
    private final ReentrantLock oneRun = new ReentrantLock();
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
        if (!oneRun.tryLock()) {
            throw PerfException.state("another test is in progress; one runs at a time");
        }
        try {
            return runAlone(options, load);
        } finally {
            oneRun.unlock();
        }
    }

    private List<JobResult> runAlone(BdevperfOptions options, Load load) throws PerfException, InterruptedException {
        Plan plan = Planner.plan(bdev.registry(), application.options().cpuMask(), options, load, System.nanoTime());
        plan.notices().forEach(notice -> application.log().notice("%s", notice));
        try (TestRun run = TestRun.open(plan, bdev.registry(), application.memory(),
                sentence -> application.log().error("%s", sentence))) {
            begin(run);
            print(Report.began(plan.settings().seconds()));
            follow(run, options);
            List<JobResult> results = run.results();
            print(Report.table(results) + Report.latencies(results, plan.settings().latencyLevel()));
            return results;
        } finally {
            end();
        }
    }

    private synchronized void begin(TestRun run) throws PerfException {
        if (stopped) {
            throw PerfException.state("the program is stopping");
        }
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
        oneRun.lockInterruptibly();
        oneRun.unlock();
    }
}
