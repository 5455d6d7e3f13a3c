package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Calls that wait, and the clients that go meanwhile.
@Timeout(60)
class RpcServerWaitingTest extends RpcServerFixture {
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
}
