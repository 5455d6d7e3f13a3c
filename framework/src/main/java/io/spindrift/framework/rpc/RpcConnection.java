package io.spindrift.framework.rpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// One client of an [RpcServer]: reads a request, runs it, writes the reply, and only then looks at the next one.
///
/// So replies come in the order of the requests, a configuration sent in one go is applied in its order, and a client
/// that sends more than it reads is held back by the kernel's buffers. Runs on its own virtual thread.
final class RpcConnection implements Runnable {
    /// What is given to the kernel at once: java.nio copies it to a buffer of this size, which it keeps.
    private static final int WRITE_BYTES = 64 * 1024;

    private final SocketChannel channel;
    private final RequestProcessor processor;
    private final RpcLog log;
    private final Consumer<RpcConnection> whenEnded;
    private final RequestFramer framer = new RequestFramer(RequestFramer.MAX_REQUEST_BYTES);

    private boolean busy; // guarded by this
    private boolean closing; // guarded by this

    RpcConnection(SocketChannel channel, RequestProcessor processor, RpcLog log, Consumer<RpcConnection> whenEnded) {
        this.channel = channel;
        this.processor = processor;
        this.log = log;
        this.whenEnded = whenEnded;
    }

    @Override
    public void run() {
        try (channel) {
            serve();
        } catch (IOException gone) {
            // The client closed, or close() did. There is nobody left to tell, and nothing to undo.
            return;
        } finally {
            whenEnded.accept(this);
        }
    }

    private void serve() throws IOException {
        try {
            while (true) {
                for (Optional<byte[]> request = framer.next(); request.isPresent(); request = framer.next()) {
                    if (!begin()) {
                        return;
                    }
                    try {
                        answer(request.get());
                    } finally {
                        end();
                    }
                }
                int count = channel.read(framer.space());
                if (count < 0) {
                    return;
                }
                framer.received(count);
            }
        } catch (RpcException e) {
            write(RequestProcessor.error(null, e));
            discardRest();
        }
    }

    private void answer(byte[] request) throws IOException {
        log.request(new String(request, StandardCharsets.UTF_8));
        Optional<JsonNode> reply = processor.process(request);
        if (reply.isPresent()) {
            write(reply.get());
        }
    }

    private void write(JsonNode reply) throws IOException {
        String text = Json.compact(reply);
        log.reply(text);
        ByteBuffer bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
        int length = bytes.limit();
        while (bytes.position() < length) {
            bytes.limit(Math.min(length, bytes.position() + WRITE_BYTES));
            channel.write(bytes);
        }
    }

    /// Waits until the client closes. To close with unread data would make the kernel throw the reply away (TCP) or
    /// fail the client's writing before it reads the reply (both).
    private void discardRest() throws IOException {
        channel.shutdownOutput();
        ByteBuffer bin = ByteBuffer.allocate(WRITE_BYTES);
        while (channel.read(bin) >= 0) {
            bin.clear();
        }
    }

    private synchronized boolean begin() {
        busy = !closing;
        return busy;
    }

    private synchronized void end() throws IOException {
        busy = false;
        if (closing) {
            channel.close();
        }
    }

    /// Closes at once if no call is running, else when it is answered. Any thread.
    synchronized void closeWhenIdle() throws IOException {
        closing = true;
        if (!busy) {
            channel.close();
        }
    }

    /// Closes without waiting for the answer to a call that is running. Any thread.
    void closeNow() throws IOException {
        channel.close();
    }
}
