package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.test.nvmf.TcpHost.Completion;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import tools.jackson.databind.JsonNode;

/// A target with one subsystem, whose namespace 1 is 1 MiB of memory in 512-byte blocks, on a port of the loopback; and what
/// a host that keeps the rules does with it.
final class TcpFixture {
    static final String NQN = "nqn.2016-06.io.spdk:cnode1";

    final EmbeddedTarget target;
    final int port;

    TcpFixture() throws Exception {
        this("{'trtype': 'TCP'}", "{'name': 'Malloc0', 'num_blocks': 2048, 'block_size': 512}");
    }

    /// With parameters of `nvmf_create_transport` and `bdev_malloc_create`.
    TcpFixture(String transport, String malloc) throws Exception {
        this(CpuMask.of(0), transport, malloc);
    }

    /// On these cores.
    TcpFixture(CpuMask cores, String transport, String malloc) throws Exception {
        target = EmbeddedTarget.startNvmf(options -> options.cpuMask(cores));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        target.call("bdev_malloc_create", malloc);
        target.call("nvmf_create_transport", transport);
        target.call("nvmf_create_subsystem",
                "{'nqn': '" + NQN + "', 'allow_any_host': true, 'serial_number': 'SER1', 'model_number': 'Mod El'}");
        target.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
        target.call("nvmf_subsystem_add_listener", "{'nqn': '" + NQN + "', 'listen_address': " + address() + "}");
    }

    /// Where it listens, for RPCs.
    String address() {
        return "{'trtype': 'TCP', 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port + "'}";
    }

    /// Stops the target, which must end well.
    void close() throws Exception {
        assertEquals(0, target.stop());
        target.close();
    }

    static MemorySegment sqe() {
        return Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
    }

    static Completion plain(TcpHost host, MemorySegment sqe) throws IOException {
        return host.execute(sqe, new byte[0], false, 0);
    }

    /// An admin queue of an enabled controller.
    TcpHost admin(boolean headerDigest, boolean dataDigest, int[] cntlid) throws IOException {
        return admin(NQN, headerDigest, dataDigest, cntlid);
    }

    TcpHost admin(String nqn, boolean headerDigest, boolean dataDigest, int[] cntlid) throws IOException {
        TcpHost host = new TcpHost(port).initialize(headerDigest, dataDigest);
        Completion connected = host.connect(0, 32, nqn, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC);
        assertEquals(0, connected.status());
        cntlid[0] = (int) connected.dw0() & 0xffff;
        MemorySegment sqe = sqe();
        PropertyCommand.set(sqe, 0, host.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, plain(host, sqe).status());
        sqe = sqe();
        PropertyCommand.get(sqe, 0, host.nextCid(), ControllerProperty.CSTS, 4);
        assertEquals(1, plain(host, sqe).dw0(), "CSTS.RDY");
        return host;
    }

    TcpHost io(int qid, int cntlid, boolean headerDigest, boolean dataDigest) throws IOException {
        return io(NQN, qid, cntlid, headerDigest, dataDigest);
    }

    TcpHost io(String nqn, int qid, int cntlid, boolean headerDigest, boolean dataDigest) throws IOException {
        TcpHost host = new TcpHost(port).initialize(headerDigest, dataDigest);
        assertEquals(0, host.connect(qid, 128, nqn, TcpHost.HOST_NQN, cntlid).status());
        return host;
    }

    static MemorySegment identify(TcpHost host, int cns, long nsid) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, host.nextCid(), nsid);
        IdentifyCommand.set(sqe, 0, cns, 0, 0);
        Completion completion = host.execute(sqe, new byte[0], false, 4096);
        assertEquals(0, completion.status());
        MemorySegment page = Arena.ofAuto().allocate(4096);
        return page.copyFrom(MemorySegment.ofArray(completion.data()));
    }

    static Completion write(TcpHost host, long block, byte[] data, boolean inCapsule) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE, host.nextCid(), 1);
        LbaCommand.set(sqe, 0, block, data.length / 512, 0);
        return host.execute(sqe, data, inCapsule, 0);
    }

    static Completion read(TcpHost host, long block, int bytes) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, host.nextCid(), 1);
        LbaCommand.set(sqe, 0, block, bytes / 512, 0);
        return host.execute(sqe, new byte[0], false, bytes);
    }

    /// The host says that it is there; the controller must be, too.
    static void assertAlive(TcpHost admin) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.KEEP_ALIVE, admin.nextCid(), 0);
        assertEquals(0, plain(admin, sqe).status());
    }

    /// Waits until no queue pair is left.
    void assertNothingIsLeft() throws Exception {
        for (int i = 0; i < 2000; i++) {
            JsonNode group = target.call("nvmf_get_stats").get("poll_groups").get(0);
            if (group.get("current_admin_qpairs").intValue() == 0 && group.get("current_io_qpairs").intValue() == 0
                    && target.call("nvmf_subsystem_get_controllers", "{'nqn': '" + NQN + "'}").isEmpty()) {
                return;
            }
            Thread.sleep(5);
        }
        throw new AssertionError("left: " + target.call("nvmf_get_stats"));
    }
}
