package io.spindrift.test.nvme;

import static io.spindrift.test.nvme.BdevAttachTest.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// What a discovery service names is attached, and detached when it is named no more.
class BdevDiscoveryTest {
    private static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    private ServedDisk disk;
    private EmbeddedTarget host;

    @BeforeEach
    void start() throws Exception {
        disk = new ServedDisk();
        disk.program.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + DISCOVERY + "', 'listen_address': {" + disk.address("127.0.0.1") + "}}");
        host = EmbeddedTarget.start();
    }

    @AfterEach
    void stop() {
        host.close();
        disk.close();
    }

    /// Without an address family, which is inferred.
    private String service() {
        return "{'name': 'D', 'trtype': 'tcp', 'traddr': '127.0.0.1', 'trsvcid': '" + disk.port
                + "', 'wait_for_attach': true}";
    }

    @Test
    void attachesWhatIsNamedAndFollowsTheLog() throws Exception {
        host.call("bdev_nvme_start_discovery", service());
        assertTrue(host.registry().find("D0n1").isPresent());
        JsonNode shown = host.call("bdev_nvme_get_discovery_info").get(0);
        assertEquals("D", shown.get("name").stringValue());
        assertEquals(DISCOVERY, shown.get("trid").get("subnqn").stringValue());
        disk.listen("127.0.0.2");
        await("the second path", () -> paths() == 2);
        disk.stopListening("127.0.0.2");
        await("the end of the second path", () -> paths() == 1);
        assertTrue(host.registry().find("D0n1").isPresent());
        host.call("bdev_nvme_stop_discovery", "{'name': 'D'}");
        assertEquals(0, host.call("bdev_nvme_get_controllers").size());
        assertEquals(0, host.call("bdev_nvme_get_discovery_info").size());
        assertEquals(0, host.registry().bdevs().size());
    }

    private int paths() {
        JsonNode all = host.call("bdev_nvme_get_controllers");
        return all.isEmpty() ? 0 : all.get(0).get("ctrlrs").size();
    }

    @Test
    void refusesWhatIsFollowedAlreadyAndForgetsWhatCannotBeReached() throws Exception {
        host.call("bdev_nvme_start_discovery", service());
        assertEquals(-Errno.EEXIST, host.refusal("bdev_nvme_start_discovery", service()).code());
        RpcException refused = host.refusal("bdev_nvme_start_discovery",
                service().replace("'D'", "'E'").replace("" + disk.port, "" + ServedDisk.freePort()));
        assertEquals(-Errno.EIO, refused.code());
        assertTrue(refused.getMessage().contains("refused"), refused::getMessage);
        assertEquals(1, host.call("bdev_nvme_get_discovery_info").size());
        assertEquals(-Errno.ENOENT, host.refusal("bdev_nvme_stop_discovery", "{'name': 'E'}").code());
    }
}
