package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class RpcServerTest {
    private static final String VERSION_RESULT = "{\"version\":\"Spindrift v0.1.0\","
            + "\"fields\":{\"major\":0,\"minor\":1,\"patch\":0,\"suffix\":\"\"}}";

    record Echo(String text) {}

    record Count(int lines) {}

    /// What a handler did, and where.
    private record Step(String what, Thread thread) {
        static Step of(String what) {
            return new Step(what, Thread.currentThread());
        }
    }

    @TempDir
    Path directory;

    private final RpcRegistry registry = new RpcRegistry();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore slowCallsBegun = new Semaphore(0);
    private final Semaphore slowCallsMayEnd = new Semaphore(0);
    private final Semaphore eventCallsBegun = new Semaphore(0);
    private final Semaphore events = new Semaphore(0);
    private final List<Step> steps = Collections.synchronizedList(new ArrayList<>());
    private RpcServer server;

    @BeforeEach
    void serve() throws IOException {
        CoreRpcs.register(registry);
        registry.register(RpcMethod.of("echo", Echo.class, RpcState.STARTUP), Echo::text);
        registry.register(RpcMethod.of("repeat", Count.class, RpcState.STARTUP),
                count -> Collections.nCopies(count.lines(), "0123456789"));
        registry.register(RpcMethod.of("slow", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("slow begins"));
            slowCallsBegun.release();
            slowCallsMayEnd.acquire();
            steps.add(Step.of("slow ends"));
            return true;
        });
        registry.register(RpcMethod.of("event", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("event"));
            return new RpcWait(() -> {
                eventCallsBegun.release();
                events.acquire();
                return "event";
            });
        });
        registry.register(RpcMethod.of("raise", NoParams.class, RpcState.STARTUP), none -> {
            steps.add(Step.of("raise"));
            events.release();
            return true;
        });
        registry.register(RpcMethod.of("broken", NoParams.class, RpcState.STARTUP), none -> {
            throw new AssertionError("a bug");
        });
        server = RpcServer.listen(new RpcAddress.Unix(directory.resolve("rpc.sock")), registry, RpcLog.NONE, threads);
    }

    @AfterEach
    void stop() throws IOException {
        slowCallsMayEnd.release(10_000);
        events.release(100_000);
        server.close();
        threads.close();
    }

    private RpcClientSocket connect() throws IOException {
        return new RpcClientSocket(server.address());
    }

    private static String version(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + VERSION_RESULT + "}";
    }

    private static String request(Object id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"spdk_get_version\",\"id\":" + id + "}";
    }

    // ---- JSON-RPC 2.0: https://www.jsonrpc.org/specification, and what the peer answers --------------------------

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

    // ---- sizes ----------------------------------------------------------------------------------------------------

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

    // ---- many clients ---------------------------------------------------------------------------------------------

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
    void forgetsAThousandClientsThatCloseWhileTheirCallRuns() throws Exception {
        for (int i = 0; i < 1000; i++) {
            try (RpcClientSocket client = connect()) {
                client.send("{\"method\":\"slow\",\"id\":1}");
                slowCallsBegun.acquire();
            }
        }
        try (RpcClientSocket other = connect()) {
            assertEquals(version(1) + "\n", other.send(request(1)).line());
        }
        slowCallsMayEnd.release(1000);
        while (server.connections() > 0) { // ends by the test's time limit if one is never forgotten
            Thread.onSpinWait();
        }
    }

    @Test
    void answersAClientThatHasFinishedSending() throws IOException {
        try (RpcClientSocket client = connect()) {
            client.send(request(1)).send(request(2)).finishSending();
            assertEquals(version(1) + "\n", client.line());
            assertEquals(version(2) + "\n", client.line());
            assertTrue(client.isClosedByServer());
        }
    }

    // ---- calls that wait for an event ---------------------------------------------------------------------------

    private static String call(String method, Object id) {
        return "{\"method\":\"" + method + "\",\"id\":" + id + "}";
    }

    private static String result(Object id, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    @Test
    void aCallThatWaitsForALaterRequestOfItsConnectionIsAnsweredWhenItIsDue() throws IOException {
        try (RpcClientSocket client = connect()) {
            client.send(call("event", 1) + request(2));
            assertEquals(version(2) + "\n", client.line());
            client.send(call("raise", 3));
            assertEquals(Set.of(result(1, "\"event\"") + "\n", result(3, "true") + "\n"),
                    Set.of(client.line(), client.line()));
        }
    }

    @Test
    void aCallThatBlocksWithoutWaitingForAnEventHoldsTheNextOneBack() throws Exception {
        try (RpcClientSocket client = connect()) {
            client.send(call("slow", 1) + call("event", 2) + call("raise", 3));
            slowCallsBegun.acquire();
            slowCallsMayEnd.release();
            assertEquals(result(1, "true") + "\n", client.line());
            assertEquals(Set.of(result(2, "\"event\"") + "\n", result(3, "true") + "\n"),
                    Set.of(client.line(), client.line()));
            assertEquals(List.of("slow begins", "slow ends", "event", "raise"),
                    steps.stream().map(Step::what).toList());
            assertEquals(1, steps.stream().map(Step::thread).distinct().count(),
                    "one thread, so that the order is no accident");
        }
    }

    /// Returns once `connection`'s thread holds a request back: it waits, and not for bytes of the client's.
    private static void awaitHeldBack(Thread connection) {
        while (Arrays.stream(connection.getStackTrace()).noneMatch(
                frame -> frame.getClassName().equals(Object.class.getName()) && frame.getMethodName().equals("wait"))) {
            Thread.onSpinWait(); // ends by the test's time limit if it never does
        }
    }

    @Test
    void aBatchIsAnsweredInItsOrderWhenTheLastOfItsCallsIsAndHoldsNoRequestBack() throws Exception {
        try (RpcClientSocket client = connect()) {
            client.send("[" + call("event", 1) + "," + request(2) + "," + call("event", 3) + "," + call("raise", 4)
                    + "]");
            client.send(call("raise", 5));
            JsonNode first = Json.parse(client.line());
            JsonNode second = Json.parse(client.line());
            JsonNode batch = first.isArray() ? first : second;
            assertEquals(Json.parse("[" + result(1, "\"event\"") + "," + version(2) + "," + result(3, "\"event\"") + ","
                    + result(4, "true") + "]"), batch);
            assertEquals(Json.parse(result(5, "true")), first.isArray() ? second : first);
        }
    }

    @Test
    void aNotificationThatWaitsIsRunAndNotAnswered() throws Exception {
        try (RpcClientSocket client = connect()) {
            client.send("{\"method\":\"event\"}");
            eventCallsBegun.acquire();
            client.send(call("raise", 1)).finishSending();
            assertEquals(result(1, "true") + "\n", client.line());
            assertTrue(client.isClosedByServer());
        }
    }

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
    void aClientWithTooManyWaitingCallsIsHeldBackAndLosesNone() throws Exception {
        try (RpcClientSocket client = connect()) {
            for (int id = 0; id < WaitingCalls.MOST; id++) {
                client.send(call("event", id));
            }
            eventCallsBegun.acquire(WaitingCalls.MOST);
            client.send(call("slow", -1));
            awaitHeldBack(steps.getFirst().thread());
            assertEquals(0, slowCallsBegun.availablePermits());
            events.release(1);
            slowCallsBegun.acquire();
            slowCallsMayEnd.release();
            events.release(WaitingCalls.MOST);
            Set<Integer> answered = new HashSet<>();
            for (int i = 0; i <= WaitingCalls.MOST; i++) {
                answered.add(Json.parse(client.line()).get("id").intValue());
            }
            assertEquals(WaitingCalls.MOST + 1, answered.size());
        }
    }

    @Test
    void aBatchOfMoreWaitingCallsThanWaitAtATimeIsAnsweredWhole() throws Exception {
        int calls = 2 * WaitingCalls.MOST;
        try (RpcClientSocket client = connect()) {
            client.send("[" + String.join(",", Collections.nCopies(calls, call("event", 1))) + "]");
            eventCallsBegun.acquire(WaitingCalls.MOST);
            events.release(calls);
            assertEquals(calls, Json.parse(client.line()).size());
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

    // ---- clients that go ----------------------------------------------------------------------------------------

    private void awaitNoConnection(RpcServer of) {
        while (of.connections() > 0) { // ends by the test's time limit if one is never forgotten
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "127.0.0.1:0"})
    void forgetsAClientThatClosesWhileACallWaitsAndInterruptsTheCall(String address) throws Exception {
        Semaphore interrupted = new Semaphore(0);
        registry.register(RpcMethod.of("forever", NoParams.class, RpcState.STARTUP), none -> new RpcWait(() -> {
            eventCallsBegun.release();
            try {
                return events.tryAcquire(Long.MAX_VALUE, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                interrupted.release();
                throw e;
            }
        }));
        RpcAddress where = address.equals("unix")
                ? new RpcAddress.Unix(directory.resolve("other"))
                : RpcAddress.parse(address);
        try (RpcServer other = RpcServer.listen(where, registry, RpcLog.NONE, threads)) {
            try (RpcClientSocket client = new RpcClientSocket(other.address())) {
                client.send(call("forever", 1) + call("forever", 2));
                eventCallsBegun.acquire(2);
            }
            interrupted.acquire(2);
            awaitNoConnection(other);
        }
    }

    @Test
    void forgetsAClientThatClosesWhileTooManyOfItsCallsWait() throws Exception {
        String calls = String.join(",", Collections.nCopies(WaitingCalls.MOST + 1, call("event", 1)));
        for (String requests : List.of(calls.replace("},{", "}{"), "[" + calls + "]")) {
            try (RpcClientSocket client = connect()) {
                client.send(requests);
                eventCallsBegun.acquire(WaitingCalls.MOST);
            }
            awaitNoConnection(server);
        }
    }

    @Test
    void sendsAClientThatHasFinishedSendingWhiteSpaceUntilItsAnswerIsDue() throws Exception {
        for (RpcAddress address : List.of(new RpcAddress.Unix(directory.resolve("half")),
                RpcAddress.parse("127.0.0.1:0"))) {
            try (RpcServer other = RpcServer.listen(address, registry, RpcLog.NONE, threads);
                    RpcClientSocket client = new RpcClientSocket(other.address())) {
                client.send(call("event", 1)).finishSending();
                assertEquals("\n", client.text());
                assertEquals("\n", client.text());
                events.release();
                assertEquals(result(1, "\"event\"") + "\n", client.line());
                assertTrue(client.isClosedByServer());
            }
        }
    }

    // ---- large batches --------------------------------------------------------------------------------------------

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

    // ---- closing --------------------------------------------------------------------------------------------------

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

    // ---- TCP ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "[::1]:0"})
    void servesOnTcp(String address) throws IOException {
        try (RpcServer tcp = RpcServer.listen(RpcAddress.parse(address), registry, RpcLog.NONE, threads);
                RpcClientSocket client = new RpcClientSocket(tcp.address())) {
            assertEquals(version(1) + "\n", client.send(request(1)).line());
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
