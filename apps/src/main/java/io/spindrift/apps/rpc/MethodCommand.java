package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.CliArgument;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The command line of one method: typed words to parameters.
///
/// As Python's argparse, for which the peer's users wrote their scripts, it lets long flags be abbreviated and the
/// last of a repeated flag win.
final class MethodCommand {
    private record Bound(CliArgument argument, ArgSpec spec) {}

    private final RpcMethod<?> method;
    private final List<Bound> arguments = new ArrayList<>();
    private final CommandLine parser;

    MethodCommand(RpcMethod<?> method) {
        this.method = method;
        CommandSpec command = CommandSpec.create().name("rpc " + method.name());
        command.usageMessage().description(method.summary()).abbreviateSynopsis(false).sortOptions(false);
        int position = 0;
        for (CliArgument argument : CliArgument.of(method)) {
            ArgSpec spec = argument.kind() == CliArgument.Kind.POSITIONAL
                    ? positional(argument, position++)
                    : option(argument);
            command.add(spec);
            arguments.add(new Bound(argument, spec));
        }
        command.addOption(OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
        parser = new CommandLine(command).setOverwrittenOptionsAllowed(true).setExpandAtFiles(false)
                .setInterpolateVariables(false);
    }

    private static ArgSpec positional(CliArgument argument, int position) {
        return PositionalParamSpec.builder().index(Integer.toString(position)).paramLabel(argument.name())
                .type(String.class).arity(argument.required() ? "1" : "0..1").required(argument.required())
                .description(description(argument)).build();
    }

    private static ArgSpec option(CliArgument argument) {
        String[] flags = argument.flags().toArray(String[]::new);
        OptionSpec.Builder option = switch (argument.kind()) {
            case VALUE -> OptionSpec.builder(flags).type(String.class).arity("1");
            case VALUES -> OptionSpec.builder(flags).type(List.class).auxiliaryTypes(String.class).arity("1");
            case TRUE, FALSE -> OptionSpec.builder(flags).type(Boolean.class).arity("0");
            case EITHER -> OptionSpec.builder(flags[0]).type(Boolean.class).arity("0").negatable(true);
            case POSITIONAL -> throw new IllegalArgumentException(argument.name() + " has no flag");
        };
        return option.paramLabel(argument.name().toUpperCase(Locale.ROOT)).required(argument.required())
                .description(description(argument)).build();
    }

    private static String description(CliArgument argument) {
        StringBuilder text = new StringBuilder(argument.description());
        if (!argument.choices().isEmpty()) {
            text.append(text.isEmpty() ? "" : ": ").append(String.join(", ", argument.choices()));
        }
        if (!argument.defaultText().isEmpty() && argument.flags().isEmpty()
                || argument.kind() == CliArgument.Kind.VALUE && !argument.defaultText().isEmpty()) {
            text.append(" (default ").append(argument.defaultText()).append(')');
        }
        return text.toString();
    }

    /// How the command is typed, in several lines.
    String usage() {
        return parser.getUsageMessage(Ansi.OFF);
    }

    /// How the command is typed, in one line.
    String synopsis() {
        return parser.getHelp().synopsis(0).strip();
    }

    /// The parameters that `words` mean; empty if they ask for help. Throws [UsageException] if they mean none.
    Optional<JsonNode> parameters(List<String> words) throws UsageException {
        try {
            ParseResult typed = parser.parseArgs(completed(words).toArray(String[]::new));
            if (typed.isUsageHelpRequested()) {
                return Optional.empty();
            }
            ObjectNode members = Json.emptyObject();
            for (Bound bound : arguments) {
                value(bound, typed).ifPresent(value -> members.set(bound.argument().name(), value));
            }
            return Optional.of(method.fromCli(members));
        } catch (ParameterException | IllegalArgumentException | RpcException e) {
            throw new UsageException(method.name() + ": " + e.getMessage(), "usage: " + synopsis());
        }
    }

    /// The words with older spellings in those of today, and with abbreviated flags written out: `--dif 1` is `--dif-type 1` if no other flag begins so. (picocli
    /// could do it, but then fails for an empty word.)
    private List<String> completed(List<String> words) {
        List<String> completed = new ArrayList<>();
        boolean flags = true;
        for (String word : words) {
            flags &= !word.equals("--");
            completed.add(flags && word.startsWith("-") ? completed(word) : word);
        }
        return completed;
    }

    private String completed(String word) {
        for (Bound bound : arguments) {
            if (bound.argument().older().containsKey(word)) {
                return bound.argument().older().get(word);
            }
        }
        if (!word.startsWith("--")) {
            return word;
        }
        int end = word.indexOf('=') < 0 ? word.length() : word.indexOf('=');
        String flag = word.substring(0, end);
        List<String> candidates = arguments.stream().flatMap(bound -> bound.argument().flags().stream())
                .filter(known -> known.startsWith(flag)).toList();
        return candidates.size() == 1 ? candidates.getFirst() + word.substring(end) : word;
    }

    private static Optional<JsonNode> value(Bound bound, ParseResult typed) {
        if (!matched(bound.spec(), typed)) {
            return Optional.empty();
        }
        Object given = bound.spec().getValue();
        return switch (given) {
            case Boolean flag -> bound.argument().meaning(flag).map(JsonNodeFactory.instance::booleanNode);
            case List<?> texts -> Optional.of(bound.argument().value(texts.stream().map(Object::toString).toList()));
            case Object text -> Optional.of(bound.argument().value(List.of(text.toString())));
        };
    }

    private static boolean matched(ArgSpec spec, ParseResult typed) {
        return switch (spec) {
            case OptionSpec option -> typed.hasMatchedOption(option);
            case PositionalParamSpec position -> typed.matchedPositionals().contains(position);
            default -> throw new AssertionError("an argument is an option or a position");
        };
    }
}
