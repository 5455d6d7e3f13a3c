package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.sock.SockBench.Pair;
import io.spindrift.sock.spi.SockImplementation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// MSG_ZEROCOPY on loopback, where the kernel says of each send that it copied it after all
/// (Documentation/networking/msg_zerocopy.rst: "data sent to the local host is always copied").
abstract class ZeroCopyContract {
    private static final int THRESHOLD = 10_000;
    private static final int STUCK = 180_000;

    private SockBench bench;

    abstract SockImplementation implementation();

    @BeforeEach
    void open() {
        bench = bench(true);
    }

    @AfterEach
    void close() {
        if (bench != null) { // else the test was skipped
            bench.close();
        }
    }

    private SockBench bench(boolean forced) {
        return new SockBench(implementation(),
                SockImplOptions.DEFAULT.withZerocopy(true, true, THRESHOLD),
                SockOptions.DEFAULT.withForceZeroCopy(forced));
    }

    /// A peer that reads nothing by itself, with a small buffer.
    private Socket slowPeer() throws IOException {
        Socket peer = new Socket();
        peer.setReceiveBufferSize(32768);
        peer.connect(new InetSocketAddress("127.0.0.1", bench.listener.address().port()));
        return peer;
    }

    /// A request that fits into the sender's buffer and not into the peer's: some of it stays in the sender's kernel, as
    /// references to its pages.
    private TestRequest stuck(Sock sock) {
        TestRequest request = TestRequest.of(new byte[STUCK]);
        bench.run(() -> sock.send(request));
        bench.reactor.stepUntil(() -> bench.count(SockCounter.SENT_BYTES) == STUCK);
        bench.reactor.settle();
        assertEquals(List.of(), request.ends);
        return request;
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
        try (Socket peer = slowPeer()) {
            Sock sock = bench.add(bench.accept(), new Recorder());
            TestRequest request = stuck(sock);
            assertEquals(STUCK, peer.getInputStream().readNBytes(STUCK).length);
            bench.reactor.stepUntil(() -> !request.ends.isEmpty());
            assertEquals(List.of(0), request.ends);
        }
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
        try (Socket peer = slowPeer()) {
            Sock sock = bench.add(bench.accept(), new Recorder());
            TestRequest request = stuck(sock);
            bench.run(sock::close);
            bench.reactor.settle();
            assertEquals(List.of(), request.ends, "the peer has not read it yet");
            assertEquals(0, (int) bench.reactor.run(bench.thread, bench.group::size));
            assertEquals(STUCK, peer.getInputStream().readAllBytes().length, "what the kernel had taken is delivered");
            bench.reactor.stepUntil(() -> !request.ends.isEmpty());
            assertEquals(List.of(0), request.ends);
        }
    }

    @Test
    void aPeerThatNeverReadsIsResetAfterASecond() throws Exception {
        try (Socket _ = slowPeer()) {
            Sock sock = bench.add(bench.accept(), new Recorder());
            TestRequest request = stuck(sock);
            TestRequest large = TestRequest.of(new byte[8_000_000]);
            TestRequest unsent = TestRequest.of(new byte[10]);
            bench.run(() -> {
                sock.send(large);
                sock.send(unsent);
            });
            bench.reactor.settle();
            bench.run(sock::close);
            bench.reactor.stepUntil(() -> !unsent.ends.isEmpty());
            bench.reactor.settle();
            assertEquals(List.of(Errno.ECANCELED), unsent.ends);
            assertEquals(List.of(), request.ends, "the kernel may still send it");
            bench.reactor.clock().advance(1_100_000_000);
            bench.reactor.stepUntil(() -> !request.ends.isEmpty() && !large.ends.isEmpty());
            assertEquals(List.of(0), request.ends);
            assertEquals(List.of(Errno.ECANCELED), large.ends);
        }
    }
}
