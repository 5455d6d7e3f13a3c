package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.memory.Buffer;
import io.spindrift.framework.memory.BufferChannel;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactor;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/// The program `nvmf_tgt` with a disk of 1 MiB that hosts reach over TCP, and a look at what is left of hosts that have gone.
public final class LiveTarget {
    public static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    static final int BLOCK = 512;
    static final int BLOCKS = 2048;
    /// Parameters of `nvmf_create_transport`.
    static final String TRANSPORT = "{'trtype': 'TCP', 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}";

    public final EmbeddedTarget program;
    public final int port;
    private final IoThread counter;
    private final int[] free;

    /// On core 0.
    public static LiveTarget start() throws Exception {
        return start(UnaryOperator.identity(), TRANSPORT);
    }

    /// With more parameters of `nvmf_create_transport`.
    public static LiveTarget start(String more) throws Exception {
        return start(UnaryOperator.identity(), TRANSPORT.replace("}", ", " + more + "}"));
    }

    /// With a disk of `blocks` blocks.
    public static LiveTarget start(long blocks) throws Exception {
        return new LiveTarget(EmbeddedTarget.startNvmf(), TRANSPORT, blocks);
    }

    /// With other options of the program, and with parameters of `nvmf_create_transport`, by which poll groups keep no
    /// buffers: else they cannot be counted.
    public static LiveTarget start(UnaryOperator<ApplicationOptions.Builder> options, String transport)
            throws Exception {
        return new LiveTarget(EmbeddedTarget.startNvmf(options), transport);
    }

    /// Configures a program that has started.
    public LiveTarget(EmbeddedTarget program, String transport) throws Exception {
        this(program, transport, BLOCKS);
    }

    private LiveTarget(EmbeddedTarget program, String transport, long blocks) throws Exception {
        this.program = program;
        this.port = freePort();
        program.call("bdev_malloc_create",
                "{'name': 'Malloc0', 'num_blocks': " + blocks + ", 'block_size': " + BLOCK + "}");
        program.call("nvmf_create_transport", transport);
        addSubsystem(NQN);
        program.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Malloc0'}}");
        addListener(NQN, "127.0.0.1", port);
        counter = program.application().reactors().createThread("counter",
                program.application().reactors().cpuMask());
        free = freeBuffers();
    }

    /// Has all reactors do nothing for a while, as when the program is stopped by a signal.
    public void standStill(long millis) throws InterruptedException {
        List<Reactor> reactors = program.application().reactors().reactors();
        CountDownLatch over = new CountDownLatch(reactors.size());
        for (Reactor reactor : reactors) {
            reactor.send(() -> {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
                over.countDown();
            });
        }
        over.await();
    }

    public static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    public void addSubsystem(String nqn) {
        program.call("nvmf_create_subsystem",
                "{'nqn': '" + nqn + "', 'allow_any_host': true, 'serial_number': 'SER1', 'model_number': 'Mod El'}");
    }

