package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What the target saves makes the same target again.
class NvmfConfigTest {
    private static final String BDEVS = """
            {'subsystem': 'bdev', 'config': [
             {'method': 'bdev_null_create', 'params': {'name': 'N0', 'num_blocks': 1000, 'block_size': 512,
              'uuid': '00000000-1111-2222-3333-444444444444'}},
             {'method': 'bdev_null_create', 'params': {'name': 'N1', 'num_blocks': 1000, 'block_size': 512,
              'uuid': '00000000-1111-2222-3333-555555555555'}},
             {'method': 'bdev_null_create', 'params': {'name': 'N2', 'num_blocks': 1000, 'block_size': 512,
              'uuid': '00000000-1111-2222-3333-666666666666'}}]}
            """;
    private static final String A = "nqn.2016-06.io.spdk:a";

    @TempDir
    Path folder;

    private static void fill(NvmfApplication target) {
        target.call("nvmf_create_transport", "{'trtype': 'tcp', 'max_queue_depth': 64, 'masked_oncs': ['reservs', "
                + "'nvmcmps'], 'acceptor_poll_rate': 500, 'c2h_success': false}");
        target.call("nvmf_discovery_add_referral",
                "{'address': {'trtype': 'TCP', 'traddr': '10.0.0.1', 'trsvcid': '8009'}}");
        target.call("nvmf_create_subsystem", "{'nqn': '" + A + "', 'max_namespaces': 0, 'ana_reporting': true, "
                + "'min_cntlid': 5, 'admin_label': 'rack 7', 'enable_nssr': true}");
        target.call("nvmf_create_subsystem", "{'nqn': 'nqn.2016-06.io.spdk:b', 'allow_any_host': true}");
        target.call("nvmf_subsystem_add_host", "{'nqn': '" + A + "', 'host': 'nqn.2014-08.org.example:z'}");
        target.call("nvmf_subsystem_add_host", "{'nqn': '" + A + "', 'host': 'nqn.2014-08.org.example:a'}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + A + "', 'namespace': {'bdev_name': 'N0', 'nsid': 3, "
                + "'eui64': '0123456789abcdef', 'anagrpid': 9, 'no_auto_visible': true, 'ptpl_file': '/tmp/p'}}");
        target.call("nvmf_ns_add_host", "{'nqn': '" + A + "', 'nsid': 3, 'host': 'nqn.2014-08.org.example:z'}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': 'nqn.2016-06.io.spdk:b', 'namespace': {'bdev_name': 'N1'}}");
        String address = "'listen_address': {'trtype': 'TCP', 'adrfam': 'ipv6', 'traddr': '::', 'trsvcid': '4420'}";
        target.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + A + "', " + address + ", 'ana_state': 'non_optimized', 'sock_impl': 'posix'}");
        target.call("nvmf_subsystem_listener_set_ana_state",
                "{'nqn': '" + A + "', " + address + ", 'ana_state': 'inaccessible', 'anagrpid': 9}");
        target.call("nvmf_subsystem_add_listener",
                "{'nqn': 'nqn.2014-08.org.nvmexpress.discovery', " + address + "}");
        target.call("nvmf_create_target", "{'name': 'other', 'discovery_filter': ['svcid', 'address']}");
        target.call("nvmf_create_subsystem", "{'nqn': '" + A + "', 'tgt_name': 'other'}");
        target.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + A + "', 'namespace': {'bdev_name': 'N2'}, 'tgt_name': 'other'}");
    }

    private static JsonNode config(NvmfApplication target) {
        return target.call("framework_get_config", "{'name': 'nvmf'}");
    }

    private Path file(String name, String nvmf) throws Exception {
        return Files.writeString(folder.resolve(name),
                "{\"subsystems\": [" + BDEVS.replace('\'', '"') + ", {\"subsystem\": \"nvmf\", \"config\": " + nvmf
                        + "}]}");
    }

    private static final String STARTUP = """
            [{"method": "nvmf_set_config", "params": {"poll_groups_mask": "0x1", "discovery_filters": ["transport"],
              "dup_host_policy": "restrict_per_listener", "dhchap_digests": ["sha384"],
              "admin_cmd_passthru": {"sanitize": true}}},
             {"method": "nvmf_set_max_subsystems", "params": {"max_subsystems": 7}},
             {"method": "nvmf_set_crdt", "params": {"crdt1": 1, "crdt3": 3}}]
            """;

    @Test
    void isTheSameAfterALoad() throws Exception {
        JsonNode first;
        JsonNode shown;
        Path startup = file("startup.json", STARTUP);
        try (NvmfApplication target = NvmfApplication.start(options -> options.configFile(startup))) {
            fill(target);
            first = config(target);
            shown = target.call("nvmf_get_subsystems", "{'tgt_name': 'nvmf_tgt'}");
        }
        assertTrue(first.toString().contains("\"crdt3\":3"), first.toString());
        assertTrue(first.toString().contains("\"max_subsystems\":7"), first.toString());
        Path saved = file("saved.json", first.toString());
        try (NvmfApplication target = NvmfApplication.start(options -> options.configFile(saved))) {
            assertEquals(first, config(target));
            assertEquals(shown, target.call("nvmf_get_subsystems", "{'tgt_name': 'nvmf_tgt'}"));
        }
    }

    @Test
    void theMaximumOfSubsystemsCountsTheDiscoverySubsystem() throws Exception {
        Path startup = file("startup.json", STARTUP);
        try (NvmfApplication target = NvmfApplication.start(options -> options.configFile(startup))) {
            for (int i = 0; i < 6; i++) {
                target.call("nvmf_create_subsystem", "{'nqn': '" + A + i + "'}");
            }
            RpcException full = target.refusal("nvmf_create_subsystem", "{'nqn': '" + A + "6'}");
            assertTrue(full.getMessage().contains("7 subsystems"), full.getMessage());
        }
    }

    @Test
    void refusesWhatIsNotThere() throws Exception {
        try (NvmfApplication target = NvmfApplication.start()) {
            target.call("nvmf_create_subsystem", "{'nqn': '" + A + "'}");
            for (String key : new String[]{"psk", "dhchap_key", "dhchap_ctrlr_key"}) {
                RpcException refused = target.refusal("nvmf_subsystem_add_host",
                        "{'nqn': '" + A + "', 'host': 'nqn.2014-08.org.example:z', '" + key + "': 'key0'}");
                assertEquals(RpcException.INVALID_PARAMS, refused.code());
                assertTrue(refused.getMessage().startsWith(key + "=key0 cannot be used"), refused.getMessage());
            }
            RpcException method = target.refusal("nvmf_publish_mdns_prr", "{}");
            assertEquals(RpcException.METHOD_NOT_FOUND, method.code());
        }
    }

    @Test
    void settingsAreForTheStartUpState() throws Exception {
        try (NvmfApplication target = NvmfApplication.start()) {
            for (String method : new String[]{"nvmf_set_config", "nvmf_set_crdt"}) {
                assertEquals(RpcException.INVALID_STATE, target.refusal(method, "{}").code());
            }
        }
        try (NvmfApplication waiting = NvmfApplication.start(options -> options.waitForRpc(true))) {
            assertEquals(RpcException.INVALID_STATE, waiting.refusal("nvmf_get_subsystems", "{}").code());
            RpcException word = waiting.refusal("nvmf_set_config", "{'discovery_filter': 'transport,colour'}");
            assertTrue(word.getMessage().contains("'colour'"), word.getMessage());
            waiting.call("nvmf_set_config", "{'discovery_filter': 'transport,svcid'}");
            assertEquals("[\"transport\",\"svcid\"]",
                    config(waiting).get(0).get("params").get("discovery_filters").toString());
        }
    }
}
