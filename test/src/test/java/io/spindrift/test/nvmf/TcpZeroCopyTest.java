package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvmf.NvmfTargetSubsystem;
import io.spindrift.nvmf.engine.TargetEngine;
import io.spindrift.nvmf.engine.TargetResources;
import io.spindrift.sock.SockSubsystem;
import io.spindrift.sock.Sockets;
import io.spindrift.test.nvmf.TcpHost.Completion;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Data that are not copied: sockets that send from memory until the kernel lets go of it (forced on loopback, where the kernel
/// copies at the other end and says so), and reads that send from the memory of their device.
@Timeout(60)
class TcpZeroCopyTest {
    private static final int IO = 8192;
    private static final int SLOTS = LiveTarget.BLOCKS * LiveTarget.BLOCK / IO;
    /// Of a queue with 128 entries, one of which stays empty.
    private static final int DEPTH = 127;

    private final Random random = new Random(11);
    private LiveTarget target;

    @AfterEach
    void stop() throws Exception {
        target.assertNothingIsLeft();
        target.stop();
    }

    /// A target whose sockets of `implementation` send everything without a copy.
    private void start(String implementation, boolean borrowing) throws Exception {
        AppComponents components = application -> {
            Sockets sockets = Sockets.load(application.reactors(), application.log(),
                    TcpZeroCopyTest.class.getModule().getLayer());
            BdevSubsystem bdev = new BdevSubsystem(application, sockets);
            sockets.options(implementation, sockets.options(implementation).withZerocopy(true, true, 1));
            sockets.defaultImplementation(implementation);
            return List.<Subsystem>of(new SockSubsystem(sockets, application.log()), bdev,
                    new NvmfTargetSubsystem(application, bdev,
                            new TargetEngine(
                                    new TargetResources(sockets, application::bufferPools, application.log(), true))));
        };
        target = new LiveTarget(EmbeddedTarget.start("nvmf_tgt", UnaryOperator.identity(), components),
                "{'trtype': 'TCP', 'zcopy': " + borrowing
                        + ", 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}");
    }

    /// Each of 128 places of 8 KiB is written and read in any order, by at most one command at a time.
    @ParameterizedTest
    @CsvSource({"posix, false, false, false", "posix, false, true, true", "posix, true, false, false",
            "posix, true, true, false", "posix, true, false, true", "posix, true, true, true",
            "uring, false, true, true", "uring, true, true, false", "uring, true, true, true"})
    void keepsOrderAndContentsAtDepth(String implementation, boolean borrowing, boolean headerDigest,
            boolean dataDigest) throws Exception {
        start(implementation, borrowing);
        int[] cntlid = new int[1];
        long reads;
        try (TcpHost admin = target.admin(headerDigest, dataDigest, cntlid);
                TcpHost host = target.io(1, cntlid[0], headerDigest, dataDigest)) {
            reads = verify(host, 3000);
            LiveTarget.assertAlive(admin);
        }
        target.awaitConnections(0);
        JsonNode statistics = target.program.call("bdev_get_iostat", "{'names': ['Malloc0']}").get("bdevs").get(0);
        assertEquals(reads, statistics.get("num_read_ops").longValue());
        assertEquals(reads * IO, statistics.get("bytes_read").longValue());
        assertEquals(3000 - reads, statistics.get("num_write_ops").longValue());
        JsonNode sock = target.program.call("nvmf_get_stats").get("poll_groups").get(0).get("transports").get(0)
                .get("sock").get(implementation);
        assertTrue(sock.get("zero_copy_sends").longValue() > 0, sock::toString);
        assertEquals(sock.get("zero_copy_sends"), sock.get("zero_copy_ends"), sock::toString);
        assertEquals(sock.get("zero_copy_ends"), sock.get("zero_copy_copied"), "loopback copies all");
    }

    private record Command(MemorySegment sqe, int slot, boolean read) {}

    /// Returns how many were reads.
    private long verify(TcpHost host, int commands) throws IOException {
        byte[][] contents = new byte[SLOTS][IO]; // zeroes, as the disk
        boolean[] busy = new boolean[SLOTS];
        Deque<Command> outstanding = new ArrayDeque<>();
        long reads = 0;
        for (int i = 0; i < commands; i++) {
            if (outstanding.size() == DEPTH) {
                finish(host, outstanding.poll(), contents, busy);
            }
            int slot = random.nextInt(SLOTS);
            while (busy[slot]) {
                slot = (slot + 1) % SLOTS;
            }
            busy[slot] = true;
            boolean read = random.nextBoolean();
            reads += read ? 1 : 0;
            Command command = new Command(LiveTarget.blocks(host, read ? NvmOpcode.READ : NvmOpcode.WRITE,
                    (long) slot * IO / LiveTarget.BLOCK, IO), slot, read);
            if (!read) {
                random.nextBytes(contents[slot]);
            }
            host.submit(command.sqe, read ? new byte[0] : contents[slot], false, read ? IO : 0);
            outstanding.add(command);
        }
        while (!outstanding.isEmpty()) {
            finish(host, outstanding.poll(), contents, busy);
        }
        return reads;
    }

    private static void finish(TcpHost host, Command command, byte[][] contents, boolean[] busy) throws IOException {
        Completion completion = host.finish(command.sqe);
        assertEquals(0, completion.status());
        if (command.read) {
            assertArrayEquals(contents[command.slot], completion.data(), "place " + command.slot);
        }
        busy[command.slot] = false;
    }

    /// Buffers that commands have asked for.
    private long buffersAskedFor() {
        long asked = 0;
        for (JsonNode user : target.program.call("iobuf_get_stats")) {
            if (user.get("module").stringValue().equals("nvmf_TCP")) {
                for (String pool : new String[]{"small_pool", "large_pool"}) {
                    for (String count : new String[]{"cache", "main", "retry"}) {
                        asked += user.get(pool).get(count).longValue();
                    }
                }
            }
        }
        return asked;
    }

    /// With a data digest they do: what the host checks must not be written meanwhile.
    @Test
    void readsThatBorrowObtainNoBuffers() throws Exception {
        start("posix", true);
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid);
                TcpHost host = target.io(1, cntlid[0], false, false);
                TcpHost checking = target.io(2, cntlid[0], false, true)) {
            byte[] data = new byte[131_072];
            random.nextBytes(data);
            assertEquals(0, LiveTarget.write(host, 0, data, false).status());
            long before = buffersAskedFor();
            for (int bytes : new int[]{512, IO, 131_072}) {
                assertArrayEquals(Arrays.copyOf(data, bytes), LiveTarget.read(host, 0, bytes).data());
            }
            assertEquals(before, buffersAskedFor());
            assertArrayEquals(data, LiveTarget.read(checking, 0, 131_072).data());
            assertTrue(buffersAskedFor() > before);
            LiveTarget.assertAlive(admin);
        }
    }

    /// More than the kernel keeps for a host that does not read.
    private void submitLongReads(TcpHost host) throws IOException {
        for (int i = 0; i < DEPTH; i++) {
            host.submit(LiveTarget.blocks(host, NvmOpcode.READ, 0, 131_072), new byte[0], false, 131_072);
        }
    }

    private TcpHost slowHost(int cntlid) throws IOException {
        TcpHost host = new TcpHost(InetAddress.getLoopbackAddress(), target.port, 65_536).initialize(false, false);
        assertEquals(0, host.connect(1, 128, LiveTarget.NQN, TcpHost.HOST_NQN, cntlid).status());
        return host;
    }

    @Test
    void aHostThatGoesInTheMiddleGivesAllBack() throws Exception {
        start("posix", true);
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid)) {
            TcpHost host = slowHost(cntlid[0]);
            submitLongReads(host);
            host.receive(); // some are on their way
            host.reset();
            target.awaitConnections(1);
            LiveTarget.assertAlive(admin);
        }
        target.program.call("bdev_malloc_delete", "{'name': 'Malloc0'}");
    }

    /// The bdev goes when the last of its memory is given back, and all reads that had begun are whole.
    @Test
    void aDeviceIsRemovedAfterTheReadsThatSendFromIt() throws Exception {
        start("posix", true);
        int[] cntlid = new int[1];
        try (TcpHost admin = target.admin(false, false, cntlid); TcpHost host = slowHost(cntlid[0])) {
            byte[] data = new byte[131_072];
            random.nextBytes(data);
            assertEquals(0, LiveTarget.write(host, 0, data, false).status());
            Deque<MemorySegment> reads = new ArrayDeque<>();
            for (int i = 0; i < DEPTH; i++) {
                reads.add(LiveTarget.blocks(host, NvmOpcode.READ, 0, data.length));
                host.submit(reads.getLast(), new byte[0], false, data.length);
            }
            assertArrayEquals(data, host.finish(reads.poll()).data());
            CompletableFuture<JsonNode> removed = CompletableFuture.supplyAsync(
                    () -> target.program.call("bdev_malloc_delete", "{'name': 'Malloc0'}"));
            int whole = 1;
            for (MemorySegment read : reads) {
                Completion completion = host.finish(read);
                if (completion.status() == 0) {
                    assertArrayEquals(data, completion.data());
                    whole++;
                } else {
                    assertEquals(0x0b, completion.status() & 0x7ff, "the namespace has gone");
                }
            }
            assertTrue(whole > 1, whole + " were answered before");
            assertTrue(removed.get().booleanValue());
            LiveTarget.assertAlive(admin);
        }
    }
}
