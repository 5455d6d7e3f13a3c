package io.spindrift.apps.nvme.discover;

import io.spindrift.apps.nvme.DiscoveryText;
import io.spindrift.apps.nvme.NvmeProgram;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.FlagValues;
import io.spindrift.framework.app.Launcher;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DiscoveryPage;
import io.spindrift.nvme.HostIdentity;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.TransportId;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/// The program `spdk_nvme_discover`, which runs until Ctrl-C. Control path.
///
/// The exit status is 0; 1 if the controller could not be asked, or its connection broke; 2 for a wrong command line.
public final class DiscoverApp extends NvmeProgram {
    private static final String NAME = "spdk_nvme_discover";
    private static final String HEADLINE = "Discovery Log Page\n==================\n";

    private final PrintStream out;
    private final PrintStream err;
    private final CountDownLatch end = new CountDownLatch(1);
    private Optional<TransportId> id = Optional.empty();
    private HostIdentity host = HostIdentity.of(UUID.randomUUID());
    private volatile boolean broken;

    DiscoverApp(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs it as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        ApplicationOptions.Builder common = ApplicationOptions.builder(NAME).noRpcServer().cpuLocks(false)
                .silenceNotices(true);
        DiscoverApp program = new DiscoverApp(System.out, System.err);
        OptionalInt status = program.parse(common, args);
        return status.isPresent() ? status.getAsInt() : Launcher.run(common.build(), program);
    }

    /// The status to exit with at once, or nothing.
    OptionalInt parse(ApplicationOptions.Builder common, String... args) {
        OptionalInt status = CommandLine.withoutVersion(NAME, "-h/--help", flags(common)).parse(args, out, err);
        if (status.isEmpty() && id.isEmpty()) {
            err.println(NAME + ": -r/--transport is missing: the discovery controller");
            return OptionalInt.of(2);
        }
        return status;
    }

    private List<Flag> flags(ApplicationOptions.Builder common) {
        return List.of(
                Flag.value("-r/--transport", "ID",
                        "the discovery controller: 'trtype:TCP adrfam:IPv4 traddr:192.0.2.1 trsvcid:8009'",
                        text -> id = Optional.of(fabrics(TransportId.parse(text)))),
                Flag.value("-H/--hostnqn", "NQN", "the name of this host", text -> host = host.withNqn(text)),
                Flag.toggle("-G/--enable-debug", "log all topics in detail", () -> common.logFlags(List.of("all"))),
                Flag.value("-T/--logflag", "FLAG", "log this topic in detail (again for more; all)",
                        text -> common.logFlags(FlagValues.words(text))));
    }

    private static TransportId fabrics(TransportId id) {
        if (id.isPcie()) {
            throw new IllegalArgumentException("trtype:PCIe has no discovery controllers");
        }
        return id;
    }

    @Override
    protected int run(Application application, NvmeDriver driver) throws Exception {
        NvmeController controller = driver.connect(id.orElseThrow(), ControllerOptions.defaults().withHost(host),
                new Changes());
        if (!controller.discovery()) {
            throw new IllegalArgumentException("subnqn:" + controller.id().subnqn()
                    + ": the controller there is no discovery controller");
        }
        print(controller);
        end.await();
        return broken ? 1 : 0;
    }

    private synchronized void print(NvmeController controller) {
        out.print(HEADLINE + DiscoveryText.of(DiscoveryPage.read(controller), false));
        out.flush();
    }

    private final class Changes implements ControllerListener {
        @Override
        public void discoveryLogChanged(NvmeController controller) {
            print(controller);
        }

        @Override
        public void failed(NvmeController controller, String reason) {
            err.println(reason);
            broken = true;
            end.countDown();
        }
    }

    @Override
    public void stopping(Application application) {
        end.countDown();
    }
}
