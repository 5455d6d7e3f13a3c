package io.spindrift.framework.app;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One flag of a program: its spellings, what the usage says, and what to do when it appears.
///
/// A flag with a value hands the value's text to its action, one without hands it an empty text; a flag given twice
/// acts twice. An action refuses a value by an [IllegalArgumentException] that states the limit; the parser puts the
/// flag and the value in front.
public final class Flag {
    private final List<String> names;
    private final Optional<String> argument;
    private final String description;
    private final Consumer<String> action;

    private Flag(String names, Optional<String> argument, String description, Consumer<String> action) {
        this.names = List.of(names.split("/"));
        this.argument = argument;
        this.description = description;
        this.action = action;
        for (String name : this.names) {
            boolean isShort = name.matches("-[A-Za-z0-9]");
            boolean isLong = name.matches("--[a-z0-9][a-z0-9-]+");
            if (!isShort && !isLong) {
                throw new IllegalArgumentException("names=" + names + ": " + name + " is neither -x nor --long-name");
            }
        }
    }

    /// A flag without a value. `names` are its spellings with `/` between them: `-u/--no-pci`.
    public static Flag toggle(String names, String description, Runnable action) {
        return new Flag(names, Optional.empty(), description, _ -> action.run());
    }

    /// A flag with a value, which the usage calls `argument`: `-c/--config/--json`, `FILE`.
    public static Flag value(String names, String argument, String description, Consumer<String> action) {
        return new Flag(names, Optional.of(argument), description, action);
    }

    List<String> names() {
        return names;
    }

    Optional<String> argument() {
        return argument;
    }

    boolean takesValue() {
        return argument.isPresent();
    }

    String description() {
        return description;
    }

    Consumer<String> action() {
        return action;
    }
}
