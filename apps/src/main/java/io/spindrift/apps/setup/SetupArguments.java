package io.spindrift.apps.setup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// What the user typed.
///
/// @param action    what to do
/// @param addresses the devices that are meant; empty for all
/// @param user      who is to have the IOMMU groups
/// @param dryRun    print what would be done instead
record SetupArguments(Action action, List<PciAddress> addresses, Optional<String> user, boolean dryRun) {
    /// What the program can do.
    enum Action {
        CONFIG, RESET, STATUS, HELP
    }

    static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name("setup");
        spec.usageMessage().width(100).customSynopsis("setup [-n] [-u NAME] [config|reset|status] [ADDRESS]...")
                .description("Gives PCI NVMe controllers to user space, and back to the kernel.",
                        "  status  show them, and why one cannot be had",
                        "  config  bind those named, or all that are not in use, to vfio-pci; meant without a word, too",
                        "  reset   give those named, or all, back to the kernel",
                        "A controller is named by its address, 0000:01:00.0.");
        spec.addPositional(PositionalParamSpec.builder().index("0..*").arity("0..*").type(String[].class)
                .hidden(true).build());
        spec.addOption(OptionSpec.builder("-n", "--dry-run").type(boolean.class)
                .description("Print what would be written where, and write nothing").build());
        spec.addOption(OptionSpec.builder("-u", "--user").paramLabel("NAME").type(String.class)
                .description("Let this user open the devices (default: TARGET_USER of the environment)").build());
        spec.addOption(OptionSpec.builder("-h", "--help").type(boolean.class).usageHelp(true)
                .description("Print this").build());
        return spec;
    }

    /// `IllegalArgumentException` if a word is no address.
    static SetupArguments of(ParseResult parsed, Map<String, String> environment) {
        List<String> words = new ArrayList<>(List.of(parsed.matchedPositionalValue(0, new String[0])));
        Action action = words.isEmpty() ? Action.CONFIG : action(words.getFirst());
        if (!words.isEmpty() && action.name().equalsIgnoreCase(words.getFirst())) {
            words.removeFirst();
        }
        Optional<String> user = Optional.ofNullable(parsed.matchedOptionValue("-u", environment.get("TARGET_USER")))
                .filter(name -> !name.isEmpty());
        return new SetupArguments(action, words.stream().map(PciAddress::parse).distinct().toList(), user,
                parsed.hasMatchedOption("-n"));
    }

    private static Action action(String word) {
        return switch (word) {
            case "config" -> Action.CONFIG;
            case "reset" -> Action.RESET;
            case "status" -> Action.STATUS;
            case "help" -> Action.HELP;
            default -> {
                if (word.indexOf(':') < 0) {
                    throw new IllegalArgumentException(
                            "'" + word + "' is no command: there are config, reset and status");
                }
                yield Action.CONFIG;
            }
        };
    }
}
