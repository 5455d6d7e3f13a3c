package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.sock.SockBench.Pair;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What every implementation does, with the kernel's loopback as the network.
abstract class SockContract extends BenchedTest {
    static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private Socket javaPeer() throws IOException {
        Socket peer = new Socket();
        peer.connect(new InetSocketAddress("127.0.0.1", bench.listener.address().port()));
        return peer;
    }

    // ---- both directions --------------------------------------------------------------------------------------

    @Test
    void bytesArriveAsTheyWereSent() throws Exception {
        Pair pair = bench.pair();
        byte[] bytes = random(3_000_000, 1);
        TestRequest request = TestRequest.of(bytes, 1000); // more ranges than one system call takes
        bench.run(() -> pair.client().send(request));
        until(() -> pair.atServer().bytes.size() == bytes.length && !request.ends.isEmpty());
        assertArrayEquals(bytes, pair.atServer().bytes.toByteArray());
        assertEquals(List.of(0), request.ends);
        assertEquals(bytes.length, bench.count(SockCounter.SENT_BYTES));
        assertEquals(bytes.length, bench.count(SockCounter.RECEIVED_BYTES));
    }

    @Test
    void manySocketsReceiveMoreAtOnceThanTheGroupHasBuffersFor() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            pairs.add(bench.pair());
        }
        byte[] bytes = random(400_000, 6);
        bench.run(() -> pairs.forEach(pair -> pair.client().send(TestRequest.of(bytes))));
        until(() -> pairs.stream().allMatch(pair -> pair.atServer().bytes.size() == bytes.length));
        pairs.forEach(pair -> assertArrayEquals(bytes, pair.atServer().bytes.toByteArray()));
    }

    @Test
    void requestsOfOnePollGoOutInOneSend() throws Exception {
        Pair pair = bench.pair();
        bench.reactor.settle();
        long before = bench.count(SockCounter.COPIED_SENDS);
        bench.run(() -> {
            for (String part : List.of("one ", "two ", "three")) {
                pair.client().send(TestRequest.of(part.getBytes(StandardCharsets.US_ASCII)));
            }
        });
        until(() -> pair.atServer().bytes.size() == 13);
        assertEquals("one two three", pair.atServer().bytes.toString(StandardCharsets.US_ASCII));
        assertEquals(1, bench.count(SockCounter.COPIED_SENDS) - before);
    }

    @Test
    void requestsWithoutBytesEndInOrder() throws Exception {
        Pair pair = bench.pair();
        List<String> order = new ArrayList<>();
        TestRequest empty = new TestRequest(1);
        TestRequest full = TestRequest.of(new byte[5]);
        TestRequest last = new TestRequest(1);
        empty.onSent = () -> order.add("empty");
        full.onSent = () -> order.add("full");
        last.onSent = () -> order.add("last");
        bench.run(() -> List.of(empty, full, last).forEach(pair.client()::send));
        until(() -> order.size() == 3);
        assertEquals(List.of("empty", "full", "last"), order);
    }

    @Test
    void aRequestIsSentAgainFromItsOwnEnd() throws Exception {
        Pair pair = bench.pair();
        TestRequest request = TestRequest.of(new byte[]{7});
        request.onSent = () -> {
            if (request.ends.size() < 5) {
                pair.client().send(request);
            }
        };
        bench.run(() -> pair.client().send(request));
        until(() -> pair.atServer().bytes.size() == 5);
        assertArrayEquals(new byte[]{7, 7, 7, 7, 7}, pair.atServer().bytes.toByteArray());
        bench.reactor.settle();
        assertEquals(List.of(0, 0, 0, 0, 0), request.ends);
    }

    @Test
    void aRequestInUseIsRefused() throws Exception {
        Pair pair = bench.pair();
        TestRequest request = TestRequest.of(new byte[1]);
        bench.run(() -> {
            pair.client().send(request);
            assertThrows(IllegalStateException.class, () -> pair.client().send(request));
            assertThrows(IllegalStateException.class, request::clear);
        });
    }

    @Test
    void sendingWaitsForTheSocketsBuffer() throws Exception {
        bench.close();
        bench = new SockBench(implementation(),
                SockImplOptions.DEFAULT.withBufferSizes(4096, 4096).withZerocopy(false, false, 0), SockOptions.DEFAULT);
        Pair pair = bench.pair();
        pair.atServer().appetite = _ -> 0; // the peer reads nothing
        byte[] bytes = random(1_000_000, 2);
        TestRequest first = TestRequest.of(Arrays.copyOf(bytes, 400_000), 3000);
        TestRequest second = TestRequest.of(Arrays.copyOfRange(bytes, 400_000, bytes.length), 70_000);
        bench.run(() -> {
            pair.client().send(first);
            pair.client().send(second);
        });
        until(() -> pair.server().receivingPaused());
        bench.reactor.settle();
        assertEquals(List.of(), second.ends, "a megabyte does not fit into buffers of a few kilobytes");
        pair.atServer().appetite = offered -> offered;
        bench.run(pair.server()::resumeReceiving);
        until(() -> pair.atServer().bytes.size() == bytes.length && !second.ends.isEmpty());
        assertArrayEquals(bytes, pair.atServer().bytes.toByteArray());
        assertEquals(List.of(0), first.ends);
        assertEquals(List.of(0), second.ends);
    }

    // ---- back-pressure ----------------------------------------------------------------------------------------

    @Test
    void whatIsNotConsumedIsOfferedAgainAndTheRestWaitsInTheKernel() throws Exception {
        Pair pair = bench.pair();
        byte[] bytes = random(20_000_000, 3); // more than the sockets' buffers hold
        pair.atServer().appetite = offered -> Math.min(offered, 10);
        TestRequest request = TestRequest.of(bytes);
        bench.run(() -> pair.client().send(request));
        until(() -> pair.server().receivingPaused());
        bench.reactor.settle();
        assertEquals(10, pair.atServer().bytes.size());
        assertEquals(1, pair.atServer().offers, "nothing is offered while it is paused");
        assertEquals(List.of(), request.ends, "the peer is held up");
        assertTrue(bench.group.blocks().inUse() <= 64, "what is kept is bounded");

        pair.atServer().appetite = offered -> offered;
        bench.run(pair.server()::resumeReceiving);
        until(() -> pair.atServer().bytes.size() == bytes.length);
        assertArrayEquals(bytes, pair.atServer().bytes.toByteArray());
        assertEquals(0, bench.group.blocks().inUse());
    }

    @Test
    void aResumeFromWithinTheCallbackCounts() throws Exception {
        Pair pair = bench.pair();
        pair.atServer().appetite = _ -> 1;
        pair.atServer().onReceived = pair.server()::resumeReceiving;
        bench.run(() -> pair.client().send(TestRequest.of("a byte at a time".getBytes(StandardCharsets.US_ASCII))));
        until(() -> pair.atServer().bytes.size() == 16);
        assertEquals("a byte at a time", pair.atServer().bytes.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void theEndIsToldAfterWhatWasKept() throws Exception {
        Pair pair = bench.pair();
        pair.atServer().appetite = _ -> 0;
        bench.run(() -> pair.client().send(TestRequest.of(random(100, 4))));
        until(() -> pair.server().receivingPaused());
        bench.run(pair.client()::close);
        bench.reactor.settle();
        assertEquals(List.of(), pair.atServer().ends);
        pair.atServer().appetite = offered -> offered;
        bench.run(pair.server()::resumeReceiving);
        until(() -> !pair.atServer().ends.isEmpty());
        assertEquals(100, pair.atServer().bytes.size());
        assertEquals(List.of(0), pair.atServer().ends);
    }

    // ---- ends -------------------------------------------------------------------------------------------------

    @Test
    void aPeerThatEndsItsHalfStillReceives() throws Exception {
        try (Socket peer = javaPeer()) {
            Recorder recorder = new Recorder();
            Sock sock = bench.add(bench.accept(), recorder);
            peer.getOutputStream().write(new byte[]{1, 2, 3});
            peer.shutdownOutput();
            until(() -> !recorder.ends.isEmpty());
            assertArrayEquals(new byte[]{1, 2, 3}, recorder.bytes.toByteArray());
            assertEquals(List.of(0), recorder.ends);
            TestRequest answer = TestRequest.of(new byte[]{4, 5});
            bench.run(() -> sock.send(answer));
            until(() -> !answer.ends.isEmpty());
            assertEquals(List.of(0), answer.ends);
            assertArrayEquals(new byte[]{4, 5}, peer.getInputStream().readNBytes(2));
        }
    }

    @Test
    void theHalfThatEndsIsReadAfterWhatWasSentAndTheOtherGoesOn() throws Exception {
        try (Socket peer = javaPeer()) {
            Recorder recorder = new Recorder();
            Sock sock = bench.add(bench.accept(), recorder);
            TestRequest request = TestRequest.of(new byte[]{1, 2, 3});
            bench.run(() -> {
                sock.send(request);
                assertFalse(request.begun(), "the poll sends it");
            });
            until(() -> !request.ends.isEmpty());
            assertTrue(request.begun());
            bench.run(sock::endSending);
            assertArrayEquals(new byte[]{1, 2, 3}, peer.getInputStream().readAllBytes());
            peer.getOutputStream().write(new byte[]{4, 5});
            until(() -> recorder.bytes.size() == 2);
            assertEquals(List.of(), recorder.ends);
        }
    }

    @Test
    void aResetIsToldOnceWithItsErrno() throws Exception {
        Socket peer = javaPeer();
        Recorder recorder = new Recorder();
        Sock sock = bench.add(bench.accept(), recorder);
        bench.reactor.settle();
        peer.setSoLinger(true, 0); // close(2) then sends a reset
        peer.close();
        until(() -> !recorder.ends.isEmpty());
        bench.reactor.settle();
        assertEquals(List.of(Errno.ECONNRESET), recorder.ends);
        TestRequest late = TestRequest.of(new byte[1]);
        bench.run(() -> sock.send(late));
        until(() -> !late.ends.isEmpty());
        assertEquals(List.of(Errno.EPIPE), late.ends); // send(2) on a connection that was reset before
    }

    @Test
    void queuedRequestsEndWhenThePeerResets() throws Exception {
        Socket peer = javaPeer();
        Recorder recorder = new Recorder();
        Sock sock = bench.add(bench.accept(), recorder);
        TestRequest large = TestRequest.of(new byte[30_000_000]);
        TestRequest behind = TestRequest.of(new byte[10]);
        bench.run(() -> {
            sock.send(large);
            sock.send(behind);
        });
        bench.reactor.settle();
        assertEquals(List.of(), large.ends, "nobody reads it");
        peer.close(); // with unread bytes: a reset
        until(() -> !behind.ends.isEmpty());
        assertEquals(1, large.ends.size());
        assertTrue(large.ends.getFirst() == Errno.ECONNRESET || large.ends.getFirst() == Errno.EPIPE,
                () -> "ends: " + large.ends);
        assertEquals(large.ends, behind.ends);
        until(() -> !recorder.ends.isEmpty());
        bench.reactor.settle();
        assertEquals(1, recorder.ends.size());
    }

    @Test
    void closeEndsQueuedRequestsOnce() throws Exception {
        Pair pair = bench.pair();
        pair.atServer().appetite = _ -> 0;
        TestRequest large = TestRequest.of(new byte[30_000_000]);
        TestRequest queued = TestRequest.of(new byte[10]);
        bench.run(() -> {
            pair.client().send(large);
            pair.client().send(queued);
        });
        bench.reactor.settle();
        TestRequest late = TestRequest.of(new byte[10]);
        bench.run(() -> {
            pair.client().close();
            pair.client().close();
            assertEquals(List.of(), queued.ends, "never within the call");
            pair.client().send(late);
        });
        until(() -> !queued.ends.isEmpty() && !late.ends.isEmpty());
        bench.reactor.settle();
        assertEquals(List.of(Errno.ECANCELED), large.ends);
        assertEquals(List.of(Errno.ECANCELED), queued.ends);
        assertEquals(List.of(Errno.ECANCELED), late.ends);
        TestRequest later = TestRequest.of(new byte[10]);
        bench.run(() -> pair.client().send(later));
        until(() -> !later.ends.isEmpty());
        assertEquals(List.of(Errno.ECANCELED), later.ends);
        assertEquals(List.of(), pair.atClient().ends, "the closer is told nothing");
    }

    @Test
    void anySocketMayBeClosedInACallback() throws Exception {
        Pair one = bench.pair();
        Pair two = bench.pair();
        one.atServer().onReceived = () -> {
            one.server().close();
            two.server().close();
        };
        two.atServer().onReceived = one.atServer().onReceived;
        bench.run(() -> {
            one.client().send(TestRequest.of(new byte[10]));
            two.client().send(TestRequest.of(new byte[10]));
        });
        until(() -> !one.atClient().ends.isEmpty() && !two.atClient().ends.isEmpty());
        assertFalse(one.server().open());
        assertEquals(2L, bench.reactor.run(bench.thread, () -> (long) bench.group.size()));
        assertEquals(List.of(), bench.reactor.reports());
    }

    @Test
    void aSocketMayBeClosedInTheEndOfItsRequest() throws Exception {
        Pair pair = bench.pair();
        TestRequest first = TestRequest.of(new byte[10]);
        TestRequest second = TestRequest.of(new byte[10]);
        first.onSent = pair.client()::close;
        bench.run(() -> {
            pair.client().send(first);
            pair.client().send(second);
        });
        until(() -> !pair.atServer().ends.isEmpty());
        assertEquals(1, first.ends.size());
        assertEquals(1, second.ends.size());
        assertEquals(List.of(0), pair.atServer().ends);
    }

    @Test
    void closingTheGroupEndsAllRequests() throws Exception {
        Pair pair = bench.pair();
        TestRequest request = TestRequest.of(new byte[10]);
        bench.run(() -> {
            pair.client().send(request);
            bench.group.close();
        });
        assertEquals(List.of(Errno.ECANCELED), request.ends);
        assertEquals(2, bench.sockets.stats(bench.name).get(SockCounter.REMOVED), "counted beyond its end");
    }

    @Test
    void aCallbackCannotCloseTheGroupUnderIt() throws Exception {
        Pair pair = bench.pair();
        List<RuntimeException> refused = new ArrayList<>();
        pair.atServer().onReceived = () -> refused.add(assertThrows(IllegalStateException.class, bench.group::close));
        bench.run(() -> pair.client().send(TestRequest.of(new byte[10])));
        until(() -> refused.size() == 1);
        bench.run(() -> pair.client().send(TestRequest.of(new byte[10])));
        until(() -> pair.atServer().bytes.size() == 20);
    }

    // ---- bad consumers and peers ------------------------------------------------------------------------------

    @Test
    void aReceiverThatThrowsLosesItsConnectionOnly() throws Exception {
        Pair bad = bench.pair();
        Pair good = bench.pair();
        bad.atServer().onReceived = () -> {
            throw new IllegalStateException("scripted");
        };
        bench.run(() -> {
            bad.client().send(TestRequest.of(new byte[10]));
            good.client().send(TestRequest.of(new byte[10]));
        });
        until(() -> good.atServer().bytes.size() == 10 && !bad.atServer().ends.isEmpty());
        assertEquals(List.of(Errno.EIO), bad.atServer().ends);
        assertEquals(List.of(), good.atServer().ends);
        assertEquals(1, bench.reactor.reports().size());
        bench.reactor.reports().clear();
    }

    @Test
    void aReceiverThatConsumesMoreThanThereIsLosesItsConnection() throws Exception {
        Pair pair = bench.pair();
        pair.atServer().appetite = offered -> offered + 1;
        bench.run(() -> pair.client().send(TestRequest.of(new byte[10])));
        until(() -> !pair.atServer().ends.isEmpty());
        assertEquals(List.of(Errno.EIO), pair.atServer().ends);
        assertTrue(bench.reactor.reports().getFirst().contains("consumed=11 is outside 0..10"));
        bench.reactor.reports().clear();
    }

    @Test
    void peersThatComeAndGoThrowNothing() throws Exception {
        Random random = new Random(5);
        List<Recorder> recorders = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Socket peer = javaPeer();
            if (random.nextBoolean()) {
                peer.getOutputStream().write(random(random.nextInt(1, 100_000), i));
            }
            if (random.nextBoolean()) {
                peer.setSoLinger(true, 0);
            }
            if (random.nextBoolean()) {
                peer.sendUrgentData(random.nextInt(256));
            }
            if (random.nextBoolean()) {
                bench.reactor.stepAll();
            }
            peer.close();
            bench.reactor.stepAll();
            takeAll(recorders, random);
        }
        bench.reactor.settle();
        takeAll(recorders, random);
        until(() -> recorders.stream().noneMatch(recorder -> recorder.ends.isEmpty()));
        assertTrue(recorders.size() > 50, "connections that were reset before they were accepted do not count");
        assertEquals(List.of(), bench.reactor.reports());
    }

    private void takeAll(List<Recorder> recorders, Random random) {
        while (!bench.accepted.isEmpty()) {
            Recorder recorder = new Recorder();
            recorders.add(recorder);
            Sock sock = bench.add(bench.accepted.remove(), recorder);
            if (random.nextBoolean()) {
                bench.run(() -> sock.send(TestRequest.of(new byte[random.nextInt(1, 50_000)])));
            }
        }
    }

    // ---- many sockets -----------------------------------------------------------------------------------------

    @Test
    void idleSocketsCostNoSystemCallEach() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 500; i++) { // 1,000 sockets
            pairs.add(bench.pair());
        }
        bench.reactor.settle();
        for (int i = 0; i < 100; i++) { // those that were active are forgotten
            bench.reactor.stepAll();
        }
        long empty = bench.count(SockCounter.EMPTY_RECEIVES);
        long waits = bench.count(SockCounter.WAITS);
        for (int i = 0; i < 100; i++) {
            bench.reactor.stepAll();
        }
        assertEquals(empty, bench.count(SockCounter.EMPTY_RECEIVES));
        assertTrue(bench.count(SockCounter.WAITS) - waits <= 200, "one a poll, and one more when epoll woke");
        Pair last = pairs.getLast();
        bench.run(() -> last.client().send(TestRequest.of(new byte[]{9})));
        until(() -> last.atServer().bytes.size() == 1);
    }

    @Test
    void busySocketsAreServedAlike() throws Exception {
        int sockets = 100;
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < sockets; i++) {
            pairs.add(bench.pair());
        }
        for (Pair pair : pairs) {
            TestRequest ping = TestRequest.of(new byte[1]);
            TestRequest pong = TestRequest.of(new byte[1]);
            pair.atServer().onReceived = () -> pair.server().send(pong);
            pair.atClient().onReceived = () -> pair.client().send(ping);
            bench.run(() -> pair.client().send(ping));
        }
        until(() -> pairs.stream().mapToInt(pair -> pair.atClient().offers).sum() >= sockets * 200);
        double mean = pairs.stream().mapToInt(pair -> pair.atClient().offers).average().orElseThrow();
        int slowest = pairs.stream().mapToInt(pair -> pair.atClient().offers).min().orElseThrow();
        assertTrue(slowest >= mean / 2, () -> "slowest " + slowest + ", mean " + mean);
        pairs.forEach(pair -> {
            pair.atServer().onReceived = () -> {};
            pair.atClient().onReceived = () -> {};
        });
    }

    @Test
    void nothingIsOutstandingOnceAllIsQuiet() throws Exception {
        Pair pair = bench.pair();
        bench.run(() -> pair.client().send(TestRequest.of(new byte[100_000])));
        until(() -> pair.atServer().bytes.size() == 100_000);
        bench.reactor.settle();
        assertTrue(bench.reactor.<Boolean, RuntimeException>run(bench.thread, bench.group::readyToSleep));
        bench.run(() -> pair.client().send(TestRequest.of(new byte[1])));
        until(() -> pair.atServer().bytes.size() == 100_001);
    }
}
