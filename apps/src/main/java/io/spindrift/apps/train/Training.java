package io.spindrift.apps.train;

import io.spindrift.apps.Program;
import java.util.List;

/// Runs each program briefly, in one JVM, so that the classes it loads are in the start-up cache.
///
/// A program that is not in the list still works; it only starts slower.
public final class Training {
    private static final List<List<String>> COMMANDS = List.of(
            List.of("quickstart", "-t", "1", "--disable-cpumask-locks"),
            List.of("rpc", "--dry-run", "rpc_get_methods", "--current"),
            List.of("rpc", "--dry-run", "bdev_null_create", "Null0", "64", "512", "--md-size", "8"),
            List.of("spdk_trace", "-h"),
            List.of("version"));

    private Training() {}

    /// Runs all commands in order.
    ///
    /// @return 0, or the first status that was not 0
    public static int run() throws Exception {
        for (List<String> command : COMMANDS) {
            Program program = Program.find(command.getFirst()).orElseThrow();
            int status = program.app().run(command.subList(1, command.size()).toArray(String[]::new));
            if (status != 0) {
                return status;
            }
        }
        return 0;
    }
}
