package io.spindrift.apps;

import io.spindrift.apps.train.Training;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/// The one main class: `Main NAME ARGS...` runs the [Program] NAME with ARGS.
///
/// Two more first arguments serve the build: `--programs` prints the programs' names, one a line, and `--train FOLDER` runs
/// [Training] with its files in FOLDER.
public final class Main {
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /// Runs a program and exits the JVM with its status.
    ///
    /// A status of 0 lets the JVM end by itself: a program that returns has stopped its threads, and one that has not
    /// should be seen.
    public static void main(String[] args) throws Exception {
        int status = checked(run(args, System.out, System.err), System.out, System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    /// `status`, or 1 if it is 0 and `out` lost something: a disk is full, or a reader has closed.
    static int checked(int status, PrintStream out, PrintStream err) {
        if (!out.checkError()) {
            return status;
        }
        err.println("Standard output could not be written.");
        return status == 0 ? 1 : status;
    }

    /// Runs a program in this JVM.
    ///
    /// @param args the program's name, then its arguments
    /// @param out receives the list of programs when that was asked for
    /// @param err receives the usage when no program of that name exists
    /// @return the program's exit status; 2 if there is no such program
    static int run(String[] args, PrintStream out, PrintStream err) throws Exception {
        if (args.length == 0) {
            err.println("No program was named.");
            usage(err);
            return WRONG_USAGE;
        }
        String name = args[0];
        switch (name) {
            case "-h", "--help" -> {
                usage(out);
                return 0;
            }
            case "--programs" -> {
                Arrays.stream(Program.values()).map(Program::programName).forEach(out::println);
                return 0;
            }
            case "--train" -> {
                return Training.run(Path.of(args[1]));
            }
            default -> {
                Optional<Program> program = Program.find(name);
                if (program.isEmpty()) {
                    err.println("There is no program \"" + name + "\".");
                    usage(err);
                    return WRONG_USAGE;
                }
                return program.get().app().run(Arrays.copyOfRange(args, 1, args.length));
            }
        }
    }

    private static void usage(PrintStream stream) {
        stream.println("Usage: spindrift PROGRAM [ARGUMENTS]");
        stream.println("Programs:");
        for (Program program : Program.values()) {
            stream.printf("  %-12s %s%n", program.programName(), program.summary());
        }
    }
}
