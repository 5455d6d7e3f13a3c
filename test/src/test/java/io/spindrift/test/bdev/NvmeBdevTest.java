package io.spindrift.test.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.test.tgt.EmbeddedTarget;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A namespace that another program in this JVM serves over TCP.
class NvmeBdevTest extends DataContract {
    private static final String NQN = "nqn.2016-06.io.spdk:contract";

    private EmbeddedTarget server;

    @Override
    void create() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String address = "'trtype': 'TCP', 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port + "'";
        server = EmbeddedTarget.startNvmf();
        server.call("bdev_malloc_create", "{'name': 'Malloc0', 'num_blocks': 1001, 'block_size': 512}");
        server.call("nvmf_create_transport", "{'trtype': 'TCP'}");
        server.call("nvmf_create_subsystem", "{'nqn': '" + NQN + "', 'allow_any_host': true}");
        server.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
        server.call("nvmf_subsystem_add_listener", "{'nqn': '" + NQN + "', 'listen_address': {" + address + "}}");
        target.call("bdev_nvme_attach_controller",
                "{'name': '" + NAME.replace("n1", "") + "', " + address + ", 'subnqn': '" + NQN + "'}");
    }

    /// Not before its host has let it go: else that is busy to find out that it is gone.
    @AfterEach
    void stopServer() {
        if (target.registry().find(NAME).isPresent()) {
            delete();
        }
        server.close();
    }

    @Override
    void delete() {
        target.call("bdev_nvme_detach_controller", "{'name': '" + NAME.replace("n1", "") + "'}");
    }

    @Override
    long numBlocks() {
        return 1001;
    }

    @Override
    int blockSize() {
        return 512;
    }

    /// The call is that of its controller; what it shows of that has another controller ID then.
    @Test
    @Override
    void isMadeAgainByItsSavedConfiguration() {
        String uuid = target.registry().get(NAME).uuid().toString();
        JsonNode saved = target.call("framework_get_config", "{'name': 'bdev'}");
        JsonNode attach = saved.valueStream()
                .filter(entry -> entry.get("method").stringValue().equals("bdev_nvme_attach_controller")).findFirst()
                .orElseThrow();
        delete();
        target.application().rpcs().dispatch("bdev_nvme_attach_controller", attach.get("params"));
        assertEquals(uuid, target.registry().get(NAME).uuid().toString());
        assertEquals(saved, target.call("framework_get_config", "{'name': 'bdev'}"));
    }
}
