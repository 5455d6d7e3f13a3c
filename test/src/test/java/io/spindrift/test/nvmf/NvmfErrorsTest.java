package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refused calls: the peer's code where its source has one for the case, and a sentence that names the parameter, its value
/// and the limit. None changes anything.
class NvmfErrorsTest {
    private static final String A = "'nqn': 'nqn.2016-06.io.spdk:a'";
    private static final String ADDRESS = "'listen_address': {'trtype': 'TCP', 'traddr': '127.0.0.1', 'trsvcid': "
            + "'4420'}";
    private static NvmfApplication application;
    private static String before;

    @BeforeAll
    static void start() throws Exception {
        application = NvmfApplication.start();
        application.call("bdev_null_create", "{'name': 'N0', 'num_blocks': 1000, 'block_size': 512}");
        application.call("bdev_null_create", "{'name': 'N1', 'num_blocks': 1000, 'block_size': 512}");
        application.call("nvmf_create_transport", "{'trtype': 'TCP'}");
        application.call("nvmf_create_subsystem", "{" + A + ", 'max_namespaces': 2}");
        application.call("nvmf_subsystem_add_ns",
                "{" + A + ", 'namespace': {'bdev_name': 'N0', 'eui64': '0011223344556677'}}");
        application.call("nvmf_subsystem_add_listener", "{" + A + ", " + ADDRESS + "}");
        application.call("nvmf_subsystem_add_host", "{" + A + ", 'host': 'nqn.2014-08.org.example:h'}");
        before = state();
    }

    @AfterAll
    static void stop() {
        assertEquals(before, state());
        application.close();
    }

    private static String state() {
        return application.call("framework_get_config", "{'name': 'nvmf'}").toString();
    }

