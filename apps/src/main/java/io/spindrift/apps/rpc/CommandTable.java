package io.spindrift.apps.rpc;

import io.spindrift.framework.app.Plugins;
import io.spindrift.framework.rpc.RpcCatalog;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything that can be typed, by name.
final class CommandTable {
    private final SortedMap<String, Command> commands = new TreeMap<>();
    private final SortedMap<String, Command> aliases = new TreeMap<>();

    private CommandTable() {}

    /// The methods of all modules, those of `plugins` too, and this program's own commands, which read `in` and warn on
    /// `err`. A plug-in's catalog that fails is left out, which `plugins` tells.
    static CommandTable of(Plugins plugins, InputStream in, PrintStream err) {
        CommandTable table = new CommandTable();
        for (RpcCatalog catalog : plugins.services(RpcCatalog::load)) {
            try {
                commands(catalog).forEach(table::add);
            } catch (RuntimeException | LinkageError e) {
                if (!plugins.refuse(catalog, "RPC catalog " + catalog.getClass().getName(), e)) {
                    throw e;
                }
            }
        }
        new ConfigCommands(in, err, name -> table.find(name).isPresent()).all().forEach(table::add);
        return table;
    }

    private static List<Command> commands(RpcCatalog catalog) {
        return Objects.requireNonNull(catalog.methods(), "methods() returned null").stream()
                .<Command>map(Command::of).toList();
    }

    private void add(Command command) {
        commands.put(command.method().name(), command);
        command.method().aliases().forEach(alias -> aliases.put(alias, command));
    }

    /// The command of this name or alias.
    Optional<Command> find(String name) {
        return Optional.ofNullable(commands.getOrDefault(name, aliases.get(name)));
    }

    /// All commands, sorted by name.
    Collection<Command> all() {
        return commands.values();
    }

    /// Names that look like `name`, which is none: those of which it is a part, and those that are a typing error away.
    List<String> similar(String name) {
        List<String> similar = new ArrayList<>();
        for (String known : commands.keySet()) {
            if (known.contains(name) || distance(known, name) <= 2) {
                similar.add(known);
            }
        }
        return similar;
    }

    /// How many characters must be inserted, removed or replaced to make `b` of `a` (Levenshtein).
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(previous[j], row[j - 1]) + 1);
            }
            previous = row;
        }
        return previous[b.length()];
    }
}
