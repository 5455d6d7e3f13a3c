package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceFileReader;
import io.spindrift.framework.trace.TraceFormatException;
import io.spindrift.framework.trace.TraceOptions;
import io.spindrift.framework.trace.TraceRingSnapshot;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// The program `spdk_trace`.
public final class TraceApp {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    private static final int OUTPUT_BUFFER = 1 << 16;

    private final Path directory;
    private final PrintStream out;
    private final PrintStream err;

    TraceApp(Path directory, PrintStream out, PrintStream err) {
        this.directory = directory;
        this.out = out;
        this.err = err;
    }

    /// Runs the program on the process's standard streams. Returns its exit status: 1 if there is no readable trace.
    public static int run(String[] args) {
        PrintStream buffered = new PrintStream(new BufferedOutputStream(System.out, OUTPUT_BUFFER), false,
                StandardCharsets.UTF_8);
        return new TraceApp(TraceOptions.SHARED_MEMORY, buffered, System.err).start(args);
    }

    int start(String... args) {
        CommandLine command = new CommandLine(TraceArguments.spec());
        try {
            ParseResult parsed = command.parseArgs(args);
            if (parsed.isUsageHelpRequested()) {
                command.usage(out);
                out.flush();
                return 0;
            }
            return print(TraceArguments.of(parsed));
        } catch (ParameterException | IllegalArgumentException e) {
            err.println("spdk_trace: " + e.getMessage());
            command.usage(err);
            return WRONG_USAGE;
        }
    }

    private int print(TraceArguments arguments) {
        try {
            Path path = new TraceFinder(directory).find(arguments);
            if (arguments.file().isEmpty()) {
                err.println("Using trace file: " + path);
            }
            return print(arguments, path);
        } catch (TraceFormatException | NoSuchFileException e) {
            err.println("spdk_trace: " + e.getMessage());
        } catch (AccessDeniedException e) {
            err.println("spdk_trace: " + e.getFile() + " may not be read by this user");
        } catch (IOException e) {
            err.println("spdk_trace: cannot read the trace: " + e.getMessage());
        }
        return FAILED;
    }

    private int print(TraceArguments arguments, Path path) throws IOException {
        try (TraceFileReader file = TraceFileReader.open(path)) {
            List<Integer> cores = file.cores();
            if (arguments.core().isPresent()) {
                int core = arguments.core().getAsInt();
                if (!cores.contains(core)) {
                    err.println(
                            "spdk_trace: core " + core + " has no records in " + path + "; cores that have: " + cores);
                    return FAILED;
                }
                cores = List.of(core);
            }
            List<TraceRingSnapshot> rings = file.snapshot(cores);
            Timeline timeline = new Timeline(file.groups(), rings, file.capacity());
            EventPrinter printer = arguments.json()
                    ? new JsonPrinter(out)
                    : new TextPrinter(out, arguments.ticks(), arguments.deltas());
            printer.begin(file, rings, timeline.base());
            timeline.forEach(printer::print);
            printer.end();
            reportLosses(rings);
            return 0;
        }
    }

    private void reportLosses(List<TraceRingSnapshot> rings) {
        for (TraceRingSnapshot ring : rings) {
            if (ring.lost() > 0) {
                err.println("core " + ring.core() + ": " + ring.lost()
                        + " records were overwritten while they were read, or left unfinished by a killed program");
            }
        }
    }
}
