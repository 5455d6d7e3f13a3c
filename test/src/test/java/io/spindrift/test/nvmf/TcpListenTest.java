package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an operator sees of listeners and of the hosts that come to them.
@Timeout(60)
class TcpListenTest {
    private LiveTarget target;

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start(options -> options.logFlags(List.of("nvmf", "nvmf_tcp", "bdev")),
                LiveTarget.TRANSPORT);
    }

    @AfterEach
    void stop() throws Exception {
        target.stop();
    }

    private void assertLogged(String line) throws InterruptedException {
        List<String> logged = target.program.log();
        assertTrue(logged.stream().anyMatch(one -> one.contains(line)), () -> line + " is none of " + logged);
    }

    /// The peer's line, for which scripts wait.
    @Test
    void isToldWhereTheTargetListens() throws Exception {
        assertLogged("*NOTICE*: *** NVMe/TCP Target Listening on 127.0.0.1 port " + target.port + " ***");
    }

    @ParameterizedTest
    @CsvSource({"IPv4, ::1, IPv6", "IPv6, 127.0.0.1, IPv4", "IB, 127.0.0.1, IPv4"})
    void isRefusedAnAddressOfAnotherFamily(String adrfam, String traddr, String family) throws Exception {
        RpcException refused = target.program.refusal("nvmf_subsystem_add_listener", "{'nqn': '" + LiveTarget.NQN
                + "', 'listen_address': {'trtype': 'TCP', 'adrfam': '" + adrfam + "', 'traddr': '" + traddr
                + "', 'trsvcid': '" + LiveTarget.freePort() + "'}}");
        assertEquals(RpcException.INVALID_PARAMS, refused.code());
        assertTrue(refused.getMessage().endsWith("adrfam=" + adrfam + " does not fit traddr=" + traddr
                + ", which is an address of " + family), refused.getMessage());
    }

    @Test
    void needNotNameTheFamily() throws Exception {
        int port = LiveTarget.freePort();
        target.program.call("nvmf_subsystem_add_listener", "{'nqn': '" + LiveTarget.NQN
                + "', 'listen_address': {'trtype': 'TCP', 'traddr': '::1', 'trsvcid': '" + port + "'}}");
        assertLogged("*** NVMe/TCP Target Listening on ::1 port " + port + " ***");
    }

    @Test
    void canReadOfHostsAndDevicesInDetail() throws Exception {
        assertLogged("*DEBUG*: Malloc0 registered by module malloc: 2048 blocks of 512 bytes");
        int[] cntlid = new int[1];
        try (TcpHost _ = target.admin(false, false, cntlid)) {
            assertLogged("*DEBUG*: connection of TCP IPv4 127.0.0.1 ");
            assertLogged(" has controller " + cntlid[0] + ", from TCP IPv4 127.0.0.1 ");
        }
    }
}