    public void addListener(String nqn, String traddr, int trsvcid) {
        program.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + nqn + "', 'listen_address': " + address(traddr, trsvcid) + "}");
    }

    public void removeListener(String nqn, String traddr, int trsvcid) {
        program.call("nvmf_subsystem_remove_listener",
                "{'nqn': '" + nqn + "', 'listen_address': " + address(traddr, trsvcid) + "}");
    }

    /// Where it listens, for RPCs.
    String address() {
        return address("127.0.0.1", port);
    }

    static String address(String traddr, int trsvcid) {
        return "{'trtype': 'TCP', 'adrfam': '" + (traddr.contains(":") ? "IPv6" : "IPv4") + "', 'traddr': '" + traddr
                + "', 'trsvcid': '" + trsvcid + "'}";
    }

    // ---- hosts that keep the rules ----------------------------------------------------------------------------

    static MemorySegment sqe() {
        return Arena.ofAuto().allocate(SubmissionQueueEntry.SIZE);
    }

    static Completion plain(TcpHost host, MemorySegment sqe) throws IOException {
        return host.execute(sqe, new byte[0], false, 0);
    }

    /// A connection that has exchanged ICReq and ICResp, without digests.
    TcpHost connected() throws IOException {
        return new TcpHost(port).initialize(false, false);
    }

    /// The admin queue of an enabled controller, whose ID is put into `cntlid`.
    TcpHost admin(boolean headerDigest, boolean dataDigest, int[] cntlid) throws IOException {
        return admin(NQN, headerDigest, dataDigest, cntlid);
    }

    /// That of a controller of another subsystem.
    TcpHost admin(String nqn, boolean headerDigest, boolean dataDigest, int[] cntlid) throws IOException {
        return enable(new TcpHost(port).initialize(headerDigest, dataDigest), nqn, cntlid);
    }

    /// Connects as the admin queue of a controller of `nqn`, and enables it.
    static TcpHost enable(TcpHost host, String nqn, int[] cntlid) throws IOException {
        Completion connected = host.connect(0, 32, nqn, TcpHost.HOST_NQN, ConnectData.CNTLID_DYNAMIC);
        assertEquals(0, connected.status(), "Connect");
        cntlid[0] = (int) connected.dw0() & 0xffff;
        MemorySegment sqe = sqe();
        PropertyCommand.set(sqe, 0, host.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, plain(host, sqe).status(), "CC.EN");
        sqe = sqe();
        PropertyCommand.get(sqe, 0, host.nextCid(), ControllerProperty.CSTS, 4);
        assertEquals(1, plain(host, sqe).dw0(), "CSTS.RDY");
        return host;
    }

    /// I/O queue `qid`, with 128 entries.
    TcpHost io(int qid, int cntlid, boolean headerDigest, boolean dataDigest) throws IOException {
        return io(NQN, qid, cntlid, headerDigest, dataDigest);
    }

    TcpHost io(String nqn, int qid, int cntlid, boolean headerDigest, boolean dataDigest) throws IOException {
        TcpHost host = new TcpHost(port).initialize(headerDigest, dataDigest);
        assertEquals(0, host.connect(qid, 128, nqn, TcpHost.HOST_NQN, cntlid).status(), "Connect");
        return host;
    }

    static MemorySegment identify(TcpHost host, int cns, long nsid) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, host.nextCid(), nsid);
        IdentifyCommand.set(sqe, 0, cns, 0, 0);
        Completion completion = host.execute(sqe, new byte[0], false, 4096);
        assertEquals(0, completion.status());
        return Arena.ofAuto().allocate(4096).copyFrom(MemorySegment.ofArray(completion.data()));
    }

    static MemorySegment blocks(TcpHost host, int opcode, long block, int bytes) {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, opcode, host.nextCid(), 1);
        LbaCommand.set(sqe, 0, block, bytes / BLOCK, 0);
        return sqe;
    }

    static Completion write(TcpHost host, long block, byte[] data, boolean inCapsule) throws IOException {
        return host.execute(blocks(host, NvmOpcode.WRITE, block, data.length), data, inCapsule, 0);
    }

    static Completion read(TcpHost host, long block, int bytes) throws IOException {
        return host.execute(blocks(host, NvmOpcode.READ, block, bytes), new byte[0], false, bytes);
    }

    /// Writes and reads blocks of its own in all three ways, and has the controller say that it is there.
    static void assertWorks(TcpHost admin, TcpHost io, Random random) throws IOException {
        for (int bytes : new int[]{512, 4096, 131_072}) {
            byte[] data = new byte[bytes];
            random.nextBytes(data);
            assertEquals(0, write(io, 1024, data, bytes == 512).status());
            assertArrayEquals(data, read(io, 1024, bytes).data());
        }
        assertAlive(admin);
    }

    static void assertAlive(TcpHost admin) throws IOException {
        MemorySegment sqe = sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.KEEP_ALIVE, admin.nextCid(), 0);
        assertEquals(0, plain(admin, sqe).status(), "Keep Alive");
    }

    // ---- what is left -----------------------------------------------------------------------------------------

    /// Waits until there are this many connections, in all poll groups.
    public void awaitConnections(int expected) throws InterruptedException {
        await("connections", expected, this::connections);
    }

    private int connections() {
        int count = 0;
        for (JsonNode group : program.call("nvmf_get_stats").get("poll_groups")) {
            count += group.get("current_admin_qpairs").intValue() + group.get("current_io_qpairs").intValue()
                    + group.get("current_unassociated_qpairs").intValue();
        }
        return count;
    }

    int controllers(String nqn) {
        return program.call("nvmf_subsystem_get_controllers", "{'nqn': '" + nqn + "'}").size();
    }

    interface Figure {
        int now();
    }

    /// Without a limit of its own: the test's time-out ends what never comes, and says where it waits.
    static void await(String what, int expected, Figure figure) throws InterruptedException {
        while (figure.now() != expected) {
            if (Thread.interrupted()) {
                throw new InterruptedException(what + ": " + figure.now() + " instead of " + expected);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// Waits until the last connection has gone, then all it had must be free, and nothing may have been thrown.
    public void assertNothingIsLeft() throws InterruptedException {
        awaitConnections(0);
        await("controllers", 0, () -> controllers(NQN));
        await("small buffers", free[0], () -> freeBuffers()[0]);
        await("large buffers", free[1], () -> freeBuffers()[1]);
        assertNothingWasThrown();
    }

    public void assertNothingWasThrown() throws InterruptedException {
        assertEquals(0, program.application().reactors().exceptionCount(), () -> {
            try {
                return String.join("\n", program.log());
            } catch (InterruptedException e) {
                return e.toString();
            }
        });
    }

    /// How many small and large buffers nobody has. Takes them all for a moment.
    int[] freeBuffers() {
        return counter.call(() -> {
            var pools = program.application().bufferPools();
            try (BufferChannel channel = pools.openChannel("counter", 0, 0)) {
                return new int[]{count(channel, 1), count(channel, pools.largestCapacity())};
            }
        });
    }

    private static int count(BufferChannel channel, long bytes) {
        Deque<Buffer> taken = new ArrayDeque<>();
        for (Buffer buffer = channel.tryGet(bytes); buffer != null; buffer = channel.tryGet(bytes)) {
            taken.add(buffer);
        }
        taken.forEach(channel::release);
        return taken.size();
    }

    /// Ends the program, well.
    public void stop() throws Exception {
        counter.send(counter::exit);
        assertEquals(0, program.stop());
        program.close();
    }
}
