package io.spindrift.apps.trace;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// What the user typed.
///
/// @param file   `-f`
/// @param name   `-s`: the program whose trace is meant
/// @param shmId  `-i`
/// @param pid    `-p`
/// @param core   `-c`: that core only
/// @param ticks  `-t`: print ticks too
/// @param deltas `-T`: times since the event before, instead of since the beginning
/// @param json   `-j`
record TraceArguments(Optional<Path> file, Optional<String> name, OptionalInt shmId, OptionalLong pid, OptionalInt core,
        boolean ticks, boolean deltas, boolean json) {

    TraceArguments {
        if (file.isPresent() && (name.isPresent() || shmId.isPresent() || pid.isPresent())) {
            throw new IllegalArgumentException("-f names a file and excludes -s, -i and -p");
        }
        if (shmId.isPresent() && pid.isPresent()) {
            throw new IllegalArgumentException("-i and -p exclude each other");
        }
        if (name.isPresent() && !name.get().matches("[A-Za-z0-9_.-]+")) {
            throw new IllegalArgumentException("-s " + name.get() + " is no program's name");
        }
        notNegative("-i", shmId.isPresent() ? shmId.getAsInt() : 0);
        notNegative("-p", pid.orElse(0));
        notNegative("-c", core.orElse(0));
    }

    private static void notNegative(String option, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(option + " " + value + " must not be negative");
        }
    }

    static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name("spdk_trace");
        spec.usageMessage().description("Prints what a program's reactors recorded at tracepoints (see its option -e).",
                "Without -f, -s, -i and -p: the newest trace in /dev/shm.");
        spec.addOption(OptionSpec.builder("-f", "--file").paramLabel("FILE").type(Path.class)
                .description("Read this file").build());
        spec.addOption(OptionSpec.builder("-s", "--name").paramLabel("NAME").type(String.class)
                .description("Read the trace of the program NAME").build());
        spec.addOption(OptionSpec.builder("-p", "--pid").paramLabel("PID").type(Long.class)
                .description("... of this process").build());
        spec.addOption(OptionSpec.builder("-i", "--shm-id").paramLabel("ID").type(Integer.class)
                .description("... that was started with -i ID").build());
        spec.addOption(OptionSpec.builder("-c", "--core").paramLabel("CORE").type(Integer.class)
                .description("Only what this core recorded").build());
        spec.addOption(flag("-t", "--ticks", "Print ticks beside the time"));
        spec.addOption(flag("-T", "--deltas", "Print the time since the event before"));
        spec.addOption(flag("-j", "--json", "Print JSON"));
        spec.addOption(OptionSpec.builder("-h", "--help").type(boolean.class).usageHelp(true)
                .description("Print this").build());
        return spec;
    }

    private static OptionSpec flag(String shortName, String longName, String description) {
        return OptionSpec.builder(shortName, longName).type(boolean.class).description(description).build();
    }

    /// `IllegalArgumentException` if the options do not go together.
    static TraceArguments of(ParseResult parsed) {
        Integer shmId = parsed.matchedOptionValue("-i", (Integer) null);
        Long pid = parsed.matchedOptionValue("-p", (Long) null);
        Integer core = parsed.matchedOptionValue("-c", (Integer) null);
        return new TraceArguments(Optional.ofNullable(parsed.matchedOptionValue("-f", (Path) null)),
                Optional.ofNullable(parsed.matchedOptionValue("-s", (String) null)),
                shmId == null ? OptionalInt.empty() : OptionalInt.of(shmId),
                pid == null ? OptionalLong.empty() : OptionalLong.of(pid),
                core == null ? OptionalInt.empty() : OptionalInt.of(core), parsed.hasMatchedOption("-t"),
                parsed.hasMatchedOption("-T"), parsed.hasMatchedOption("-j"));
    }
}
