package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.sock.SockBench.Pair;
import io.spindrift.sock.spi.SockImplementation;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// Whatever the sizes of requests, their pieces, the sockets' buffers and the peer's appetite: every byte comes back once,
/// in order.
abstract class EchoProperty {
    abstract SockImplementation implementation();

    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void everyByteComesBackInOrder(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 0, max = 200_000) Integer> sizes,
            @ForAll @IntRange(min = 100, max = 70_000) int piece, @ForAll boolean smallBuffers, @ForAll long seed)
            throws Exception {
        SockImplOptions options = SockImplOptions.DEFAULT.withZerocopy(false, false, 0);
        try (SockBench bench = new SockBench(implementation(),
                smallBuffers ? options.withBufferSizes(4096, 4096) : options, SockOptions.DEFAULT)) {
            Pair pair = bench.pair();
            echo(pair, new Random(seed));
            ByteArrayOutputStream sent = new ByteArrayOutputStream();
            List<TestRequest> requests = new ArrayList<>();
            for (int size : sizes) {
                byte[] bytes = SockContract.random(size, seed + size);
                sent.writeBytes(bytes);
                TestRequest request = TestRequest.of(bytes, piece);
                requests.add(request);
                bench.run(() -> pair.client().send(request));
            }
            Random moods = new Random(seed + 1);
            bench.reactor.stepUntil(() -> {
                if (moods.nextInt(4) == 0) {
                    bench.run(pair.server()::resumeReceiving);
                }
                return pair.atClient().bytes.size() == sent.size()
                        && requests.stream().noneMatch(TestRequest::queued);
            });
            assertArrayEquals(sent.toByteArray(), pair.atClient().bytes.toByteArray());
            requests.forEach(request -> assertEquals(List.of(0), request.ends));
            assertEquals(List.of(), bench.reactor.reports());
        }
    }

    /// The server sends back what it consumes, of which it takes as much as it feels like.
    private static void echo(Pair pair, Random random) {
        AtomicLong echoed = new AtomicLong();
        Queue<TestRequest> alive = new ArrayDeque<>();
        pair.atServer().appetite = offered -> random.nextInt(3) == 0 ? random.nextLong(offered + 1) : offered;
        pair.atServer().onReceived = () -> {
            byte[] all = pair.atServer().bytes.toByteArray();
            byte[] fresh = Arrays.copyOfRange(all, (int) echoed.get(), all.length);
            echoed.set(all.length);
            TestRequest answer = TestRequest.of(fresh);
            alive.add(answer);
            pair.server().send(answer);
        };
    }
}
