package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.nvme.Attachments;
import io.spindrift.apps.nvme.ControllerName;
import io.spindrift.apps.nvme.NvmeProgram;
import io.spindrift.apps.nvme.Target;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.Launcher;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.sock.SockImplOptions;
import io.spindrift.sock.Sockets;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The program `spdk_nvme_perf`. Control path.
///
/// The exit status is 0 if all I/O was as it should be, also after Ctrl-C; 1 if any failed (without `-Q`), a connection
/// broke, or there was nothing to run on; 2 for a wrong command line.
public final class PerfApp extends NvmeProgram {
    private static final String NAME = "spdk_nvme_perf";

    private final PerfOptions options;
    private final PrintStream out;
    private final PrintStream err;
    private final CountDownLatch done = new CountDownLatch(1);
    private final List<NvmeController> controllers = new ArrayList<>();
    private boolean skipped;
    private Optional<PerfRun> current = Optional.empty();
    private boolean stopping;

    PerfApp(PerfOptions options, PrintStream out, PrintStream err) {
        this.options = options;
        this.out = out;
        this.err = err;
    }

    /// Runs it as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        ApplicationOptions.Builder common = ApplicationOptions.builder(NAME).noRpcServer().cpuLocks(false).poll(true)
                .silenceNotices(true);
        PerfOptions options = new PerfOptions();
        CommandLine line = CommandLine.withoutVersion(NAME, "-h/--help/-v/--help-full",
                PerfFlags.of(common, options));
        OptionalInt status = line.parse(args, System.out, System.err);
        if (status.isPresent()) {
            return status.getAsInt();
        }
        try {
            options.check();
        } catch (IllegalArgumentException e) {
            System.err.println(NAME + ": " + e.getMessage());
            return 2;
        }
        options.notices.forEach(notice -> System.err.println(NAME + ": " + notice));
        return Launcher.run(common.build(), new PerfApp(options, System.out, System.err));
    }

    @Override
    protected void configure(Sockets sockets) {
        options.sockImplementation.ifPresent(sockets::defaultImplementation);
        for (PerfOptions.SockChange change : options.sockChanges) {
            SockImplOptions before = sockets.options(change.implementation());
            sockets.options(change.implementation(), before.withZerocopy(before.enableZerocopySendServer(),
                    change.zeroCopy(), before.zerocopyThreshold()));
        }
        options.zeroCopyThresholdSock.ifPresent(name -> {
            SockImplOptions before = sockets.options(name);
            sockets.options(name, before.withZerocopy(before.enableZerocopySendServer(),
                    before.enableZerocopySendClient(), options.zeroCopyThreshold.orElse(0)));
        });
    }

    // ---- the job ----------------------------------------------------------------------------------------------

    @Override
    protected int run(Application application, NvmeDriver driver) throws Exception {
        try (PerfRun run = new PerfRun(application.reactors(), application.memory(), err)) {
            print("Initializing NVMe Controllers");
            driver.transportOptions(options.transport);
            List<PerfNamespace> namespaces = attach(driver);
            if (skipped) {
                print("WARNING: Some requested NVMe devices were skipped");
            }
            if (namespaces.isEmpty()) {
                err.println(NAME + ": " + (controllers.isEmpty() ? "no controller" : "no namespace")
                        + " to run on was found");
                return 1;
            }
            associate(run, namespaces, application.options().cpuMask().cores());
            run.connect();
            if (!begin(run)) {
                return 0;
            }
            print("Initialization complete. Launching workers.");
            run.start();
            follow(run);
            return report(run, driver);
        } finally {
            done.countDown();
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private synchronized boolean begin(PerfRun run) {
        current = Optional.of(run);
        return !stopping;
    }

    private List<PerfNamespace> attach(NvmeDriver driver) throws Exception {
        ControllerOptions wanted = options.controllerOptions();
        if (options.sockImplementation.isPresent()) {
            wanted = wanted.withSockImplementation(options.sockImplementation.get());
        }
        Attachments attachments = new Attachments(driver, wanted, new Failures(), this::skip);
        List<PerfNamespace> namespaces = new ArrayList<>();
        for (Target target : options.targets) {
            for (Attachments.Attachment attachment : attachments.connect(target, options.allowedDevices)) {
                NvmeController controller = attachment.controller();
                controllers.add(controller);
                print("Attached to NVMe" + (controller.transport().fabrics() ? "oF" : "") + " Controller at "
                        + ControllerName.of(controller));
                namespaces.addAll(namespaces(controller, target));
            }
        }
        return namespaces;
    }

    private List<PerfNamespace> namespaces(NvmeController controller, Target target) {
        List<PerfNamespace> usable = new ArrayList<>();
        if (target.nsid().isPresent() && controller.namespace(target.nsid().getAsLong()).isEmpty()) {
            throw new IllegalArgumentException("ns:" + target.nsid().getAsLong() + ": " + controller.name()
                    + " has no such namespace that can be used");
        }
        for (NvmeNamespace namespace : controller.namespaces()) {
            if (target.nsid().isEmpty() || target.nsid().getAsLong() == namespace.nsid()) {
                PerfNamespace.of(controller, namespace, options, this::skip).ifPresent(usable::add);
            }
        }
        return usable;
    }

    private void skip(String sentence) {
        skipped = true;
        print("WARNING: " + sentence);
    }

    /// What fails on the admin side ends the run, which would not notice.
    private final class Failures implements ControllerListener {
        @Override
        public void failed(NvmeController controller, String reason) {
            err.println(reason);
            endRun();
        }
    }

    /// Every core has a namespace and every namespace a core, in turn; with `--use-every-core` each has each.
    private void associate(PerfRun run, List<PerfNamespace> namespaces, int[] cores) {
        int count = Math.max(namespaces.size(), cores.length);
        if (options.everyCore) {
            for (int core : cores) {
                namespaces.forEach(namespace -> associate(run, namespace, core));
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            associate(run, namespaces.get(i % namespaces.size()), cores[i % cores.length]);
        }
    }

    private void associate(PerfRun run, PerfNamespace namespace, int core) {
        print("Associating " + namespace.name() + " with lcore " + core);
        NamespaceLoad load = run.add(namespace, core, options);
        options.iosPercent.ifPresent(percent -> print("number_ios for namespace " + namespace.name() + " set to "
                + load.ios() + " (" + percent + "% of namespace size)"));
    }

    // ---- while it runs, and after -----------------------------------------------------------------------------

    /// Waits for the end; shows once a second how it goes, if someone looks at a terminal.
    private void follow(PerfRun run) throws InterruptedException {
        boolean terminal = System.console() != null && System.console().isTerminal();
        long last = 0;
        long busy = 0;
        long idle = 0;
        for (int second = 1; !run.await(1, TimeUnit.SECONDS); second++) {
            if (terminal) {
                boolean warmUp = second <= options.warmUpSeconds;
                long completed = run.completed();
                long nowBusy = run.threads().stream().mapToLong(IoThread::busyNanos).sum();
                long nowIdle = run.threads().stream().mapToLong(IoThread::idleNanos).sum();
                double share = 100.0 * (nowBusy - busy) / Math.max(1, nowBusy - busy + nowIdle - idle);
                out.print(PerfReport.progress(warmUp, Math.max(0, completed - last), options.ioSize.orElseThrow(),
                        run.threads().size(), share, options.cpuUsage));
                out.flush();
                last = completed;
                busy = nowBusy;
                idle = nowIdle;
            }
        }
    }

    private int report(PerfRun run, NvmeDriver driver) {
        if (options.transportStatistics) {
            driver.transports().forEach(this::transportStatistics);
        }
        List<LoadResult> results = run.results();
        out.print(PerfReport.of(results, options.ioSize.orElseThrow(), options.latencyLevel));
        if (options.deviceLatency) {
            int reads = options.readPercent();
            out.print((reads != 0 ? deviceLatencies("Read") : "") + (reads != 100 ? deviceLatencies("Write") : ""));
        }
        out.flush();
        long failed = results.stream().mapToLong(result -> result.statistics().failed()).sum();
        if (failed > 0) {
            err.println(failed + " I/Os have failed.");
        }
        boolean broken = results.stream().anyMatch(LoadResult::broken)
                || controllers.stream().anyMatch(each -> each.state() == NvmeController.State.FAILED);
        if (broken) {
            err.println(NAME + ": errors occurred");
        }
        return broken ? 1 : 0;
    }

    private void transportStatistics(NvmeTransport transport) {
        transport.statistics().forEach(counters -> {
            print("\n====================");
            print(counters.get("thread") + " statistics:\n" + transport.name().toUpperCase(java.util.Locale.ROOT)
                    + " transport:");
            counters.forEach((name, value) -> {
                if (!name.equals("thread")) {
                    print(String.format("\t%-20s%s", name + ":", value));
                }
            });
        });
    }

    /// No controller here has counted any: only some of one vendor's do.
    private String deviceLatencies(String operation) {
        StringBuilder text = new StringBuilder(operation + " Latency Statistics:\n" + "=".repeat(56) + "\n");
        controllers.forEach(controller -> text.append("Controller " + ControllerName.of(controller) + ": " + operation
                + " latency statistics not supported\n"));
        return text.append('\n').toString();
    }

    private synchronized void endRun() {
        stopping = true;
        current.ifPresent(PerfRun::stop);
    }

    /// Ctrl-C: the report of what has been done is still printed.
    @Override
    public void stopping(Application application) throws InterruptedException {
        endRun();
        done.await();
    }
}
