package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A target with a namespace that can keep its reservations in a file, on two reactors where the machine has them, and hosts
/// with different identifiers.
abstract class ReservationFixture {
    static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    static final UUID A = UUID.fromString("aaaaaaaa-0000-4000-8000-000000000001");
    static final UUID B = UUID.fromString("bbbbbbbb-0000-4000-8000-000000000002");
    static final UUID C = UUID.fromString("cccccccc-0000-4000-8000-000000000003");
    static final int CONFLICT = 0x83;

    @TempDir
    Path folder;
    EmbeddedTarget target;
    int port;
    final List<ReservingHost> hosts = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        start("");
    }

    void start(String moreOfTransport) throws Exception {
        target = EmbeddedTarget.startNvmf(options -> Runtime.getRuntime().availableProcessors() > 1
                ? options.cpuMask(CpuMask.of(0, 1))
                : options);
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        target.call("bdev_malloc_create", "{'name': 'Malloc0', 'num_blocks': 2048, 'block_size': 512,"
                + " 'uuid': '00000000-1111-2222-3333-444444444444'}");
        target.call("nvmf_create_transport", "{'trtype': 'TCP'" + moreOfTransport + "}");
        target.call("nvmf_create_subsystem", "{'nqn': '" + NQN + "', 'allow_any_host': true}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN
                + "', 'namespace': {'bdev_name': 'Malloc0', 'ptpl_file': '" + folder.resolve("ptpl.json") + "'}}");
        target.call("nvmf_subsystem_add_listener", "{'nqn': '" + NQN + "', 'listen_address': {'trtype': 'TCP',"
                + " 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port + "'}}");
    }

    @AfterEach
    void stop() throws Exception {
        for (ReservingHost host : hosts) {
            host.close();
        }
        hosts.clear();
        assertEquals(0, target.stop());
        target.close();
    }

    ReservingHost host(UUID id) throws IOException {
        ReservingHost host = new ReservingHost(port, NQN, id);
        hosts.add(host);
        return host;
    }

    static void assertAccess(ReservingHost host, String reads, String writes) throws IOException {
        for (int opcode : new int[]{NvmOpcode.READ, NvmOpcode.COMPARE}) {
            assertEquals(reads.equals("A") ? 0 : CONFLICT, host.io(opcode), NvmOpcode.name(opcode));
        }
        for (int opcode : new int[]{NvmOpcode.WRITE, NvmOpcode.WRITE_ZEROES, NvmOpcode.DATASET_MANAGEMENT,
                NvmOpcode.FLUSH}) {
            assertEquals(writes.equals("A") ? 0 : CONFLICT, host.io(opcode), NvmOpcode.name(opcode));
        }
    }
}
