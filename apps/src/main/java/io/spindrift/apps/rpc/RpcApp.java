package io.spindrift.apps.rpc;

import io.spindrift.framework.app.Plugins;
import io.spindrift.framework.rpc.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The `rpc` program: results to standard output, what went wrong to standard error, 0 or 1 as exit status.
public final class RpcApp {
    private static final int FAILED = 1;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    RpcApp(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /// Runs the program on the process's streams.
    public static int run(String[] args) {
        return new RpcApp(System.in, System.out, System.err).execute(args);
    }

    int execute(String[] args) {
        try {
            GlobalOptions options = GlobalOptions.parse(args);
            Plugins plugins = Plugins.load(options.pluginPath(), problem -> err.println("rpc: warning: " + problem));
            CommandTable commands = CommandTable.of(plugins, in, err);
            switch (options.page()) {
                case HELP -> out.print(Pages.help(commands));
                case COMPLETION -> out.print(Completion.script(commands));
                case DOCS -> out.print(Pages.manual(commands));
                case SCHEMA -> out.println(Json.indented(Pages.schema(commands), 2));
                case NONE -> call(options, commands);
            }
            return 0;
        } catch (UsageException e) {
            if (!e.usage().isEmpty()) {
                err.println(e.usage().stripTrailing());
            }
            err.println("rpc: error: " + e.getMessage());
        } catch (CallException e) {
            err.println(e.getMessage());
        } catch (IllegalArgumentException | IOException e) {
            err.println("rpc: error: " + e.getMessage());
        }
        return FAILED;
    }

    private void call(GlobalOptions options, CommandTable commands)
            throws UsageException, CallException, IOException {
        try (Session session = new Session(options, err)) {
            if (!options.command().isEmpty()) {
                one(options, session, commands, options.command());
                return;
            }
            if (System.console() != null && System.console().isTerminal() && in == System.in) {
                out.print(Pages.help(commands));
                return;
            }
            script(options, session, commands);
        }
    }

    /// Runs the lines of standard input; the first that fails is the last. Empty ones and those that begin with `#`
    /// are passed over.
    private void script(GlobalOptions options, Session session, CommandTable commands)
            throws UsageException, CallException, IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = ShellWords.split(line);
            if (words.isEmpty() || words.getFirst().startsWith("#")) {
                continue;
            }
            try {
                one(options, session, commands, words);
            } catch (UsageException | CallException e) {
                err.println(line.strip() + " <<<");
                throw e;
            }
        }
    }

    private void one(GlobalOptions options, Session session, CommandTable commands, List<String> words)
            throws UsageException, CallException, IOException {
        String name = words.getFirst();
        Optional<Command> found = commands.find(name);
        if (found.isEmpty()) {
            List<String> similar = commands.similar(name);
            throw new UsageException("there is no method " + name + "; "
                    + (similar.isEmpty() ? "rpc -h lists all" : "did you mean " + String.join(", ", similar) + "?"),
                    "");
        }
        Command command = found.get();
        MethodCommand line = new MethodCommand(command.method());
        Optional<JsonNode> params = line.parameters(words.subList(1, words.size()));
        if (params.isEmpty()) {
            out.print(line.usage());
        } else if (!options.dryRun()) {
            command.action().run(session, params.get()).ifPresent(out::println);
        } else if (command.local()) {
            throw new UsageException(name + " makes several calls and cannot be shown with --dry-run", "");
        } else {
            out.println(Json.indented(CallException.request(name, params.get()), 2));
        }
    }
}
