package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client against servers that misbehave.
@Timeout(60)
class RpcClientTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ServerSocketChannel listener;
    private RpcAddress address;

    @BeforeEach
    void listen() throws IOException {
        listener = ServerSocketChannel.open().bind(RpcAddress.parse("127.0.0.1:0").socketAddress());
        address = RpcAddress.parse("127.0.0.1:" + listener.socket().getLocalPort());
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        threads.close();
    }

    /// A server that reads the beginning of a request, answers with `text` in pieces of one byte, and closes.
    private Future<?> serverThatSays(String text) {
        return threads.submit(() -> {
            try (SocketChannel client = listener.accept()) {
                client.read(ByteBuffer.allocate(1 << 16));
                for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
                    client.write(ByteBuffer.wrap(new byte[]{b}));
                }
            }
            return null;
        });
    }

    private String failure(String serverSays) throws IOException {
        serverThatSays(serverSays);
        try (RpcClient client = RpcClient.connect(address, Duration.ofSeconds(30))) {
            return assertThrows(IOException.class, () -> client.call("x", null)).getMessage();
        }
    }

    @Test
    void readsAReplyThatComesInPieces() throws IOException {
        serverThatSays(" {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":[\"}\"]}} \n");
        try (RpcClient client = RpcClient.connect(address, Duration.ofSeconds(30))) {
            assertEquals("{\"a\":[\"}\"]}", Json.compact(client.call("x", null)));
        }
    }

    @Test
    void saysWhenTheServerClosesWithoutAnAnswer() throws IOException {
        assertEquals("the application closed the connection before it answered x", failure("{\"id\":1"));
    }

    @Test
    void refusesWhatIsNoReply() throws IOException {
        for (String text : new String[]{"hello", "{\"id\":1}", "{\"id\":2,\"result\":1}", "{\"id\":1,}", "[]"}) {
            assertTrue(failure(text).startsWith("the application answered what is no reply: "), text);
        }
    }

    @Test
    void throwsTheErrorOfAReply() {
        serverThatSays("{\"id\":null,\"error\":{\"code\":-19,\"message\":\"none\"}}");
        RpcException e = assertThrows(RpcException.class, () -> {
            try (RpcClient client = RpcClient.connect(address, Duration.ofSeconds(30))) {
                client.call("x", null);
            }
        });
        assertEquals(-19, e.code());
        assertEquals("none", e.getMessage());
    }

    @Test
    void givesUpWhenTheAnswerIsLateEvenIfTheServerDoesNotRead() throws IOException {
        try (RpcClient client = RpcClient.connect(address, Duration.ofMillis(50))) {
            var params = Json.emptyObject();
            params.put("text", "a".repeat(64 << 20));
            SocketTimeoutException e = assertThrows(SocketTimeoutException.class, () -> client.call("x", params));
            assertEquals("no answer to x within 0.05 s", e.getMessage());
        }
    }
}
