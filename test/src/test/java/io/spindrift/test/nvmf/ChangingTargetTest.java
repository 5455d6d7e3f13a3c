package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.LittleEndian;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A target whose subsystems, listeners and namespaces come and go under its hosts.
@Timeout(60)
class ChangingTargetTest {
    private static final String TRANSPORT = "{'trtype': 'TCP', 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}";
    private static final String OTHER = "nqn.2016-06.io.spdk:cnode2";

    private LiveTarget target;
    private final int[] cntlid = new int[1];

    private void start() throws Exception {
        target = LiveTarget.start();
    }

    @AfterEach
    void stop() throws Exception {
        target.awaitConnections(0);
        target.assertNothingWasThrown();
        target.stop();
    }

    /// The connection must be over, in order or by a reset.
    private static void assertOver(TcpHost host) throws IOException {
        try {
            assertNull(host.receive());
        } catch (SocketException | EOFException _) {
            // by a reset
        }
    }

    @Test
    void aSubsystemInUseIsDeletedAndMadeAgainAtOnce() throws Exception {
        start();
        for (int i = 0; i < 10; i++) {
            TcpHost admin = target.admin(false, false, cntlid);
            TcpHost io = target.io(1, cntlid[0], false, false);
            LiveTarget.assertWorks(admin, io, new Random(i));
            target.program.call("nvmf_delete_subsystem", "{'nqn': '" + LiveTarget.NQN + "'}");
            target.addSubsystem(LiveTarget.NQN);
            target.program.call("nvmf_subsystem_add_ns",
                    "{'nqn': '" + LiveTarget.NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
            target.addListener(LiveTarget.NQN, "127.0.0.1", target.port);
            assertOver(admin);
            assertOver(io);
            admin.close();
            io.close();
        }
        target.assertNothingIsLeft();
    }

    @Test
    void aPortStaysWithTheSubsystemThatStillListensThere() throws Exception {
        start();
        target.addSubsystem(OTHER);
        target.addListener(OTHER, "127.0.0.1", target.port);
        try (TcpHost admin = target.admin(false, false, cntlid);
                TcpHost io = target.io(1, cntlid[0], false, false);
                TcpHost other = LiveTarget.enable(target.connected(), OTHER, new int[1])) {
            target.removeListener(OTHER, "127.0.0.1", target.port);
            assertOver(other);
            LiveTarget.assertWorks(admin, io, new Random(1));
            try (TcpHost host = target.connected()) {
                assertEquals(0x182, host.connect(0, 32, OTHER, TcpHost.HOST_NQN, 0xffff).status() & 0x7ff);
                assertEquals(0, host.connect(0, 32, LiveTarget.NQN, TcpHost.HOST_NQN, 0xffff).status());
            }
        }
        target.assertNothingIsLeft();
    }

    @Test
    void aDiskInUseDoesNotShrink() throws Exception {
        start();
        target.program.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 204800, 'block_size': 512}");
        target.program.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + LiveTarget.NQN + "', 'namespace': {'bdev_name': 'Null0'}}");
        String message = target.program.refusal("bdev_null_resize", "{'name': 'Null0', 'new_size': 1}").getMessage();
        assertTrue(message.contains("Null0") || message.contains("new_size"), message);
        assertTrue(message.contains("1"), message);
        target.program.call("bdev_null_resize", "{'name': 'Null0', 'new_size': 200}");
    }

    // ---- races ------------------------------------------------------------------------------------------------

    /// What a host of the race does again and again; the namespace that comes and goes may be there or not.
    private void visit(int number, Random random) throws Exception {
        int[] id = new int[1];
        boolean digests = random.nextBoolean();
        try (TcpHost admin = target.admin(digests, digests, id); TcpHost io = target.io(1, id[0], digests, digests)) {
            long block = number * 32L;
            byte[] data = new byte[4096];
            random.nextBytes(data);
            assertEquals(0, LiveTarget.write(io, block, data, random.nextBoolean()).status());
            assertArrayEquals(data, LiveTarget.read(io, block, data.length).data());
            var sqe = LiveTarget.blocks(io, 2, 0, 512);
            LittleEndian.u32(sqe, 4, 2);
            int status = io.execute(sqe, new byte[0], false, 512).status() & 0x7ff;
            assertTrue(status == 0 || status == 0x0b, "status " + status);
            LiveTarget.assertAlive(admin);
            if (random.nextInt(4) == 0) {
                io.reset();
            }
        }
    }

    @Test
    void hostsComeAndGoWhileNamespacesDo() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        target = LiveTarget.start(options -> options.cpuMask(CpuMask.of(cores > 1 ? new int[]{0, 1} : new int[]{0})),
                TRANSPORT);
        target.program.call("bdev_malloc_create", "{'name': 'Malloc1', 'num_blocks': 2048, 'block_size': 512}");
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger changes = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(33)) {
            Future<?> changing = threads.submit(() -> {
                while (!over.get()) {
                    target.program.call("nvmf_subsystem_add_ns", "{'nqn': '" + LiveTarget.NQN
                            + "', 'namespace': {'bdev_name': 'Malloc1', 'nsid': 2}}");
                    target.program.call("nvmf_subsystem_remove_ns", "{'nqn': '" + LiveTarget.NQN + "', 'nsid': 2}");
                    changes.incrementAndGet();
                }
            });
            List<Future<?>> hosts = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                int number = i;
                hosts.add(threads.submit(() -> {
                    Random random = new Random(number);
                    for (int visits = 0; visits < 12; visits++) {
                        visit(number, random);
                    }
                    return null;
                }));
            }
            try {
                for (Future<?> host : hosts) {
                    host.get();
                }
            } finally {
                over.set(true);
            }
            changing.get();
        }
        assertTrue(changes.get() > 0);
        target.assertNothingIsLeft();
    }
}
