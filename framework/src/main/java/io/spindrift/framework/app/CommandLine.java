package io.spindrift.framework.app;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads a program's arguments as getopt_long does: `-q 16`, `-q16`, `-fz`, `--cpumask 0x3`, `--cpumask=0x3`, and any
/// abbreviation of a long name that only one flag has.
///
/// Not picocli, which the rpc client uses: an application's start-up has no time for it.
public final class CommandLine {
    private static final int WRONG_USAGE = 2;

    private final String program;
    private final String version;
    private final Flag help;
    private final Flag versionFlag;
    private final List<Flag> flags;
    private final Map<String, Flag> shortNames = new HashMap<>();
    private final SortedMap<String, Flag> longNames = new TreeMap<>();

    /// The command line of `program` with the flags of all `groups` and `-h` and `-v`, which print the usage and
    /// `version`. [IllegalArgumentException] if two flags share a spelling.
    @SafeVarargs
    public CommandLine(String program, String version, List<Flag>... groups) {
        List<Flag> own = new ArrayList<>();
        for (List<Flag> group : groups) {
            own.addAll(group);
        }
        this(program, version, "-h/--help", true, own);
    }

    private CommandLine(String program, String version, String helpNames, boolean hasVersion, List<Flag> own) {
        this.program = program;
        this.version = version;
        this.help = Flag.toggle(helpNames, "print this and end", () -> {});
        this.versionFlag = Flag.toggle("-v/--version", "print the version and end", () -> {});
        this.flags = new ArrayList<>(own);
        flags.add(help);
        if (hasVersion) {
            flags.add(versionFlag);
        }
        flags.forEach(this::index);
    }

    /// As the other, for programs that have other uses for `-h` or `-v`: `helpNames` print the usage, nothing the version.
    public static CommandLine withoutVersion(String program, String helpNames, List<Flag> own) {
        return new CommandLine(program, "", helpNames, false, own);
    }

    private void index(Flag flag) {
        for (String name : flag.names()) {
            Flag other = name.startsWith("--") ? longNames.put(name, flag) : shortNames.put(name, flag);
            if (other != null) {
                throw new IllegalArgumentException("flag=" + name + " is defined twice for " + program);
            }
        }
    }

    /// Applies `args` and reports to the user. Returns the status to exit with at once, or nothing if the program shall
    /// go on: 0 after `-h` and `-v`, whose text goes to `out`; 2 for wrong arguments, about which `err` is told.
    public OptionalInt parse(String[] args, PrintStream out, PrintStream err) {
        try {
            return switch (apply(args)) {
                case "-h" -> {
                    out.print(usage());
                    yield OptionalInt.of(0);
                }
                case "-v" -> {
                    out.println(version);
                    yield OptionalInt.of(0);
                }
                default -> OptionalInt.empty();
            };
        } catch (UsageException wrong) {
            err.println(program + ": " + wrong.getMessage());
            if (wrong.unknownFlag()) {
                err.print(usage());
            }
            return OptionalInt.of(WRONG_USAGE);
        }
    }

    /// Applies `args` in order; returns `-h` or `-v` as soon as that is met, else an empty text.
    String apply(String... args) throws UsageException {
        Iterator<String> rest = List.of(args).iterator();
        while (rest.hasNext()) {
            String arg = rest.next();
            if (arg.equals("-") || !arg.startsWith("-")) {
                throw new UsageException("unexpected argument '" + arg + "'", true);
            }
            Flag last = arg.startsWith("--") ? applyLong(arg, rest) : applyShort(arg, rest);
            if (last == help || last == versionFlag) {
                return last == help ? "-h" : "-v";
            }
        }
        return "";
    }

    private Flag applyLong(String arg, Iterator<String> rest) throws UsageException {
        int equals = arg.indexOf('=');
        String name = equals < 0 ? arg : arg.substring(0, equals);
        Flag flag = longFlag(name);
        if (flag.takesValue()) {
            act(name, flag, equals < 0 ? next(name, flag, rest) : arg.substring(equals + 1));
        } else if (equals < 0) {
            act(name, flag, "");
        } else {
            throw new UsageException(name + " takes no value, but '" + arg.substring(equals + 1) + "' was given",
                    false);
        }
        return flag;
    }

    /// Applies `-x`, `-xVALUE` or several flags in one, `-xyz`; returns the last of them.
    private Flag applyShort(String arg, Iterator<String> rest) throws UsageException {
        Flag flag = null;
        for (int i = 1; i < arg.length(); i++) {
            String name = "-" + arg.charAt(i);
            flag = shortNames.get(name);
            if (flag == null) {
                throw new UsageException("unknown flag " + name, true);
            }
            if (flag.takesValue()) {
                String attached = arg.substring(i + 1);
                act(name, flag, attached.isEmpty() ? next(name, flag, rest) : attached);
                break;
            }
            act(name, flag, "");
        }
        return flag;
    }

    private static String next(String name, Flag flag, Iterator<String> rest) throws UsageException {
        if (!rest.hasNext()) {
            throw new UsageException(name + " needs a value: " + flag.argument().orElseThrow(), false);
        }
        return rest.next();
    }

    private Flag longFlag(String name) throws UsageException {
        Flag exact = longNames.get(name);
        if (exact != null) {
            return exact;
        }
        SortedMap<String, Flag> candidates = longNames.subMap(name, name + Character.MAX_VALUE);
        List<Flag> meant = candidates.values().stream().distinct().toList();
        if (meant.isEmpty()) {
            throw new UsageException("unknown flag " + name, true);
        }
        if (meant.size() > 1) {
            throw new UsageException(name + " could be any of " + String.join(", ", candidates.keySet()), false);
        }
        return meant.getFirst();
    }

    private static void act(String name, Flag flag, String value) throws UsageException {
        try {
            flag.action().accept(value);
        } catch (IllegalArgumentException refused) {
            String given = flag.takesValue() ? name + " " + value : name;
            throw new UsageException(given + ": " + refused.getMessage(), false);
        }
    }

    /// The usage text: one line for each flag, in the order of their definition.
    public String usage() {
        StringBuilder text = new StringBuilder("Usage: ").append(program).append(" [FLAG [VALUE]]...\n");
        for (Flag flag : flags) {
            String spelling = String.join(", ", flag.names()) + flag.argument().map(a -> " " + a).orElse("");
            String indent = flag.names().getFirst().startsWith("--") ? "      " : "  ";
            text.append(indent).append(spelling);
            int column = indent.length() + spelling.length();
            if (column > 37) {
                text.append('\n');
                column = 0;
            }
            text.repeat(' ', 38 - column).append(flag.description()).append('\n');
        }
        return text.toString();
    }
}