    /// A stands for the NQN of the subsystem, ADDRESS for its listener's address.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            nvmf_create_subsystem | A                                                    | -32603 | is taken by a subsystem
            nvmf_create_subsystem | 'nqn': 'nqn.x:y'                                     | -32603 | nqn=nqn.x:y is no NQN
            nvmf_create_subsystem | 'nqn': 'nqn.2016-06.io.spdk:b', 'model_number': 'é'  | -32602 | model_number=é: character 1 (E9h)
            nvmf_create_subsystem | 'nqn': 'nqn.2016-06.io.spdk:b', 'min_cntlid': 65520  | -32602 | min_cntlid=65520 is outside 1..65519
            nvmf_create_subsystem | 'nqn': 'nqn.2016-06.io.spdk:b', 'wzsl': 256          | -32602 | wzsl=256 is outside 0..255
            nvmf_create_subsystem | 'nqn': 'nqn.2016-06.io.spdk:b', 'tgt_name': 'x'      | -32602 | tgt_name=x: there is no such target
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'nsid': 1}       | -32602 | namespace.nsid=1 is in use, by bdev N0
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'nsid': 3}       | -32602 | namespace.nsid=3 is outside 1..2, which is max_namespaces
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'nsid': 4294967295} | -32602 | nsid=4294967295 is outside 1..4294967294
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N0'}                  | -32602 | namespace.bdev_name=N0: bdev 'N0' cannot be opened for writing
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'x'}                   | -32602 | there is no bdev 'x'
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'eui64': '0011223344556677'} | -32602 | eui64=0011223344556677 is that of the namespace 1
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'nguid': 'x'}    | -32602 | nguid=x must be 32 hexadecimal digits
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'anagrpid': 3}   | -32602 | anagrpid=3 is outside 1..2
            nvmf_subsystem_add_ns | A, 'namespace': {'bdev_name': 'N1', 'hide_metadata': true} | -32602 | hide_metadata=true cannot be had
            nvmf_subsystem_remove_ns | A, 'nsid': 2                                      | -32602 | nsid=2: nqn.2016-06.io.spdk:a has no such namespace
            nvmf_subsystem_set_ns_ana_group | A, 'nsid': 1, 'anagrpid': 0                | -32602 | anagrpid=0 is outside 1..2
            nvmf_ns_add_host      | A, 'nsid': 1, 'host': 'nqn.2014-08.org.example:h'    | -32602 | nsid=1 is visible to every host
            nvmf_ns_add_host      | A, 'nsid': 1, 'host': 'h'                            | -32602 | host=h is no NQN
            nvmf_subsystem_add_host | A, 'host': 'nqn.2014-08.org.example:h'             | -32603 | host=nqn.2014-08.org.example:h is allowed already
            nvmf_subsystem_add_host | A, 'host': ''                                      | -32603 | host= is no NQN
            nvmf_subsystem_remove_host | A, 'host': 'nqn.2014-08.org.example:x'          | -32603 | is not among the allowed hosts
            nvmf_subsystem_add_listener | A, ADDRESS                                     | -32602 | has this listener already
            nvmf_subsystem_add_listener | A, 'listen_address': {'trtype': 'RDMA', 'traddr': '127.0.0.1'} | -32602 | listen_address.trtype=RDMA: target nvmf_tgt has no such transport
            nvmf_subsystem_add_listener | A, 'listen_address': {'trtype': 'TCP', 'traddr': '192.0.2.1', 'trsvcid': '1'} | -32602 | listen_address=TCP IPv4 192.0.2.1 1: Cannot assign requested address
            nvmf_subsystem_add_listener | A, 'listen_address': {'trtype': 'TCP', 'traddr': '::', 'adrfam': 'ipv5'} | -32602 | listen_address.adrfam=ipv5 is no address family
            nvmf_subsystem_add_listener | A, ADDRESS, 'secure_channel': true             | -32602 | secure_channel=true cannot be had
            nvmf_subsystem_remove_listener | A, 'listen_address': {'trtype': 'TCP', 'traddr': '::', 'adrfam': 'IPv6'} | -32602 | has no such listener
            nvmf_subsystem_listener_set_ana_state | A, ADDRESS, 'ana_state': 'optimized' | -32603 | was created without ana_reporting
            nvmf_subsystem_listener_set_ana_state | A, ADDRESS, 'ana_state': 'change'    | -32602 | ana_state="change" must be one of optimized, non_optimized, inaccessible
            nvmf_discovery_add_referral | 'address': {'trtype': 'TCP', 'traddr': '10.0.0.1'} | -32603 | address.trsvcid is missing
            nvmf_discovery_remove_referral | 'address': {'trtype': 'TCP', 'traddr': '10.0.0.1', 'trsvcid': '1'} | -32603 | there is no such referral
            nvmf_get_transports   | 'trtype': 'RDMA'                                     | -19    | trtype=RDMA
            nvmf_get_subsystems   | 'nqn': 'nqn.x:y'                                     | -32602 | Subsystem with NQN 'nqn.x:y' not found
            nvmf_create_target    | 'name': 'nvmf_tgt'                                   | -32602 | name=nvmf_tgt is the name of a target already
            nvmf_delete_target    | 'name': 'x'                                          | -32602 | name=x: there is no such target
            """)
    void refuses(String method, String params, int code, String sentence) {
        String given = params.replaceFirst("^A\\b", A).replace("ADDRESS", ADDRESS);
        RpcException refused = application.refusal(method, "{" + given + "}");
        assertEquals(code, refused.code(), refused.getMessage());
        assertTrue(refused.getMessage().contains(sentence), refused.getMessage());
    }

    @Test
    void refusesASecureChannelForAnyHostWithThePeersCode() {
        application.call("nvmf_create_subsystem", "{'nqn': 'nqn.2016-06.io.spdk:any', 'allow_any_host': true}");
        RpcException refused = application.refusal("nvmf_subsystem_add_listener",
                "{'nqn': 'nqn.2016-06.io.spdk:any', " + ADDRESS + ", 'secure_channel': true}");
        assertEquals(RpcException.INTERNAL_ERROR, refused.code());
        application.call("nvmf_delete_subsystem", "{'nqn': 'nqn.2016-06.io.spdk:any'}");
    }

    @Test
    void asksForATargetsNameWhereThereAreSeveral() {
        application.call("nvmf_create_target", "{'name': 'second'}");
        assertEquals("[\"nvmf_tgt\",\"second\"]", application.call("nvmf_get_targets", "{}").toString());
        RpcException refused = application.refusal("nvmf_get_subsystems", "{}");
        assertEquals(RpcException.INTERNAL_ERROR, refused.code());
        assertTrue(refused.getMessage().contains("nvmf_tgt, second"), refused.getMessage());
        application.call("nvmf_delete_target", "{'name': 'second'}");
        assertEquals(2, application.call("nvmf_get_subsystems", "{}").size());
    }
}
