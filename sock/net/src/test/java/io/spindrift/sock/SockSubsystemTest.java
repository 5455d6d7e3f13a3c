package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogSink;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import io.spindrift.framework.testing.ManualReactor;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The expected answers are the peer's (its recorded session), but for the sentences.
class SockSubsystemTest {
    private static final String POSIX = "{\"recv_buf_size\":2097152,\"send_buf_size\":2097152,\"enable_recv_pipe\":true,"
            + "\"enable_quickack\":false,\"enable_placement_id\":0,\"enable_zerocopy_send_server\":true,"
            + "\"enable_zerocopy_send_client\":false,\"zerocopy_threshold\":0,\"tls_version\":0,\"enable_ktls\":false}";
    private static final String URING = POSIX.replace("send_server\":true", "send_server\":false");
    private static final String SSL = POSIX.replace("2097152", "4096");

    private final ManualReactor reactor = new ManualReactor(1);
    private final List<String> logged = new ArrayList<>();
    private final Log log = new Log((_, line) -> logged.add(line), LogSink.discard(), Clock.systemUTC());
    private final Sockets sockets = Sockets.load(reactor.reactors(), log, Sockets.class.getModule().getLayer());
    private final SockSubsystem subsystem = new SockSubsystem(sockets, log);
    private final RpcRegistry rpcs = new RpcRegistry();

    @BeforeEach
    void register() {
        subsystem.registerRpcs(rpcs);
    }

    @AfterEach
    void close() {
        reactor.close();
        log.close();
    }

    private JsonNode call(String method, String params) {
        return rpcs.dispatch(method, Json.parse(params));
    }

    private String config() {
        return subsystem.config().stream().map(Json::tree).toList().toString();
    }

    @Test
    void showsTheDefaultsThatThePeerShows() {
        assertEquals(POSIX, call("sock_impl_get_options", "{\"impl_name\": \"posix\"}").toString());
        assertEquals(URING, call("sock_impl_get_options", "{\"impl_name\": \"uring\"}").toString());
        assertEquals("{\"impl_name\":\"posix\"}", call("sock_get_default_impl", "{}").toString());
    }

    @Test
    void setsWhatIsGivenAndKeepsTheRest() {
        assertTrue(call("sock_impl_set_options",
                "{\"impl_name\": \"posix\", \"recv_buf_size\": 8192, \"enable_zerocopy_send_client\": true}")
                .asBoolean());
        assertEquals(POSIX.replace("recv_buf_size\":2097152", "recv_buf_size\":8192")
                .replace("client\":false", "client\":true"),
                call("sock_impl_get_options", "{\"impl_name\": \"posix\"}").toString());
    }

    @Test
    void aConfigurationThatSpdkSavedIsTakenAndSavedAgain() {
        String saved = "[{\"method\":\"sock_set_default_impl\",\"params\":{\"impl_name\":\"posix\"}},"
                + set("uring", URING) + "," + set("ssl", SSL) + "," + set("posix", POSIX) + "]";
        assertEquals(saved, config().replace(", ", ","), "what the peer saves");
        call("sock_impl_set_options", "{\"impl_name\":\"ssl\",\"zerocopy_threshold\":7}");
        String once = config();
        assertTrue(once.contains(set("ssl", SSL.replace("threshold\":0", "threshold\":7"))), once);
        Json.parse(once).forEach(
                entry -> rpcs.dispatch(entry.get("method").stringValue(), entry.get("params")));
        assertEquals(once, config());
    }

    private static String set(String name, String options) {
        return "{\"method\":\"sock_impl_set_options\",\"params\":{\"impl_name\":\"" + name + "\","
                + options.substring(1) + "}";
    }

    @Test
    void theOlderBooleanIsTakenWithANotice() throws InterruptedException {
        assertTrue(call("sock_impl_set_options", "{\"impl_name\": \"posix\", \"enable_dynamic_zerocopy\": true}")
                .asBoolean());
        log.flush();
        assertEquals(1, logged.size());
        assertTrue(logged.getFirst().contains("zerocopy_threshold"), logged.getFirst());
        assertEquals(POSIX, call("sock_impl_get_options", "{\"impl_name\": \"posix\"}").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "sock_impl_get_options | {\"impl_name\": \"none\"} | impl_name=none is not a sock implementation",
            "sock_impl_set_options | {\"impl_name\": \"none\"} | impl_name=none is not a sock implementation",
            "sock_set_default_impl | {\"impl_name\": \"none\"} | impl_name=none is not a sock implementation",
            "sock_set_default_impl | {\"impl_name\": \"ssl\"} | impl_name=ssl is not a sock implementation that can be",
            "sock_impl_set_options | {\"impl_name\": \"posix\", \"recv_buf_size\": -1} | recv_buf_size",
            "sock_impl_set_options | {\"impl_name\": \"posix\", \"recv_buf_size\": 4294967295} | recv_buf_size=4294967295 is outside 0..1073741824",
            "sock_impl_set_options | {\"impl_name\": \"posix\", \"send_buf_size\": \"8k\"} | send_buf_size",
            "sock_impl_set_options | {\"impl_name\": \"posix\", \"enable_placement_id\": 4} | enable_placement_id=4 is outside 0..3",
            "sock_impl_set_options | {\"impl_name\": \"posix\", \"enable_quickack\": 1} | enable_quickack"})
    void refusesWithTheParameterTheValueAndTheLimit(String method, String params, String sentence) {
        RpcException refused = assertThrows(RpcException.class, () -> call(method, params));
        assertEquals(RpcException.INVALID_PARAMS, refused.code());
        assertTrue(refused.getMessage().contains(sentence), refused.getMessage());
        assertEquals(POSIX, call("sock_impl_get_options", "{\"impl_name\": \"posix\"}").toString());
    }

    @Test
    void optionsAreSetBeforeTheStartOnly() {
        List<Boolean> atRunTime = IntStream.range(0, 4)
                .mapToObj(i -> new SockRpcs().methods().get(i).allowedIn(RpcState.RUNTIME)).toList();
        assertEquals(List.of(true, false, false, true), atRunTime);
    }
}
