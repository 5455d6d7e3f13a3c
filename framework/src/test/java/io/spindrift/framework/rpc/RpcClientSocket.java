package io.spindrift.framework.rpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/// A client that sends exactly the bytes it is told to, for tests of the server.
final class RpcClientSocket implements AutoCloseable {
    private final SocketChannel channel;

    RpcClientSocket(RpcAddress address) throws IOException {
        channel = SocketChannel.open(address.family());
        channel.connect(address.socketAddress());
    }

    RpcClientSocket send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return this;
    }

    /// Says that nothing more will be sent.
    RpcClientSocket finishSending() throws IOException {
        channel.shutdownOutput();
        return this;
    }

    /// The next reply's text, as it came, up to the end of its line. Lines without text may be sent at any time.
    String line() throws IOException {
        String text = text();
        while (text.equals("\n")) {
            text = text();
        }
        return text;
    }

    /// As [#line()], of a large reply that nothing follows.
    String lineInBulk() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        ByteBuffer many = ByteBuffer.allocate(1 << 16);
        do {
            channel.read(many.clear());
            line.write(many.array(), 0, many.position());
        } while (many.get(many.position() - 1) != '\n');
        return line.toString(StandardCharsets.UTF_8);
    }

    /// Everything up to the end of the line.
    String text() throws IOException {
        StringBuilder line = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (channel.read(one.clear()) == 1) {
            line.append((char) one.get(0));
            if (one.get(0) == '\n') {
                return line.toString();
            }
        }
        return line + "<CLOSED>";
    }

    JsonNode call(String request) throws IOException {
        return Json.parse(send(request).line());
    }

    /// Whether the server has closed, after everything it sent was read.
    boolean isClosedByServer() throws IOException {
        return channel.read(ByteBuffer.allocate(1)) < 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
