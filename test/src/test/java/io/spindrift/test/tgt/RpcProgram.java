package io.spindrift.test.tgt;

import io.spindrift.apps.Program;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The program `rpc` in this JVM.
public final class RpcProgram {
    private RpcProgram() {}

    /// What a run left behind.
    public record Result(int status, String out, String err) {}

    /// Runs it as typed. Nothing else may print meanwhile: its output is what this JVM prints.
    public static synchronized Result run(String... arguments) throws Exception {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        try (PrintStream newOut = new PrintStream(printed, true, StandardCharsets.UTF_8);
                PrintStream newErr = new PrintStream(complaints, true, StandardCharsets.UTF_8)) {
            System.setOut(newOut);
            System.setErr(newErr);
            int status = Program.RPC.app().run(arguments);
            return new Result(status, printed.toString(StandardCharsets.UTF_8),
                    complaints.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
