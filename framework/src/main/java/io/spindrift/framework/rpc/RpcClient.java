package io.spindrift.framework.rpc;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls methods of an application through its socket, one after the other. One thread, which may block.
public final class RpcClient implements AutoCloseable {
    private static final int MAX_REPLY_BYTES = 1 << 29;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final long timeoutNanos;
    private final RequestFramer replies = new RequestFramer(MAX_REPLY_BYTES);
    private long lastId;

    private RpcClient(SocketChannel channel, Duration timeout) throws IOException {
        this.channel = channel;
        this.timeoutNanos = timeout.toNanos();
        channel.configureBlocking(false);
        selector = Selector.open();
        key = channel.register(selector, 0);
    }

    /// Connects. `timeout` limits each call, from its first byte sent to its reply. Throws `IOException` if nobody
    /// listens at `address`.
    public static RpcClient connect(RpcAddress address, Duration timeout) throws IOException {
        SocketChannel channel = SocketChannel.open(address.family());
        try {
            channel.connect(address.socketAddress());
            return new RpcClient(channel, timeout);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Calls `method` and returns its result. `params` may be null for none.
    ///
    /// Throws [RpcException] if the application answers with an error, [SocketTimeoutException] if it answers late,
    /// and another `IOException` if it closes the connection or answers what is no reply.
    public JsonNode call(String method, JsonNode params) throws IOException {
        ObjectNode request = Json.emptyObject();
        request.put("jsonrpc", "2.0");
        request.put("method", method);
        if (params != null && !params.isEmpty()) {
            request.set("params", params);
        }
        request.put("id", ++lastId);
        long deadline = System.nanoTime() + timeoutNanos;
        send(ByteBuffer.wrap(Json.compact(request).getBytes(StandardCharsets.UTF_8)), deadline, method);
        JsonNode reply = receive(deadline, method);
        JsonNode error = reply.get("error");
        if (error != null) {
            throw new RpcException(error.path("code").asInt(RpcException.INTERNAL_ERROR),
                    error.path("message").asString("the application gave no reason"));
        }
        if (!reply.path("id").isNumber() || reply.get("id").longValue() != lastId || reply.get("result") == null) {
            throw new IOException("the application answered what is no reply: " + Json.excerpt(reply));
        }
        return reply.get("result");
    }

    private void send(ByteBuffer bytes, long deadline, String method) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, deadline, method);
            }
        }
    }

    private JsonNode receive(long deadline, String method) throws IOException {
        while (true) {
            Optional<JsonNode> reply = next();
            if (reply.isPresent()) {
                return reply.get();
            }
            int count = channel.read(replies.space());
            if (count < 0) {
                throw new IOException("the application closed the connection before it answered " + method);
            } else if (count == 0) {
                await(SelectionKey.OP_READ, deadline, method);
            }
            replies.received(Math.max(count, 0));
        }
    }

    private Optional<JsonNode> next() throws IOException {
        try {
            return replies.next().map(Json::parse);
        } catch (RpcException | JsonException e) {
            throw new IOException("the application answered what is no reply: " + e.getMessage(), e);
        }
    }

    private void await(int operation, long deadline, String method) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("no answer to " + method + " within " + timeoutNanos / 1e9 + " s");
        }
        key.interestOps(operation);
        selector.select(Math.max(1, left / 1_000_000));
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
