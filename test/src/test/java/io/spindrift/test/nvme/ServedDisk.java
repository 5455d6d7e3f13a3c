package io.spindrift.test.nvme;

import io.spindrift.framework.app.StartException;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/// An `nvmf_tgt` that serves a disk of 8 MiB, `Malloc0`, at one port of 127.0.0.1, .2 and .3.
final class ServedDisk implements AutoCloseable {
    static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    static final int BLOCK = 512;
    static final int BLOCKS = 16_384;

    final EmbeddedTarget program;
    final int port;

    ServedDisk() throws StartException, IOException {
        this(EmbeddedTarget.startNvmf());
    }

    /// In a program that has started.
    ServedDisk(EmbeddedTarget program) throws IOException {
        this.program = program;
        this.port = freePort();
        program.call("bdev_malloc_create",
                "{'name': 'Malloc0', 'num_blocks': " + BLOCKS + ", 'block_size': " + BLOCK + "}");
        program.call("nvmf_create_transport", "{'trtype': 'TCP'}");
        program.call("nvmf_create_subsystem",
                "{'nqn': '" + NQN + "', 'allow_any_host': true, 'serial_number': 'SER1', 'ana_reporting': true}");
        addNamespace("Malloc0", 1);
        listen("127.0.0.1");
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    void addNamespace(String bdev, int nsid) {
        program.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': '" + bdev + "', 'nsid': " + nsid + "}}");
    }

    void removeNamespace(int nsid) {
        program.call("nvmf_subsystem_remove_ns", "{'nqn': '" + NQN + "', 'nsid': " + nsid + "}");
    }

    void listen(String traddr) {
        program.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + NQN + "', 'listen_address': {" + address(traddr) + "}}");
    }

    void stopListening(String traddr) {
        program.call("nvmf_subsystem_remove_listener",
                "{'nqn': '" + NQN + "', 'listen_address': {" + address(traddr) + "}}");
    }

    void anaState(String traddr, String state) {
        program.call("nvmf_subsystem_listener_set_ana_state", "{'nqn': '" + NQN + "', 'ana_state': '" + state
                + "', 'listen_address': {" + address(traddr) + "}}");
    }

    /// Members of a transport address.
    String address(String traddr) {
        return "'trtype': 'TCP', 'adrfam': 'IPv4', 'traddr': '" + traddr + "', 'trsvcid': '" + port + "'";
    }

    /// Parameters that attach the controller at `traddr` as `Nvme0`, and `more`.
    String attach(String traddr, String more) {
        return "{'name': 'Nvme0', " + address(traddr) + ", 'subnqn': '" + NQN + "'" + (more.isEmpty() ? "" : ", ")
                + more
                + "}";
    }

    @Override
    public void close() {
        program.close();
    }
}
