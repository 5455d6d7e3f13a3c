package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Requests and their answers.
@Timeout(60)
class RpcServerTest extends RpcServerFixture {
    @ParameterizedTest
    @ValueSource(strings = {"1", "\"abc\"", "null", "-1.50", "123456789012345678901234567890", "1E+999999999",
            "[1,{\"a\":true}]"})
    void echoesTheIdWhateverItIs(String id) throws IOException {
        try (RpcClientSocket client = connect()) {
            assertEquals(version(id) + "\n", client.send(request(id)).line());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}"})
    void takesParamsThatSayNothing(String params) throws IOException {
        try (RpcClientSocket client = connect()) {
            String sent = "{\"method\":\"spdk_get_version\",\"params\":" + params + ",\"id\":3}";
            assertEquals(version(3) + "\n", client.send(sent).line());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"test\":\"x\"}", "[]", "[1]", "\"s\"", "1", "true", "[[[[[[[[[[]]]]]]]]]]",
            "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}}",
            "{\"a\":1,\"a\":1}"})
    void refusesOtherParamsAndGoesOn(String params) throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call("{\"method\":\"spdk_get_version\",\"params\":" + params + ",\"id\":7}");
            assertEquals(-32602, reply.get("error").get("code").intValue());
            assertEquals(7, reply.get("id").intValue());
            assertEquals(version(8) + "\n", client.send(request(8)).line());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'jsonrpc':'1.0','method':'spdk_get_version','id':3} | -32600",
            "{'jsonrpc':2.0,'method':'spdk_get_version','id':3} | -32600", "{'jsonrpc':'2.0','id':4} | -32600",
            "{'method':1,'id':4} | -32600", "{'method':'spdk_get_version','parms':{},'id':4} | -32600",
            "{'method':'a','method':'b','id':4} | -32600", "[] | -32600"})
    void answersWhatIsNoRequestWithTheIdNullAndGoesOn(String sent, int code) throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call(sent.replace('\'', '"'));
            assertEquals(code, reply.get("error").get("code").intValue());
            assertTrue(reply.get("id").isNull());
            assertEquals(version(8) + "\n", client.send(request(8)).line());
        }
    }

    @Test
    void answersEveryElementOfABatchInAnArray() throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode replies = client.call("[" + request(1) + ",{\"method\":\"nope\",\"id\":2},1,"
                    + "{\"method\":\"spdk_get_version\"}," + request(3) + "]");
            assertEquals(4, replies.size());
            assertEquals(Json.parse(version(1)), replies.get(0));
            assertEquals(-32601, replies.get(1).get("error").get("code").intValue());
            assertEquals(-32600, replies.get(2).get("error").get("code").intValue());
            assertEquals(3, replies.get(3).get("id").intValue());
        }
    }

    @Test
    void answersNoNotificationsAlsoNotInABatch() throws IOException {
        try (RpcClientSocket client = connect()) {
            client.send("{\"method\":\"spdk_get_version\"}").send("{\"method\":\"nope\"}");
            client.send("[{\"method\":\"spdk_get_version\"}]");
            assertEquals(version(1) + "\n", client.send(request(1)).line());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'jsonrpc':'2.0','method':}|-32700", "]|-32700", "{]|-32700", "x|-32700",
            "GET / HTTP/1.1|-32700", "'text'|-32600", "12|-32600", "{'a':01}|-32700", "{'a':'\\ud800'}|-32700"})
    void answersWhatIsNoJsonAndCloses(String sent, int code) throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call(sent.replace('\'', '"'));
            assertEquals(code, reply.get("error").get("code").intValue());
            assertTrue(reply.get("id").isNull());
            assertTrue(client.isClosedByServer());
        }
    }

    @Test
    void refusesDeepNestingBeforeItIsParsed() throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call("[".repeat(100_000));
            assertEquals(-32700, reply.get("error").get("code").intValue());
        }
    }

    @Test
    void survivesABugInAHandler() throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call("{\"method\":\"broken\",\"id\":1}");
            assertEquals(-32603, reply.get("error").get("code").intValue());
            assertEquals(version(2) + "\n", client.send(request(2)).line());
        }
    }

    private static String requestOf(int bytes) {
        String head = "{\"method\":\"echo\",\"id\":1,\"params\":{\"text\":\"";
        return head + "a".repeat(bytes - head.length() - 3) + "\"}}";
    }

    @ParameterizedTest
    @ValueSource(ints = {32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1, 60_000, (1 << 20) - 1, 1 << 20})
    void takesRequestsOfUpToAMebibyte(int bytes) throws Exception {
        try (RpcClientSocket client = connect()) {
            Future<String> reply = threads.submit(client::line);
            client.send(requestOf(bytes) + "  " + request(2));
            assertTrue(reply.get().length() > bytes - 100);
            assertEquals(version(2) + "\n", client.line());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {(1 << 20) + 1, 5 << 20})
    void refusesLongerOnesNamingTheLimitAndClosesCleanly(int bytes) throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode error = client.call(requestOf(bytes)).get("error");
            assertEquals(-32600, error.get("code").intValue());
            assertEquals("the request is longer than 1048576 bytes", error.get("message").stringValue());
            assertTrue(client.isClosedByServer());
        }
    }

    @Test
    void takesARequestThatArrivesByteByByte() throws IOException {
        try (RpcClientSocket client = connect()) {
            for (char c : (" \n" + request("\"a\\\"}\"")).toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertEquals(version("\"a\\\"}\"") + "\n", client.line());
        }
    }

    @Test
    void sendsALargeReplyToAClientThatReadsOneByteAtATime() throws IOException {
        try (RpcClientSocket client = connect()) {
            JsonNode reply = client.call("{\"method\":\"repeat\",\"params\":{\"lines\":40000},\"id\":1}");
            assertEquals(40_000, reply.get("result").size());
        }
    }

    @Test
    void answers512PipelinedRequestsInTheirOrder() throws IOException {
        try (RpcClientSocket client = connect()) {
            StringBuilder all = new StringBuilder();
            for (int id = 0; id < 512; id++) {
                all.append(request(id));
            }
            client.send(all.toString());
            for (int id = 0; id < 512; id++) {
                assertEquals(version(id) + "\n", client.line());
            }
        }
    }

    @Test
    void serves512ClientsAtOnceWhileASlowCallRuns() throws IOException {
        List<RpcClientSocket> clients = new ArrayList<>();
        try (RpcClientSocket slow = connect()) {
            slow.send("{\"method\":\"slow\",\"id\":1}");
            for (int i = 0; i < 512; i++) {
                clients.add(connect());
            }
            for (RpcClientSocket client : clients) {
                client.send(request(1));
            }
            for (RpcClientSocket client : clients) {
                assertEquals(version(1) + "\n", client.line());
            }
            assertEquals(513, server.connections());
            slowCallsMayEnd.release();
            assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}\n", slow.line());
        } finally {
            for (RpcClientSocket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void endsABatchWhoseAnswersGrowTooLargeWithAnErrorAndGoesOn() throws Exception {
        AtomicInteger made = new AtomicInteger();
        String quarter = "x".repeat(BatchAnswers.MOST_CHARACTERS / 4);
        registry.register(RpcMethod.of("large", NoParams.class, RpcState.STARTUP), none -> {
            made.incrementAndGet();
            return quarter;
        });
        try (RpcClientSocket client = connect()) {
            Future<JsonNode> reply = threads.submit(() -> Json.parse(client.lineInBulk()));
            client.send("[" + String.join(",", Collections.nCopies(20_000, call("large", 1))) + "]");
            JsonNode answers = reply.get();
            assertEquals(4, made.get());
            assertEquals(5, answers.size());
            assertEquals(quarter, answers.get(3).get("result").stringValue());
            assertTrue(answers.get(4).get("id").isNull());
            assertEquals(-32603, answers.get(4).get("error").get("code").intValue());
            assertEquals("the answers to a batch may have 4194304 characters: [4] and what follows it was not run",
                    answers.get(4).get("error").get("message").stringValue());
            assertEquals(version(2) + "\n", client.send(request(2)).line());
        }
    }

    @Test
    void tellsTheLogEveryRequestAndReply() throws IOException {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        RpcLog log = new RpcLog() {
            @Override
            public void request(String json) {
                lines.add("> " + json);
            }

            @Override
            public void reply(String json) {
                lines.add("< " + json);
            }
        };
        try (RpcServer logged = RpcServer.listen(new RpcAddress.Unix(directory.resolve("logged")), registry, log,
                threads); RpcClientSocket client = new RpcClientSocket(logged.address())) {
            client.call(request(1));
            assertEquals(List.of("> " + request(1), "< " + version(1)), lines);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "[::1]:0"})
    void servesOnTcp(String address) throws IOException {
        try (RpcServer tcp = RpcServer.listen(RpcAddress.parse(address), registry, RpcLog.NONE, threads);
                RpcClientSocket client = new RpcClientSocket(tcp.address())) {
            assertEquals(version(1) + "\n", client.send(request(1)).line());
        }
    }
}
