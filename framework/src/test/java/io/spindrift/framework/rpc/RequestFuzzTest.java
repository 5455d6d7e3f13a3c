package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import tools.jackson.databind.JsonNode;

/// Whatever a client sends is answered, or refused with a code; nothing else is thrown.
class RequestFuzzTest {
    private static final List<String> SEEDS = List.of(
            "{\"jsonrpc\":\"2.0\",\"method\":\"rpc_get_methods\",\"params\":{\"current\":true},\"id\":1}",
            "[{\"method\":\"spdk_get_version\",\"id\":\"a\\u00e9\\\"\"},{\"method\":\"nope\"}]",
            "{\"id\":-1.5e+3,\"params\":{\"include_aliases\":false,\"current\":null},\"method\":\"rpc_get_methods\"}");
    private static final String BYTES = "{}[]\",:\\0123456789-+.eEtrufalsn \u0000\u00ff";

    private final RpcRegistry registry = new RpcRegistry();
    private final RequestProcessor processor = new RequestProcessor(registry, RpcLog.NONE);
    private final WaitingCalls waiting = new WaitingCalls(Runnable::run, Long.MAX_VALUE, () -> {});

    RequestFuzzTest() {
        CoreRpcs.register(registry);
    }

    @Property(tries = 5000)
    void isAnsweredOrRefused(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] text = mutate(random, SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8));
        RequestFramer framer = new RequestFramer(RequestFramer.MAX_REQUEST_BYTES);
        ByteBuffer space = framer.space();
        space.put(text);
        framer.received(text.length);
        try {
            for (Optional<byte[]> request = framer.next(); request.isPresent(); request = framer.next()) {
                processor.process(request.get(), waiting).join().map(Json::parse)
                        .ifPresent(RequestFuzzTest::requireReply);
            }
        } catch (RpcException e) {
            assertTrue(e.code() == RpcException.PARSE_ERROR || e.code() == RpcException.INVALID_REQUEST);
        }
    }

    private static byte[] mutate(Random random, byte[] text) {
        byte[] mutated = text.clone();
        for (int left = random.nextInt(4); left > 0; left--) {
            int at = random.nextInt(mutated.length);
            if (random.nextBoolean()) {
                mutated[at] = (byte) BYTES.charAt(random.nextInt(BYTES.length()));
            } else { // doubles a part
                byte[] longer = new byte[mutated.length + mutated.length - at];
                System.arraycopy(mutated, 0, longer, 0, mutated.length);
                System.arraycopy(mutated, at, longer, mutated.length, mutated.length - at);
                mutated = longer;
            }
        }
        return mutated;
    }

    private static void requireReply(JsonNode reply) {
        for (JsonNode one : reply.isArray() ? reply : List.of(reply)) {
            assertTrue(one.has("id") && (one.has("result") ^ one.has("error")), one.toString());
        }
    }
}
