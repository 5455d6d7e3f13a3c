package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.RpcAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// What is typed before the method.
///
/// @param server  socket path, or IP address or `IP:PORT`
/// @param port    used with an IP address
/// @param timeout limit for each call
/// @param retries how often to try to connect again
/// @param verbose print requests and replies to standard error
/// @param dryRun  print the request instead of sending it
/// @param pluginPath folders of plug-ins, whose methods can be called, too
/// @param page    what is to be printed instead of calling
/// @param command the method and its arguments; empty to read them from standard input
record GlobalOptions(String server, int port, Duration timeout, int retries, boolean verbose, boolean dryRun,
        List<Path> pluginPath, Page page, List<String> command) {

    /// What can be printed about all methods.
    enum Page {
        NONE, HELP, COMPLETION, DOCS, SCHEMA
    }

    private static final double MAX_TIMEOUT_SECONDS = 1e9;

    static GlobalOptions parse(String[] args) throws UsageException {
        CommandLine parser = parser();
        try {
            ParseResult typed = parser.parseArgs(args);
            double timeout = typed.matchedOptionValue("-t", 60.0);
            int port = typed.matchedOptionValue("-p", 5260);
            if (!(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
                throw new UsageException("--timeout=" + timeout + " must be more than 0, and at most 1e9", usage());
            }
            return new GlobalOptions(typed.matchedOptionValue("-s", "/var/tmp/spdk.sock"), port,
                    Duration.ofNanos((long) (timeout * 1e9)), typed.matchedOptionValue("-r", 0),
                    typed.hasMatchedOption("-v")
                            || List.of("DEBUG", "INFO").contains(typed.matchedOptionValue("--verbose", "ERROR")),
                    typed.hasMatchedOption("--dry-run"), typed.matchedOptionValue("--plugin-path", List.of()),
                    page(typed),
                    List.of(typed.matchedPositionalValue(0, new String[0])));
        } catch (ParameterException e) {
            throw new UsageException(e.getMessage(), usage());
        }
    }

    private static Page page(ParseResult typed) {
        for (Page page : Page.values()) {
            if (page != Page.NONE && typed.hasMatchedOption("--" + page.name().toLowerCase(Locale.ROOT))) {
                return page;
            }
        }
        return Page.NONE;
    }

    private static CommandLine parser() {
        CommandSpec command = CommandSpec.create().name("rpc");
        command.usageMessage().sortOptions(false).abbreviateSynopsis(true)
                .description("Calls a method of a running application. Without METHOD, calls are read from standard "
                        + "input, one a line.");
        command.addOption(value(String.class, "SOCKET_OR_IP", "Where the application listens: a socket's path "
                + "(default /var/tmp/spdk.sock), an IP address, or IP:PORT", "-s", "--server-addr"));
        command.addOption(value(Integer.class, "PORT", "Port, with an IP address (default 5260)", "-p", "--port"));
        command.addOption(
                value(Double.class, "SECONDS", "How long to wait for an answer (default 60)", "-t", "--timeout"));
        command.addOption(value(Integer.class, "TIMES", "How often to try again to connect, each 0.2 s (default 0)",
                "-r", "--conn-retries"));
        command.addOption(flag("Print requests and answers to standard error", "-v"));
        command.addOption(value(String.class, "LEVEL", "DEBUG or INFO as -v, ERROR for nothing", "--verbose"));
        command.addOption(flag("Print the request instead of sending it", "--dry-run"));
        command.addOption(OptionSpec.builder("--plugin-path").type(List.class).auxiliaryTypes(Path.class).arity("1")
                .paramLabel("DIR").description("Folder of plug-ins, as the application has").build());
        command.addOption(flag("Print a completion script for bash", "--completion"));
        command.addOption(flag("Print the manual of all methods, in Markdown", "--docs"));
        command.addOption(flag("Print the parameters of all methods, in JSON", "--schema"));
        command.addOption(OptionSpec.builder("-h", "--help").usageHelp(true)
                .description("List the methods; METHOD -h shows one").build());
        command.addPositional(PositionalParamSpec.builder().paramLabel("METHOD [ARGUMENTS]").index("0..*").arity("0..*")
                .type(String[].class).description("What to call").build());
        return new CommandLine(command).setStopAtPositional(true).setOverwrittenOptionsAllowed(true)
                .setExpandAtFiles(false).setInterpolateVariables(false);
    }

    private static OptionSpec value(Class<?> type, String label, String description, String... names) {
        return OptionSpec.builder(names[0], names).type(type).arity("1").paramLabel(label).description(description)
                .build();
    }

    private static OptionSpec flag(String description, String name) {
        return OptionSpec.builder(name).type(boolean.class).arity("0").description(description).build();
    }

    /// How the program is typed.
    static String usage() {
        return parser().getUsageMessage(Ansi.OFF);
    }

    /// The names of the flags that take a value, and of those that take none.
    static List<String> flags(boolean withValue) {
        return parser().getCommandSpec().options().stream().filter(option -> option.arity().max() > 0 == withValue)
                .flatMap(option -> List.of(option.names()).stream()).toList();
    }

    /// Where the application listens. Throws `IllegalArgumentException` with a sentence if it cannot be there.
    RpcAddress address() {
        boolean path = server.contains("/") || Files.exists(Path.of(server));
        boolean hasPort = server.matches(".*\\]:\\d+|[^:\\[\\]]+:\\d+");
        return path || hasPort
                ? RpcAddress.parse(server)
                : RpcAddress.tcp(server.replaceAll("[\\[\\]]", ""), Integer.toString(port));
    }
}
