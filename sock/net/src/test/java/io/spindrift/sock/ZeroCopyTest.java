package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.sock.SockBench.Pair;
import io.spindrift.sock.posix.PosixSockImplementation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// MSG_ZEROCOPY on loopback, where the kernel says of each send that it copied it after all
/// (Documentation/networking/msg_zerocopy.rst: "data sent to the local host is always copied").
class ZeroCopyTest {
    private static final int THRESHOLD = 10_000;
    private static final int STUCK = 200_000;

    private SockBench bench = bench(true);

    private static SockBench bench(boolean forced) {
        return bench(forced, 2 << 20);
    }

    private static SockBench bench(boolean forced, long recvBytes) {
        return new SockBench(new PosixSockImplementation(),
                SockImplOptions.DEFAULT.withBufferSizes(recvBytes, 2 << 20).withZerocopy(true, true, THRESHOLD),
                SockOptions.DEFAULT.withForceZeroCopy(forced));
    }

    /// A request that fits into the sender's buffer and not into the peer's: some of it stays in the sender's kernel, as
    /// references to its pages.
    private TestRequest stuck(Pair pair) {
        pair.atServer().appetite = _ -> 0;
        TestRequest request = TestRequest.of(new byte[STUCK]);
        bench.run(() -> pair.client().send(request));
        bench.reactor.stepUntil(() -> pair.server().receivingPaused());
        bench.reactor.settle();
        assertEquals(STUCK, bench.count(SockCounter.SENT_BYTES));
        assertEquals(List.of(), request.ends);
        return request;
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void theKernelTellsTheEndOfEachSendAndThatItCopied(String host) throws Exception {
        SockListener listener = bench.listen(host);
        Recorder recorder = new Recorder();
        Sock client = bench.add(bench.connect(listener.address()), new Recorder());
        bench.add(bench.accept(), recorder);
        byte[] bytes = SockContract.random(50 * THRESHOLD, 1);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            TestRequest request = TestRequest.of(Arrays.copyOfRange(bytes, i * THRESHOLD, (i + 1) * THRESHOLD), 999);
            request.onSent = () -> order.add(number);
            bench.run(() -> client.send(request)); // a flush each
        }
        bench.reactor.stepUntil(() -> order.size() == 50);
        assertEquals(IntStream.range(0, 50).boxed().toList(), order);
        bench.reactor.stepUntil(() -> recorder.bytes.size() == bytes.length);
        assertArrayEquals(bytes, recorder.bytes.toByteArray());
        assertEquals(0, bench.count(SockCounter.COPIED_SENDS));
        assertTrue(bench.count(SockCounter.ZERO_COPY_SENDS) >= 50);
        assertEquals(bench.count(SockCounter.ZERO_COPY_SENDS), bench.count(SockCounter.ZERO_COPY_ENDS));
        assertEquals(bench.count(SockCounter.ZERO_COPY_SENDS), bench.count(SockCounter.ZERO_COPY_COPIED));
    }

    @Test
    void aRequestIsNotOverBeforeTheKernelLetsGoOfItsPages() throws Exception {
        bench.close();
        bench = bench(true, 8192);
        Pair pair = bench.pair();
        TestRequest request = stuck(pair);
        TestRequest copied = TestRequest.of(new byte[10]);
        bench.run(() -> pair.client().send(copied));
        bench.reactor.settle();
        assertEquals(List.of(0), copied.ends, "a copy is over at once");
        pair.atServer().appetite = offered -> offered;
        bench.run(pair.server()::resumeReceiving);
        bench.reactor.stepUntil(() -> !request.ends.isEmpty());
        bench.reactor.stepUntil(() -> pair.atServer().bytes.size() == STUCK + 10);
        assertEquals(List.of(0), request.ends);
    }

    @Test
    void flushesBelowTheThresholdAreCopied() throws Exception {
        Pair pair = bench.pair();
        bench.run(() -> pair.client().send(TestRequest.of(new byte[THRESHOLD - 1])));
        bench.reactor.stepUntil(() -> pair.atServer().bytes.size() == THRESHOLD - 1);
        assertEquals(0, bench.count(SockCounter.ZERO_COPY_SENDS));
        bench.run(() -> { // together they reach it
            pair.client().send(TestRequest.of(new byte[THRESHOLD - 1]));
            pair.client().send(TestRequest.of(new byte[1]));
        });
        bench.reactor.stepUntil(() -> pair.atServer().bytes.size() == 2 * THRESHOLD - 1);
        assertEquals(1, bench.count(SockCounter.ZERO_COPY_SENDS));
        assertEquals(1, bench.count(SockCounter.COPIED_SENDS));
    }

    @Test
    void loopbackIsCopiedUnlessForced() throws Exception {
        bench.close();
        bench = bench(false);
        Pair pair = bench.pair();
        bench.run(() -> pair.client().send(TestRequest.of(new byte[1_000_000])));
        bench.reactor.stepUntil(() -> pair.atServer().bytes.size() == 1_000_000);
        assertEquals(0, bench.count(SockCounter.ZERO_COPY_SENDS));
    }

    @Test
    void aClosedSocketKeepsItsRequestsUntilTheKernelLetsGo() throws Exception {
        bench.close();
        bench = bench(true, 8192);
        Pair pair = bench.pair();
        TestRequest request = stuck(pair);
        bench.run(pair.client()::close);
        bench.reactor.settle();
        assertEquals(List.of(), request.ends, "the peer has not read it yet");
        assertEquals(1, (int) bench.reactor.run(bench.thread, bench.group::size));
        pair.atServer().appetite = offered -> offered;
        bench.run(pair.server()::resumeReceiving);
        bench.reactor.stepUntil(() -> !request.ends.isEmpty() && !pair.atServer().ends.isEmpty());
        assertEquals(STUCK, pair.atServer().bytes.size(), "all that the kernel had taken is delivered");
        assertEquals(List.of(0), request.ends);
    }

    @Test
    void aPeerThatNeverReadsIsResetAfterASecond() throws Exception {
        Pair pair = bench.pair();
        pair.atServer().appetite = _ -> 0;
        TestRequest request = TestRequest.of(new byte[8_000_000]);
        TestRequest unsent = TestRequest.of(new byte[10]);
        bench.run(() -> {
            pair.client().send(request);
            pair.client().send(unsent);
        });
        bench.reactor.stepUntil(() -> pair.server().receivingPaused());
        bench.reactor.settle();
        bench.run(pair.client()::close);
        bench.reactor.stepUntil(() -> !unsent.ends.isEmpty());
        assertEquals(List.of(Errno.ECANCELED), unsent.ends);
        assertEquals(List.of(), request.ends, "the kernel may still send it");
        bench.reactor.clock().advance(1_100_000_000);
        bench.run(pair.server()::close); // what it has not read goes, too
        bench.reactor.stepUntil(() -> !request.ends.isEmpty());
        assertEquals(List.of(Errno.ECANCELED), request.ends);
    }
}
