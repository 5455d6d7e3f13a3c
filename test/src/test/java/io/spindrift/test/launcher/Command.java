package io.spindrift.test.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs a command to its end.
final class Command {
    private static final long LIMIT_SECONDS = 120;

    private Command() {}

    /// What a command left behind.
    record Result(int status, String out, String err) {}

    /// Runs a command whose environment is this process's, changed by `environment`, where an empty value removes.
    static Result run(Path folder, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("out", null);
        Path err = Files.createTempFile("err", null);
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(command)).directory(folder.toFile())
                    .redirectInput(Path.of("/dev/null").toFile()).redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().remove("SPINDRIFT_JAVA_OPTS");
            environment.forEach((name, value) -> {
                if (value.isEmpty()) {
                    builder.environment().remove(name);
                } else {
                    builder.environment().put(name, value);
                }
            });
            Process process = builder.start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + " ran for more than " + LIMIT_SECONDS + " s");
            }
            return new Result(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
