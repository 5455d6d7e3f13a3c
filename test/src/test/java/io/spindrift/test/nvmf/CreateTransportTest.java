package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What users have put into `nvmf_create_transport`. Whatever was refused, a later good call works.
class CreateTransportTest {
    private static final List<String> VALUES = List.of("0", "1", "-1", "2147483648", "4294967296", "'8k'");
    private static EmbeddedTarget application;
    private static int targets;

    @BeforeAll
    static void start() throws Exception {
        application = EmbeddedTarget.start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /// A target of its own for each call that may succeed.
    private static String freshTarget() {
        String name = "target" + targets++;
        application.call("nvmf_create_target", "{'name': '" + name + "'}");
        return name;
    }

    private static String params(String target, String trtype, String more) {
        return "{'tgt_name': '" + target + "', 'trtype': '" + trtype + "'" + more + "}";
    }

    private static void assertAGoodCallWorks(String target) {
        application.call("nvmf_create_transport", params(target, "TCP", ""));
        JsonNode transports = application.call("nvmf_get_transports", "{'tgt_name': '" + target + "'}");
        assertEquals(1, transports.size());
        assertEquals("TCP", transports.get(0).get("trtype").stringValue());
        application.call("nvmf_delete_target", "{'name': '" + target + "'}");
    }

    /// The first column are the values of `VALUES` that are within the documented limits.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            max_queue_depth         | 2..65535          |
            max_io_qpairs_per_ctrlr | 1..65534          | 1
            in_capsule_data_size    | 0..131072         | 0
            max_io_size             | 8192..16777216    |
            io_unit_size            | 0..4294967295     | 0,1,2147483648
            max_aq_depth            | 32..4096          |
            num_shared_buffers      | 0..4294967295     | 0,1,2147483648
            buf_cache_size          | 0..1048576        | 0,1
            iobuf_small_cache_size  | 0..1048576        | 0,1
            iobuf_large_cache_size  | 0..1048576        | 0,1
            num_cqe                 | 1..2147483647     | 1
            max_srq_depth           | 0..4294967295     | 0,1,2147483648
            sock_priority           | 0..2147483647     | 0,1
            acceptor_backlog        | 1..2147483647     | 1
            abort_timeout_sec       | 0..4294967295     | 0,1,2147483648
            control_msg_num         | 0..65535          | 0,1
            acceptor_poll_rate      | 0..4294967295     | 0,1,2147483648
            ack_timeout             | 0..4294967295     | 0,1,2147483648
            data_wr_pool_size       | 0..4294967295     | 0,1,2147483648
            kas                     | 1..65535          | 1
            min_kato                | 1..4294967295     | 1,2147483648
            """)
    void takesOrRefusesEachNumberWithItsLimit(String name, String limits, String good) {
        List<String> allowed = good == null ? List.of() : List.of(good.split(","));
        for (String value : VALUES) {
            String target = freshTarget();
            String params = params(target, "TCP", ", '" + name + "': " + value);
            if (allowed.contains(value)) {
                application.call("nvmf_create_transport", params);
                application.call("nvmf_delete_target", "{'name': '" + target + "'}");
                continue;
            }
            RpcException refused = application.refusal("nvmf_create_transport", params);
            assertEquals(RpcException.INVALID_PARAMS, refused.code(), refused.getMessage());
            assertTrue(refused.getMessage().startsWith(name + "=" + value.replace('\'', '"')), refused.getMessage());
            if (!value.equals("'8k'")) {
                assertNamesALimit(name, value, limits, refused.getMessage());
            }
            assertAGoodCallWorks(target);
        }
    }

    /// The limits themselves, or those of the type where the value is outside of them already.
    private static void assertNamesALimit(String name, String value, String limits, String message) {
        List<String> sentences = List.of(" is outside " + limits, " is outside 0..65535", " is outside 0..4294967295",
                " is outside -2147483648..2147483647", " is no multiple of 16");
        assertTrue(sentences.stream().anyMatch(message::endsWith), name + "=" + value + ": " + message);
    }

    @Test
    void refusesSizesThatAreNoPowersOfTwoOrMultiples() {
        String target = freshTarget();
        assertTrue(application.refusal("nvmf_create_transport", params(target, "TCP", ", 'max_io_size': 65535"))
                .getMessage().contains("max_io_size=65535 is no power of two"));
        assertTrue(application.refusal("nvmf_create_transport", params(target, "TCP", ", 'in_capsule_data_size': 1"))
                .getMessage().contains("in_capsule_data_size=1 is no multiple of 16"));
        assertAGoodCallWorks(target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "pcie", "", "PCIE", "tcp ", "FC"})
    void refusesKindsThatThereAreNot(String trtype) {
        String target = freshTarget();
        RpcException refused = application.refusal("nvmf_create_transport", params(target, trtype, ""));
        assertEquals(RpcException.INVALID_PARAMS, refused.code());
        assertEquals("trtype='" + trtype + "' is no kind of transport that there is here; there are TCP",
                refused.getMessage());
        assertAGoodCallWorks(target);
    }

    @ParameterizedTest
    @CsvSource({"tcp,TCP", "TCP,TCP", "TCP,tcp"})
    void refusesASecondOneOfAKind(String first, String second) {
        String target = freshTarget();
        application.call("nvmf_create_transport", params(target, first, ""));
        RpcException refused = application.refusal("nvmf_create_transport", params(target, second, ""));
        assertEquals(RpcException.INTERNAL_ERROR, refused.code()); // the peer's
        assertTrue(refused.getMessage().contains("trtype=TCP"), refused.getMessage());
    }

    @Test
    void saysThatThereIsNoKindOfTransport() throws Exception {
        try (NvmfApplication none = NvmfApplication.start(UnaryOperator.identity(), List.of())) {
            assertEquals("trtype='TCP' is no kind of transport that there is here; there are none",
                    none.refusal("nvmf_create_transport", "{'trtype': 'TCP'}").getMessage());
        }
    }

    /// NVM Express Base 2.0, 5.27.1.12: a timeout is rounded up to the granularity, which KAS gives in 100 ms.
    @Test
    void roundsTheShortestKeepAliveTimeoutUp() {
        String target = freshTarget();
        application.call("nvmf_create_transport", params(target, "TCP", ", 'kas': 30, 'min_kato': 10000"));
        assertEquals(12_000, application.call("nvmf_get_transports", "{'tgt_name': '" + target + "'}").get(0)
                .get("min_kato").intValue());
    }
}
