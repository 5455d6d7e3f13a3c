package io.spindrift.test.guest;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// QEMU's own control of a guest: its machine protocol, one JSON object a line.
final class QemuMonitor implements AutoCloseable {
    private final SocketChannel channel;
    private final BufferedReader lines;
    private final List<String> events = new ArrayList<>();

    /// Connects to what `-qmp unix:SOCKET,server=on,wait=off` listens at.
    QemuMonitor(Path socket) throws IOException {
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
        lines.readLine(); // its greeting
        execute("qmp_capabilities", "{}");
    }

    /// Runs a command and returns its answer, which must not be an error.
    String execute(String command, String arguments) throws IOException {
        channel.write(ByteBuffer.wrap(("{\"execute\": \"" + command + "\", \"arguments\": " + arguments + "}\n")
                .getBytes(StandardCharsets.UTF_8)));
        while (true) {
            String line = next();
            if (line.startsWith("{\"return\"")) {
                return line;
            }
            if (line.startsWith("{\"error\"")) {
                throw new IOException(command + " " + arguments + ": " + line);
            }
            events.add(line);
        }
    }

    /// Waits for an event that names what it is about.
    void await(String event, String about) throws IOException {
        while (events.stream()
                .noneMatch(line -> line.contains("\"event\": \"" + event + "\"") && line.contains(about))) {
            events.add(next());
        }
    }

    private String next() throws IOException {
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("QEMU has ended; events: " + events);
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
