package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How connections and the server end.
@Timeout(60)
class RpcServerEndTest extends RpcServerFixture {
    @Test
    void whatIsNotAnsweredYetIsAnsweredBeforeAConnectionCloses() throws Exception {
        try (RpcClientSocket finished = connect(); RpcClientSocket wrong = connect()) {
            finished.send(call("event", 1)).finishSending();
            wrong.send(call("event", 1) + "]");
            assertEquals(-32700, Json.parse(wrong.line()).get("error").get("code").intValue());
            eventCallsBegun.acquire(2);
            events.release(2);
            assertEquals(result(1, "\"event\"") + "\n", finished.line());
            assertTrue(finished.isClosedByServer());
            assertEquals(result(1, "\"event\"") + "\n", wrong.line());
            assertTrue(wrong.isClosedByServer());
        }
    }

    @Test
    void answersAWaitingCallBeforeTheServerCloses() throws Exception {
        try (RpcClientSocket client = connect()) {
            client.send(call("event", 1));
            eventCallsBegun.acquire();
            Future<?> closing = threads.submit(() -> {
                server.close();
                return null;
            });
            events.release();
            assertEquals(result(1, "\"event\"") + "\n", client.line());
            assertTrue(client.isClosedByServer());
            closing.get();
        }
    }

    @Test
    void runsNoMoreOfABatchOnceTheServerHasClosed() throws Exception {
        try (RpcClientSocket client = connect()) {
            client.send("[" + call("slow", 1) + "," + call("slow", 2) + "]");
            slowCallsBegun.acquire();
            server.close();
            slowCallsMayEnd.release(2);
            threads.close();
            assertEquals(0, slowCallsBegun.availablePermits());
        }
    }

    /// Fails to be told, in a handler's thread or in that of a call that waits.
    private static final class UnspeakableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("unspeakable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fails", "fails-later", "[fails-later]"})
    void aConnectionWhoseReplyCannotBeMadeIsLoggedAndClosed(String method) throws Exception {
        registry.register(RpcMethod.of("fails", NoParams.class, RpcState.STARTUP), none -> {
            throw new UnspeakableException();
        });
        registry.register(RpcMethod.of("fails-later", NoParams.class, RpcState.STARTUP), none -> new RpcWait(() -> {
            throw new UnspeakableException();
        }));
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        RpcLog log = new RpcLog() {
            @Override
            public void failed(String sentence, Throwable cause) {
                failures.add(cause);
            }
        };
        String request = method.startsWith("[")
                ? "[" + call(method.substring(1, method.length() - 1), 1) + "]"
                : call(method, 1);
        closesAndForgets(log, request);
        assertTrue(failures.take().toString().contains("unspeakable"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"raise", "event"})
    void aConnectionWhoseReplyCannotBeWrittenIsLoggedAndClosed(String method) throws Exception {
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        RpcLog log = new RpcLog() {
            @Override
            public void reply(String json) {
                throw new IllegalStateException("no room for " + json);
            }

            @Override
            public void failed(String sentence, Throwable cause) {
                failures.add(cause);
            }
        };
        events.release();
        closesAndForgets(log, call(method, 1));
        assertTrue(failures.take().toString().contains("no room for {"));
    }

    private void closesAndForgets(RpcLog log, String request) throws Exception {
        try (RpcServer logged = RpcServer.listen(new RpcAddress.Unix(directory.resolve("logged")), registry, log,
                threads); RpcClientSocket client = new RpcClientSocket(logged.address())) {
            client.send(request);
            assertTrue(client.isClosedByServer());
            awaitNoConnection(logged);
        }
    }

    @Test
    void answersTheRunningCallBeforeItCloses() throws Exception {
        try (RpcClientSocket client = connect(); RpcClientSocket idle = connect()) {
            assertEquals(version(1) + "\n", idle.send(request(1)).line()); // accepted, and not only in the backlog
            client.send("{\"method\":\"slow\",\"id\":1}");
            slowCallsBegun.acquire();
            Future<?> closing = threads.submit(() -> {
                server.close();
                return null;
            });
            assertTrue(idle.isClosedByServer());
            slowCallsMayEnd.release();
            assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}\n", client.line());
            assertTrue(client.isClosedByServer());
            closing.get();
            assertEquals(0, server.connections());
        }
    }

    @Test
    void acceptsAgainAtAPortWhoseServerHasClosed() throws IOException {
        RpcAddress address;
        try (RpcServer first = RpcServer.listen(RpcAddress.parse("127.0.0.1:0"), registry, RpcLog.NONE, threads);
                RpcClientSocket client = new RpcClientSocket(first.address())) {
            address = first.address();
            assertFalse(client.call(request(1)).isEmpty());
        }
        try (RpcServer second = RpcServer.listen(address, registry, RpcLog.NONE, threads)) {
            assertEquals(address, second.address());
        }
    }
}
