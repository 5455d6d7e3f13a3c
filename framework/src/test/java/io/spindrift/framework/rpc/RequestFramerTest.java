package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RequestFramerTest {
    private static List<String> frame(String text, List<Integer> chunks) {
        RequestFramer framer = new RequestFramer(RequestFramer.MAX_REQUEST_BYTES);
        List<String> requests = new ArrayList<>();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int sent = 0;
        for (int turn = 0; sent < bytes.length; turn++) {
            ByteBuffer space = framer.space();
            int count = Math.min(Math.min(space.remaining(), chunks.get(turn % chunks.size())), bytes.length - sent);
            space.put(bytes, sent, count);
            framer.received(count);
            sent += count;
            for (Optional<byte[]> next = framer.next(); next.isPresent(); next = framer.next()) {
                requests.add(new String(next.get(), StandardCharsets.UTF_8));
            }
        }
        return requests;
    }

    @Property(tries = 300)
    void findsTheSameRequestsHoweverTheyAreCutIntoReads(@ForAll("conversations") List<String> requests,
            @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 1, max = 9000) Integer> chunks,
            @ForAll("spaces") String between) {
        assertEquals(requests, frame(between + String.join(between, requests) + between, chunks));
    }

    @Provide
    Arbitrary<List<String>> conversations() {
        Arbitrary<String> scalars = Arbitraries.of("null", "-1.5e3", "\"{\"", "\"]\\\"}\"", "\"\\\\\"", "\"é😀\"",
                "\"" + "long ".repeat(400) + "\"", "\"\\u0022[\"");
        return containers(containers(scalars)).list().ofMaxSize(8);
    }

    private static Arbitrary<String> containers(Arbitrary<String> elements) {
        return Combinators.combine(elements.list().ofMaxSize(3), Arbitraries.of(true, false))
                .as((list, array) -> array
                        ? "[" + String.join(" ,\n", list) + "]"
                        : list.isEmpty() ? "{ }" : "{\"}\":" + String.join(",\"{\" : ", list) + "}");
    }

    @Provide
    Arbitrary<String> spaces() {
        return Arbitraries.of("", " ", "\r\n", "\t ".repeat(2500));
    }

    @Example
    void countsOnlyTheRequestItselfTowardsTheLimit() {
        String longest = "[\"" + "a".repeat(RequestFramer.MAX_REQUEST_BYTES - 4) + "\"]";
        String space = " ".repeat(3 << 20);
        assertEquals(List.of(longest, "{}", longest),
                frame(space + longest + "{}" + space + longest, List.of(100_000)));
    }

    @Example
    void refusesOneByteMore() {
        String tooLong = "[\"" + "a".repeat(RequestFramer.MAX_REQUEST_BYTES - 3) + "\"]";
        assertThrows(RpcException.class, () -> frame(" {} " + tooLong, List.of(7777)));
    }

    @Example
    void countsNestingAsTheParserDoes() {
        String deepest = "[".repeat(64) + "]".repeat(64);
        assertEquals(List.of(deepest), frame(deepest, List.of(10)));
        assertEquals(deepest, Json.compact(Json.parse(deepest)));
        assertThrows(RpcException.class, () -> frame("[" + deepest + "]", List.of(10)));
        assertThrows(JsonException.class, () -> Json.parse("[" + deepest + "]"));
    }
}
