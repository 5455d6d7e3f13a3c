package io.spindrift.test.guest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `nvmf_tgt` on this side, which the guest reaches at 10.0.2.2: started again, with the same configuration file, whenever it
/// was killed by SIGKILL. Closing ends it.
final class GuestTarget implements AutoCloseable {
    private static final int KILLED = 128 + 9;

    private final int port;
    private final int rpcPort;
    private final List<String> command;
    private final Path log;
    private Process process;
    private boolean closed;

    /// Starts it with a configuration whose @PORT@ becomes a free port and @FOLDER@ `folder`, where its log is, too.
    GuestTarget(Path house, Path configuration, Path folder) throws IOException {
        try (ServerSocket first = free(); ServerSocket second = free()) {
            port = first.getLocalPort();
            rpcPort = second.getLocalPort();
        }
        Path file = Files.writeString(folder.resolve("config.json"), Files.readString(configuration)
                .replace("@PORT@", Integer.toString(port)).replace("@FOLDER@", folder.toString()));
        log = folder.resolve("nvmf_tgt.log");
        command = List.of(house.resolve("build/bin/nvmf_tgt").toString(), "--disable-cpumask-locks", "-c",
                file.toString(), "-r", "127.0.0.1:" + rpcPort);
        start();
    }

    private static ServerSocket free() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private synchronized void start() throws IOException {
        if (!closed) {
            process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
            process.onExit().thenAccept(this::ended);
        }
    }

    private void ended(Process last) {
        if (last.exitValue() == KILLED) {
            try {
                start();
            } catch (IOException e) {
                throw new AssertionError(e); // nobody listens, which the guest finds out
            }
        }
    }

    int port() {
        return port;
    }

    int rpcPort() {
        return rpcPort;
    }

    /// What it has said, all its lives.
    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public synchronized void close() {
        closed = true;
        process.destroyForcibly();
    }
}
