package io.spindrift.apps.setup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The program on a machine that is a folder.
abstract class SetupFixture {
    @TempDir
    private Path folder;

    final Map<String, String> environment = new HashMap<>();
    FakeMachine machine;
    String out = "";
    String err = "";

    @BeforeEach
    void makeMachine() throws IOException {
        machine = new FakeMachine(folder);
    }

    /// Returns its exit status; what it printed is in `out` and `err`.
    int setup(String... args) throws InterruptedException {
        ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        int status = new SetupApp(folder, machine, environment, new PrintStream(stdout, true, StandardCharsets.UTF_8),
                new PrintStream(stderr, true, StandardCharsets.UTF_8)).start(args);
        out = stdout.toString(StandardCharsets.UTF_8);
        err = stderr.toString(StandardCharsets.UTF_8);
        return status;
    }
}
