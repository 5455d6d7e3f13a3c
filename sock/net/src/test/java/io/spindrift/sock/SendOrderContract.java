package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.Errno;
import io.spindrift.sock.SockBench.Pair;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/// In which order requests leave, in every implementation.
abstract class SendOrderContract extends BenchedTest {
    private static final int RUN = 64 << 10;

    private static TestRequest text(String text) {
        return TestRequest.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static TestRequest letters(String letter, int count) {
        return text(letter.repeat(count));
    }

    private String received(Pair pair, int bytes) {
        until(() -> pair.atServer().bytes.size() >= bytes);
        bench.reactor.settle();
        return pair.atServer().bytes.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void whatGoesBehindFollowsAllOfThePoll() throws Exception {
        Pair pair = bench.pair();
        bench.run(() -> {
            pair.client().sendBehind(text("1"));
            pair.client().send(text("one "));
            pair.client().sendBehind(text("2"));
            pair.client().send(text("two "));
        });
        assertEquals("one two 12", received(pair, 10));
        bench.run(() -> pair.client().sendBehind(text("3")));
        assertEquals("one two 123", received(pair, 11));
        bench.run(() -> pair.client().send(text(" four")));
        assertEquals("one two 123 four", received(pair, 16));
    }

    @Test
    void aRunIsNotLongerThanItMayBe() throws Exception {
        Pair pair = bench.pair();
        bench.run(() -> {
            pair.client().send(letters("a", RUN - 1));
            pair.client().sendBehind(text("1"));
            pair.client().send(text("b"));
            pair.client().sendBehind(text("2"));
            pair.client().send(text("c"));
            pair.client().sendBehind(text("3"));
        });
        assertEquals("b12c3", received(pair, RUN + 4).substring(RUN - 1));
    }

    /// Bulk data that nothing goes behind does not keep what is behind already.
    @Test
    void laterRequestsDoNotLengthenARun() throws Exception {
        Pair pair = bench.pair();
        bench.run(() -> {
            pair.client().sendBehind(text("1"));
            for (int i = 0; i < 4; i++) {
                pair.client().send(letters("a", RUN));
            }
        });
        assertEquals("1", received(pair, 4 * RUN + 1).substring(RUN, RUN + 1));
    }

    @Test
    void requestsEndInTheOrderInWhichTheyLeave() throws Exception {
        Pair pair = bench.pair();
        StringBuilder order = new StringBuilder();
        bench.run(() -> {
            for (String name : List.of("x", "y", "z")) {
                TestRequest data = text("data");
                data.onSent = () -> order.append(name);
                pair.client().send(data);
                TestRequest behind = text("behind");
                behind.onSent = () -> order.append(name.toUpperCase(Locale.ROOT));
                pair.client().sendBehind(behind);
            }
        });
        until(() -> order.length() == 6);
        assertEquals("xyzXYZ", order.toString());
    }

    @Test
    void whatIsBehindEndsWithTheConnection() throws Exception {
        Pair pair = bench.pair();
        TestRequest before = text("before");
        TestRequest behind = text("behind");
        TestRequest after = text("after");
        bench.run(() -> {
            pair.client().sendBehind(behind);
            pair.client().send(before);
            pair.client().close();
            pair.client().sendBehind(after);
        });
        until(() -> !after.ends.isEmpty());
        assertEquals(List.of(Errno.ECANCELED), before.ends);
        assertEquals(List.of(Errno.ECANCELED), behind.ends);
        assertEquals(List.of(Errno.ECANCELED), after.ends);
    }
}
