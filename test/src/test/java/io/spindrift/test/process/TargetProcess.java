package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// A program, `spdk_tgt` or another, from this JVM's modules, with the programs' flags, as a process of its own. Closing
/// kills it.
final class TargetProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path FLAGS = Path.of(System.getProperty("spindrift.home"), "launcher/jvm.flags");

    private final Process process;
    private final Path socket;
    private final Path errors;
    private final Path output;

    /// Starts `spdk_tgt` with its socket and what it prints in `folder`.
    TargetProcess(Path folder, String... arguments) throws IOException {
        this("spdk_tgt", folder, List.of(arguments));
    }

    /// Starts `program`.
    static TargetProcess of(String program, Path folder, String... arguments) throws IOException {
        return new TargetProcess(program, folder, List.of(arguments));
    }

    private TargetProcess(String program, Path folder, List<String> arguments) throws IOException {
        socket = folder.resolve("rpc.sock");
        errors = Files.createTempFile(folder, "stderr", null);
        output = Files.createTempFile(folder, "stdout", null);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Files.readAllLines(FLAGS).stream().filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(command::add);
        // Others' jars that no module requires by name are on this JVM's class path.
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-p",
                System.getProperty("jdk.module.path"), "-m",
                "io.spindrift.apps/io.spindrift.apps.Main", program, "--disable-cpumask-locks", "-r",
                socket.toString()));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
                .redirectError(errors.toFile()).redirectOutput(output.toFile()).start();
    }

    long pid() {
        return process.pid();
    }

    /// Waits until its RPC server answers; fails if it ends instead.
    TargetProcess awaitReady() throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                call("framework_wait_init", "{}");
                return this;
            } catch (IOException _) {
                process.waitFor(20, TimeUnit.MILLISECONDS); // nobody listens yet
            }
        }
        throw new AssertionError("it is not ready: " + errors());
    }

    /// One call over a connection of its own; apostrophes for quotation marks.
    JsonNode call(String method, String params) throws IOException {
        try (RpcClient client = RpcClient.connect(new RpcAddress.Unix(socket), LIMIT)) {
            return client.call(method, Json.parse(params.replace('\'', '"')));
        }
    }

    void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    /// Waits for its end and returns the status.
    int status() throws Exception {
        assertTrue(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS), () -> "it hangs: " + errors());
        return process.exitValue();
    }

    /// Waits until it has printed `text`.
    void awaitOutput(String text) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!output().contains(text)) {
            assertTrue(System.nanoTime() < end, () -> "it prints " + output() + errors());
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    /// What it has written to standard error.
    String errors() {
        return read(errors);
    }

    /// What it has written to standard output.
    String output() {
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
