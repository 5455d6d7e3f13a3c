package io.spindrift.apps.setup;

import io.spindrift.apps.setup.SetupArguments.Action;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The program `setup`.
public final class SetupApp {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private final Machine machine;
    private final PciBus bus;
    private final Kernel kernel;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    SetupApp(Path root, Kernel kernel, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.machine = new Machine(root);
        this.bus = new PciBus(machine);
        this.kernel = kernel;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /// Runs the program on this machine. Returns its exit status: 1 if something was refused or failed, 2 for wrong usage.
    public static int run(String[] args) throws InterruptedException {
        return new SetupApp(Path.of("/"), new LiveKernel(), System.getenv(), System.out, System.err).start(args);
    }

    int start(String... args) throws InterruptedException {
        CommandLine command = new CommandLine(SetupArguments.spec());
        SetupArguments arguments;
        try {
            ParseResult parsed = command.parseArgs(args);
            arguments = SetupArguments.of(parsed, environment);
            if (parsed.isUsageHelpRequested() || arguments.action() == Action.HELP) {
                command.usage(out);
                return 0;
            }
        } catch (ParameterException | IllegalArgumentException e) {
            err.println("setup: " + e.getMessage());
            command.usage(err);
            return WRONG_USAGE;
        }
        try {
            return perform(arguments);
        } catch (SetupException e) {
            err.println("setup: " + e.getMessage());
        } catch (IOException e) {
            err.println("setup: the machine's devices cannot be read: " + e);
        }
        return FAILED;
    }

    private int perform(SetupArguments arguments) throws SetupException, IOException, InterruptedException {
        Kernel acting = arguments.dryRun() ? new DryRun(machine, kernel, out) : kernel;
        if (arguments.action() != Action.STATUS && !acting.isRoot()) {
            throw new SetupException("binding a device needs root; status and --dry-run do not");
        }
        if (arguments.user().isPresent() && !acting.hasUser(arguments.user().get())) {
            throw new SetupException("--user " + arguments.user().get() + ": there is no such user");
        }
        List<PciFunction> functions = functions(arguments.addresses());
        if (functions.isEmpty()) {
            out.println("There is no NVMe controller on the PCI bus.");
            return 0;
        }
        SetupContext context = new SetupContext(machine, bus, acting, AllowedDevices.of(environment),
                TargetDriver.of(environment), out, err);
        boolean named = !arguments.addresses().isEmpty();
        boolean complete = switch (arguments.action()) {
            case STATUS -> new Status(context).print(functions);
            case CONFIG -> new Config(context, arguments.user()).run(functions, named);
            case RESET -> new Reset(context).run(functions, named);
            case HELP -> throw new AssertionError("printed above");
        };
        return complete ? 0 : FAILED;
    }

    /// Those at `addresses`, or all.
    private List<PciFunction> functions(List<PciAddress> addresses) throws SetupException, IOException {
        if (addresses.isEmpty()) {
            return bus.nvmeControllers();
        }
        List<PciFunction> functions = new ArrayList<>();
        for (PciAddress address : addresses) {
            PciFunction function = bus.find(address)
                    .orElseThrow(() -> new SetupException("there is no PCI device " + address));
            if (!function.nvme()) {
                throw new SetupException(address + " is no NVMe controller: its class is "
                        + String.format("%06x, not %06x", function.classCode(), PciFunction.NVME_CLASS));
            }
            functions.add(function);
        }
        return functions;
    }
}
