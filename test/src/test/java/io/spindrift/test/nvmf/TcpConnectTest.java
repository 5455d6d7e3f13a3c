package io.spindrift.test.nvmf;

import static io.spindrift.test.nvmf.LiveTarget.NQN;
import static io.spindrift.test.nvmf.LiveTarget.assertAlive;
import static io.spindrift.test.nvmf.LiveTarget.read;
import static io.spindrift.test.nvmf.LiveTarget.write;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.tcp.CapsuleResp;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Who may connect, with which controller ID, and who serves the connection.
@Timeout(60)
class TcpConnectTest {
    /// SCT 1, SC 81h: Connect Controller Busy.
    private static final int CONTROLLER_BUSY = 0x181;
    private static final int COMMAND_SEQUENCE_ERROR = 0x0c;

    private LiveTarget target;

    @AfterEach
    void stop() throws Exception {
        target.stop();
    }

    private TcpHost.Completion connect(TcpHost host, String nqn) throws Exception {
        return host.initialize(false, false).connect(0, 32, nqn, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC);
    }

    private void addSubsystem(String nqn, String more) throws Exception {
        target.program.call("nvmf_create_subsystem", "{'nqn': '" + nqn + "', 'allow_any_host': true" + more + "}");
        target.program.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + nqn + "', 'listen_address': " + target.address() + "}");
    }

    /// Base specification 2.0, 3.6: only a reset leads out of a shutdown.
    @Test
    void aControllerThatWasShutDownDoesNothingMore() throws Exception {
        target = LiveTarget.start();
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid);
                TcpHost io = new TcpHost(target.port).initialize(false, false)) {
            configure(admin, Cc.of(Cc.CSS_NVM, 0) | Cc.EN | Cc.SHN_NORMAL << 14);
            assertEquals(COMMAND_SEQUENCE_ERROR, io.connect(1, 32, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]).status()
                    & 0x7ff);
            MemorySegment sqe = LiveTarget.sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.KEEP_ALIVE, admin.nextCid(), 0);
            assertEquals(COMMAND_SEQUENCE_ERROR, LiveTarget.plain(admin, sqe).status() & 0x7ff);
            configure(admin, 0);
            configure(admin, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
            assertAlive(admin);
            assertEquals(0, io.connect(1, 32, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid[0]).status());
        }
    }

    /// SPDK's host has forgotten its requests by then, and takes an answer to one for a broken connection.
    @Test
    void aControllerThatWasShutDownAnswersNoEventRequest() throws Exception {
        target = LiveTarget.start();
        try (TcpHost admin = target.admin(false, false, new int[1])) {
            MemorySegment sqe = LiveTarget.sqe();
            SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.ASYNC_EVENT_REQUEST, admin.nextCid(), 0);
            admin.submit(sqe, new byte[0], false, 0);
            sqe = LiveTarget.sqe();
            PropertyCommand.set(sqe, 0, admin.nextCid(), ControllerProperty.CC, 4,
                    Cc.of(Cc.CSS_NVM, 0) | Cc.EN | Cc.SHN_NORMAL << 14);
            assertEquals(SubmissionQueueEntry.cid(sqe, 0), answered(admin, sqe), "the first answer");
            sqe = LiveTarget.sqe();
            PropertyCommand.get(sqe, 0, admin.nextCid(), ControllerProperty.CSTS, 4);
            assertEquals(SubmissionQueueEntry.cid(sqe, 0), answered(admin, sqe), "the second");
        }
    }

    private static int answered(TcpHost admin, MemorySegment sqe) throws Exception {
        admin.submit(sqe, new byte[0], false, 0);
        MemorySegment response = admin.receive();
        return CompletionQueueEntry.cid(response, CapsuleResp.CQE);
    }

    private static void configure(TcpHost admin, int cc) throws Exception {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.set(sqe, 0, admin.nextCid(), ControllerProperty.CC, 4, cc);
        assertEquals(0, LiveTarget.plain(admin, sqe).status());
    }

    @Test
    void aHostMayConnectTwice() throws Exception {
        target = LiveTarget.start();
        int[] first = new int[1];
        int[] second = new int[1];
        try (TcpHost one = target.admin(false, false, first); TcpHost two = target.admin(false, false, second)) {
            assertNotEquals(first[0], second[0]);
            assertAlive(one);
            assertAlive(two);
        }
    }

    @Test
    void controllerIdsAreThoseOfTheSubsystem() throws Exception {
        target = LiveTarget.start();
        String nqn = "nqn.2016-06.io.spdk:two";
        addSubsystem(nqn, ", 'min_cntlid': 7, 'max_cntlid': 8");
        Set<Integer> ids = new TreeSet<>();
        try (TcpHost one = new TcpHost(target.port); TcpHost three = new TcpHost(target.port)) {
            ids.add((int) connect(one, nqn).dw0() & 0xffff);
            try (TcpHost two = new TcpHost(target.port)) {
                ids.add((int) connect(two, nqn).dw0() & 0xffff);
                assertEquals(Set.of(7, 8), ids);
                assertEquals(CONTROLLER_BUSY, connect(three, nqn).status() & 0x7ff, "there is none left");
            }
            awaitControllers(nqn, 1);
            assertEquals(0, three.connect(0, 32, nqn, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC).status());
        }
    }

    private void awaitControllers(String nqn, int wanted) throws Exception {
        for (int i = 0; i < 2000; i++) {
            if (target.program.call("nvmf_subsystem_get_controllers", "{'nqn': '" + nqn + "'}").size() == wanted) {
                return;
            }
            Thread.sleep(5);
        }
        throw new AssertionError("not " + wanted + " controllers");
    }

    /// `dup_host_policy` of nvmf_create_target.
    @Test
    void aHostThatIsThereIsRefusedWhereItMayNotConnectTwice() throws Exception {
        target = LiveTarget.start();
        String nqn = "nqn.2016-06.io.spdk:once";
        String other = "{'tgt_name': 'strict', ";
        target.program.call("nvmf_create_target", "{'name': 'strict', 'dup_host_policy': 'restrict_per_listener'}");
        target.program.call("nvmf_create_transport", other + "'trtype': 'TCP'}");
        target.program.call("nvmf_create_subsystem", other + "'nqn': '" + nqn + "', 'allow_any_host': true}");
        int port = freePort();
        target.program.call("nvmf_subsystem_add_listener", other + "'nqn': '" + nqn
                + "', 'listen_address': {'trtype': 'TCP', 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port
                + "'}}");
        try (TcpHost two = new TcpHost(port)) {
            try (TcpHost one = new TcpHost(port)) {
                assertEquals(0, connect(one, nqn).status());
                assertEquals(CONTROLLER_BUSY, connect(two, nqn).status() & 0x7ff);
            }
            int status;
            do { // until the target has seen the end of the first
                status = two.connect(0, 32, nqn, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC).status() & 0x7ff;
            } while (status == CONTROLLER_BUSY);
            assertEquals(0, status);
        }
    }

    private static int freePort() throws Exception {
        try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    @Test
    void aConnectionIsServedByItsListenersSocketImplementation() throws Exception {
        target = LiveTarget.start();
        target.program.call("nvmf_subsystem_remove_listener",
                "{'nqn': '" + NQN + "', 'listen_address': " + target.address() + "}");
        String usual = target.program.call("sock_get_default_impl").get("impl_name").stringValue();
        String other = usual.equals("posix") ? "uring" : "posix";
        assertTrue(!pollers().contains("sock_" + other));
        target.program.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + NQN + "', 'listen_address': " + target.address()
                        + ", 'sock_impl': '" + other + "'}");
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid); TcpHost io = target.io(1, cntlid[0], false, false)) {
            assertEquals(0, read(io, 0, 512).status());
            assertTrue(pollers().contains("sock_" + other));
            assertAlive(admin);
        }
    }

    /// `enable_placement_id` 2: the processor on which the kernel has made a connection, on loopback that of its host.
    @Test
    void connectionsOfOneProcessorAreServedByOneThread() throws Exception {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "this machine has one processor");
        EmbeddedTarget program = EmbeddedTarget
                .startNvmf(options -> options.cpuMask(CpuMask.of(0, 1)).waitForRpc(true));
        program.call("sock_impl_set_options", "{'impl_name': 'posix', 'enable_placement_id': 2}");
        program.call("framework_start_init");
        target = new LiveTarget(program, LiveTarget.TRANSPORT);
        List<Process> hosts = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                hosts.add(new ProcessBuilder("taskset", "-c", "1", "bash", "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/" + target.port + "; cat <&3").start());
            }
            target.awaitConnections(6);
            Set<Integer> counts = new TreeSet<>();
            for (JsonNode group : program.call("nvmf_get_stats").get("poll_groups")) {
                counts.add(group.get("current_unassociated_qpairs").intValue());
            }
            assertEquals(Set.of(0, 6), counts);
        } finally {
            hosts.forEach(Process::destroyForcibly);
        }
    }

    private Set<String> pollers() throws Exception {
        Set<String> names = new TreeSet<>();
        for (JsonNode thread : target.program.call("thread_get_pollers").get("threads")) {
            thread.get("active_pollers").forEach(poller -> names.add(poller.get("name").stringValue()));
        }
        return names;
    }

    /// Native memory belongs to no reactor: connections go on, and end, wherever the scheduler puts their thread.
    @Test
    void connectionsGoOnWhenTheirThreadMovesToAnotherReactor() throws Exception {
        target = LiveTarget.start(options -> options.cpuMask(CpuMask.parse("0x3")), LiveTarget.TRANSPORT);
        int[] cntlid = new int[1];
        byte[] data = new byte[8192];
        new Random(1).nextBytes(data);
        try (TcpHost admin = target.admin(true, true, cntlid); TcpHost io = target.io(1, cntlid[0], true, true)) {
            assertEquals(0, write(io, 0, data, false).status());
            for (String core : new String[]{"0x2", "0x1", "0x2"}) {
                for (JsonNode thread : target.program.call("thread_get_stats").get("threads")) {
                    if (thread.get("name").stringValue().startsWith("nvmf_tgt_poll_group")) {
                        target.program.call("thread_set_cpumask",
                                "{'id': " + thread.get("id").longValue() + ", 'cpumask': '" + core + "'}");
                    }
                }
                assertArrayEquals(data, read(io, 0, 8192).data());
                assertEquals(0, write(io, 0, data, false).status());
                assertAlive(admin);
            }
            io.damageHeader = true; // a terminate request, from memory of the connection's own
            io.submit(LiveTarget.sqe(), new byte[0], false, 0);
            assertEquals(3, io.receive().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 8), "FES: Header Digest Error");
        }
        target.assertNothingIsLeft();
    }
}
