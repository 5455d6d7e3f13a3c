package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Real signals to a real process.
@Timeout(60)
class LauncherProcessTest {
    @TempDir
    Path folder;

    private Process process;
    private BufferedReader output;

    @AfterEach
    void end() throws Exception {
        process.destroyForcibly().waitFor();
    }

    private void start(String... arguments) throws Exception {
        start(List.of(), arguments);
    }

    private void start(List<String> prefix, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp", classPath(),
                LauncherProcess.class.getName(), folder.resolve("rpc.sock").toString()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectError(folder.resolve("stderr").toFile()).start();
        output = process.inputReader();
        assertEquals("ready", output.readLine());
    }

    /// The modules of this JVM that are files, and the tests' classes.
    private static String classPath() throws Exception {
        URI own = LauncherProcessTest.class.getResource("LauncherProcessTest.class").toURI();
        Path tests = Path.of(own).resolve("../../../../..").normalize();
        return tests + ":" + ModuleLayer.boot().configuration().modules().stream()
                .map(module -> module.reference().location().orElseThrow())
                .filter(uri -> uri.getScheme().equals("file"))
                .map(uri -> Path.of(uri).toString()).collect(Collectors.joining(":"));
    }

    private void signal(KillSignal signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal.number(), Long.toString(process.pid())).inheritIO()
                .start();
        assertEquals(0, kill.waitFor());
    }

    private String standardError() throws Exception {
        return Files.readString(folder.resolve("stderr"));
    }

    @Test
    void stopsWithStatusZeroOnSigterm() throws Exception {
        start();
        signal(KillSignal.SIGTERM);

        assertEquals(0, process.waitFor(), standardError());
        assertEquals("stopping", output.readLine());
        assertTrue(standardError().contains("*NOTICE*: SIGTERM: stopping"), standardError());
        assertTrue(Files.notExists(folder.resolve("rpc.sock")));
    }

    /// As a shell starts a background job.
    @Test
    void stopsOnSigintEvenIfThatWasIgnoredWhenItStarted() throws Exception {
        start(List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
        signal(KillSignal.SIGINT);

        assertEquals(0, process.waitFor(), standardError());
    }

    @Test
    void stopsWithStatusZeroOnTheRpcThatSendsSigint() throws Exception {
        start();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(folder.resolve("rpc.sock")))) {
            channel.write(ByteBuffer.wrap("""
                    {"jsonrpc":"2.0","id":1,"method":"spdk_kill_instance","params":{"sig_name":"SIGINT"}}"""
                    .getBytes(StandardCharsets.UTF_8)));
            assertEquals(0, process.waitFor(), standardError());
        }
    }

    @Test
    void endsAtOnceOnTheSecondSignal() throws Exception {
        start("stuck");
        signal(KillSignal.SIGINT);
        assertEquals("stopping", output.readLine());
        signal(KillSignal.SIGINT);

        assertEquals(128 + 2, process.waitFor(), standardError());
    }

    @Test
    void endsWithStatusOneAfterFiveSecondsAndNamesWhatHolds() throws Exception {
        start("stuck");
        long start = System.nanoTime();
        signal(KillSignal.SIGTERM);

        assertEquals(1, process.waitFor(), standardError());
        assertTrue(System.nanoTime() - start >= Lifecycle.STOP_LIMIT_NANOS);
        assertTrue(standardError().contains("tgt (process " + process.pid()
                + ") did not stop within 5000 ms: it still waits for the program"), standardError());
    }
}
