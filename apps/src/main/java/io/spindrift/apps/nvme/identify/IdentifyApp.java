package io.spindrift.apps.nvme.identify;

import io.spindrift.apps.nvme.Attachments;
import io.spindrift.apps.nvme.ControllerName;
import io.spindrift.apps.nvme.DiscoveryText;
import io.spindrift.apps.nvme.NvmeProgram;
import io.spindrift.apps.nvme.Target;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.FlagValues;
import io.spindrift.framework.app.Launcher;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.sock.Sockets;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The program `spdk_nvme_identify`. Control path.
///
/// The exit status is 0; 1 if a controller that was named could not be asked; 2 for a wrong command line.
public final class IdentifyApp extends NvmeProgram {
    private static final String NAME = "spdk_nvme_identify";
    private static final String RULE = "=".repeat(53);

    private final List<Target> targets = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final PrintStream out;
    private final PrintStream err;
    private Optional<String> sockImplementation = Optional.empty();
    private boolean hexDumps;

    IdentifyApp(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs it as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        ApplicationOptions.Builder common = ApplicationOptions.builder(NAME).noRpcServer().cpuLocks(false)
                .silenceNotices(true);
        IdentifyApp program = new IdentifyApp(System.out, System.err);
        OptionalInt status = CommandLine.withoutVersion(NAME, "-H/-h/--help", program.flags(common))
                .parse(args, System.out, System.err);
        if (status.isPresent()) {
            return status.getAsInt();
        }
        program.notices.forEach(notice -> System.err.println(NAME + ": " + notice));
        return Launcher.run(common.build(), program);
    }

    List<Flag> flags(ApplicationOptions.Builder common) {
        return List.of(
                Flag.value("-r", "ID", "the controller: 'trtype:TCP adrfam:IPv4 traddr:192.0.2.1 trsvcid:4420 "
                        + "[subnqn:NQN] [hostnqn:NQN] [hostaddr:IP]', 'trtype:PCIe traddr:0000:04:00.0' (again for more; "
                        + "without any: all local PCIe controllers)", text -> targets.add(Target.parse(text))),
                Flag.toggle("-x", "print the raw pages, too", () -> hexDumps = true),
                Flag.value("-S", "NAME", "implementation of sockets: posix, uring",
                        text -> sockImplementation = Optional.of(text)),
                Flag.value("-p", "CORE", "core to run on (default 0)",
                        text -> common.cpuMask(CpuMask.of(FlagValues.number(text, 0, CpuMask.LIMIT - 1)))),
                Flag.value("-L/--logflag", "FLAG", "log this topic in detail (again for more; all)",
                        text -> common.logFlags(FlagValues.words(text))),
                Flag.toggle("--no-huge", "use no hugepages",
                        () -> common.memory(common.memory().withoutHugePages())),
                ignored("-i", "N"), ignored("-d", "MB"), ignored("-s", "MB"), ignored("-v", "MODE"),
                ignored("-z", "N"), ignored("-g"), ignored("-o"), ignored("-V"));
    }

    private Flag ignored(String name, String argument) {
        return Flag.value(name, argument, "accepted without effect", _ -> notices.add(name + " has no effect here"));
    }

    private Flag ignored(String name) {
        return Flag.toggle(name, "accepted without effect", () -> notices.add(name + " has no effect here"));
    }

    @Override
    protected void configure(Sockets sockets) {
        sockImplementation.ifPresent(sockets::defaultImplementation);
    }

    @Override
    protected int run(Application application, NvmeDriver driver) throws Exception {
        ControllerOptions options = ControllerOptions.defaults();
        Attachments attachments = new Attachments(driver, options, ControllerListener.IGNORE, err::println);
        if (targets.isEmpty()) {
            targets.add(Target.LOCAL);
        }
        boolean found = false;
        for (Target target : targets) {
            for (NvmeController controller : attachments.connectItself(target)) {
                found = true;
                out.print(text(controller, hexDumps));
                out.flush();
                controller.close();
            }
        }
        if (!found) {
            err.println("No NVMe controllers found.");
        }
        return 0;
    }

    /// All that `controller` says.
    static String text(NvmeController controller, boolean hexDumps) {
        Findings findings = Findings.of(controller);
        Sheet sheet = new Sheet(hexDumps);
        sheet.row(RULE);
        sheet.row("NVMe" + (controller.transport().fabrics() ? "oF" : "") + " Controller at "
                + ControllerName.of(controller));
        sheet.row(RULE);
        sheet.dump(findings.page());
        CapabilitySection.write(sheet, findings);
        AdminSection.write(sheet, findings);
        NvmSection.write(sheet, findings);
        LogSection.write(sheet, findings);
        HealthSection.write(sheet, findings);
        NamespaceSection.writeAll(sheet, findings);
        findings.discovery().ifPresent(page -> {
            sheet.title("Discovery Log Page", 0);
            sheet.text(DiscoveryText.of(page, true));
        });
        return sheet.toString();
    }
}
