package io.spindrift.apps.bdevperf;

import io.spindrift.apps.FileProblem;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.CommonFlags;
import io.spindrift.framework.app.Launcher;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcLog;
import io.spindrift.framework.rpc.RpcWait;
import io.spindrift.framework.thread.Control;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;

/// The program `bdevperf`: one run, then the end; with `-z` a run for each RPC `perform_tests`.
///
/// Control path. The exit status is 0 if all I/O was as it should be, also after Ctrl-C; 1 if any failed or the run could
/// not be made; 2 for a wrong command line.
public final class BdevperfApp implements AppComponents {
    private static final String NAME = "bdevperf";

    private final List<BdevperfOptions> runs;
    private final BdevperfOptions options;
    private final PrintStream out;
    private final String epilogue;
    private Optional<RpcLogFile> rpcLog = Optional.empty();
    private volatile Runner runner;

    /// The program that makes these runs, at least one, and reports to `out`; when all were as they should be and none was
    /// stopped, with `epilogue` at the end.
    BdevperfApp(List<BdevperfOptions> runs, PrintStream out, String epilogue) {
        this.runs = List.copyOf(runs);
        this.options = runs.getFirst();
        this.out = out;
        this.epilogue = epilogue;
    }

    /// Runs it as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        ApplicationOptions.Builder common = ApplicationOptions.builder(NAME);
        return run(NAME, common, List.of(List.of(args)), "");
    }

    /// As [#run(String[])], for the program `name` that makes several runs in turn, each by its own arguments, and prints
    /// `epilogue` if all succeeded. Arguments for the application go to `common` and count in the first list only.
    public static int run(String name, ApplicationOptions.Builder common, List<List<String>> runs, String epilogue)
            throws InterruptedException {
        common.noRpcServer();
        List<BdevperfOptions> all = new ArrayList<>();
        for (List<String> args : runs) {
            BdevperfOptions options = new BdevperfOptions();
            ApplicationOptions.Builder builder = all.isEmpty() ? common : ApplicationOptions.builder(name);
            CommandLine line = new CommandLine(name, CoreRpcs.versionText(), BdevperfFlags.of(builder, options),
                    CommonFlags.of(builder));
            OptionalInt status = line.parse(args.toArray(String[]::new), System.out, System.err);
            if (status.isPresent()) {
                return status.getAsInt();
            }
            try {
                check(options);
            } catch (PerfException e) {
                System.err.println(name + ": " + e.getMessage());
                return 2;
            }
            all.add(options);
        }
        if (all.getFirst().waitForTests() && common.build().rpcAddress().isEmpty()) {
            common.rpcAddress(ApplicationOptions.DEFAULT_RPC_ADDRESS);
        }
        return Launcher.run(common.build(), new BdevperfApp(all, System.out, epilogue));
    }

    /// Refuses what needs no application to be refused.
    private static void check(BdevperfOptions options) throws PerfException {
        if (!options.waitForTests()) {
            Planner.check(options, options.load());
        }
        if (options.jobFile().isPresent()) {
            JobFile.read(options.jobFile().get(), options.load(), options.bdev());
        }
    }

    @Override
    public List<Subsystem> subsystems(Application application) throws IOException {
        if (options.rpcLog().isPresent()) {
            rpcLog = Optional.of(openRpcLog(options.rpcLog().get(), application));
        }
        BdevperfComponent component = DaggerBdevperfComponent.builder()
                .bdevperfModule(new BdevperfModule(application)).build();
        BdevSubsystem bdev = component.bdev();
        runner = new Runner(application, bdev, out);
        Control control = application.reactors().control();
        application.rpcs().register(BdevperfRpcs.PERFORM_TESTS, params -> performTests(params, control));
        return List.copyOf(component.subsystems());
    }

    private static RpcLogFile openRpcLog(Path file, Application application) throws IOException {
        try {
            return new RpcLogFile(file, application.log());
        } catch (IOException e) {
            throw new IOException("-J " + FileProblem.of("cannot be written", e, file), e);
        }
    }

    @Override
    public Optional<RpcLog> rpcLog() {
        return rpcLog.map(log -> log);
    }

    /// Opens the run in the order of the client's requests: later ones find it begun. It has a thread of its own, so that
    /// it goes on and is reported if the client gives up.
    private RpcWait performTests(PerformTestsParams params, Control control) {
        try {
            Runner.OpenRun opened = runner.open(options, params.over(options.load()));
            Future<PerformTestsResult> result = control.submit(() -> finish(opened));
            return new RpcWait(result::get);
        } catch (PerfException e) {
            throw refusal(e);
        }
    }

    private static PerformTestsResult finish(Runner.OpenRun opened) throws InterruptedException {
        try {
            return PerformTestsResult.of(opened.finish());
        } catch (PerfException e) {
            throw refusal(e);
        }
    }

    private static RpcException refusal(PerfException e) {
        return e.refusesParameters()
                ? RpcException.invalidParams(e.getMessage())
                : RpcException.internal(e.getMessage()); // with a cause it would be logged as a bug
    }

    @Override
    public void started(Application application) throws InterruptedException {
        if (options.waitForTests()) {
            application.log().notice("waiting for the RPC perform_tests");
            return;
        }
        int status = 0;
        try {
            for (BdevperfOptions run : runs) {
                if (runner.run(run, run.load()).stream().anyMatch(JobResult::unsound)) {
                    status = 1;
                }
            }
        } catch (PerfException e) {
            if (!runner.stopped()) {
                application.log().error("%s", e.getMessage());
                status = 1;
            }
        }
        if (status == 0 && !runner.stopped()) {
            out.print(epilogue);
        }
        application.stop(status);
    }

    @Override
    public void stopping(Application application) throws InterruptedException {
        runner.stop();
        rpcLog.ifPresent(RpcLogFile::close);
    }
}
