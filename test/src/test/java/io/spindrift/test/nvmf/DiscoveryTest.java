package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.Nqn;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.fabrics.ConnectCommand;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.DiscoveryLog;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.test.nvmf.TcpHost.Completion;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The discovery service as hosts see it (base specification 2.0, 5.16.1 LID 70h; 5.2; 3.9).
@Timeout(60)
class DiscoveryTest {
    private static final String TRANSPORT = "{'trtype': 'TCP', 'iobuf_small_cache_size': 0, 'iobuf_large_cache_size': 0}";
    /// Notice, Discovery Log Page Change, LID 70h.
    private static final long LOG_CHANGED = 0x70_f002;
    private static final String OTHER_HOST = "nqn.2014-08.org.example:other";

    private LiveTarget target;

    private void start() throws Exception {
        target = LiveTarget.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (target != null) {
            target.assertNothingIsLeft();
            target.stop();
        }
    }

    // ---- a host -----------------------------------------------------------------------------------------------

    private TcpHost discovery() throws IOException {
        return LiveTarget.enable(target.connected(), Nqn.DISCOVERY, new int[1]);
    }

    private static Completion getLog(TcpHost host, long offset, int bytes, boolean retain) throws IOException {
        MemorySegment sqe = LiveTarget.sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_LOG_PAGE, host.nextCid(), 0);
        GetLogPageCommand.set(sqe, 0, Lid.DISCOVERY, 0, offset, bytes, retain);
        return host.execute(sqe, new byte[0], false, bytes);
    }

    private static byte[] read(TcpHost host, long offset, int bytes) throws IOException {
        Completion completion = getLog(host, offset, bytes, true);
        assertEquals(0, completion.status());
        return completion.data();
    }

    private static long generation(byte[] log) {
        return DiscoveryLog.GENCTR.get(MemorySegment.ofArray(log), 0);
    }

    private static int records(byte[] log) {
        return (int) DiscoveryLog.NUMREC.get(MemorySegment.ofArray(log), 0);
    }

    /// The whole log, or null if it changed meanwhile: header, entries in pieces of `piece` bytes, header.
    private static byte[] readInPieces(TcpHost host, int first, int piece) throws IOException {
        byte[] header = read(host, 0, 16);
        int size = DiscoveryLog.SIZE + records(header) * DiscoveryEntry.SIZE;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        int length = Math.min(first, size);
        while (log.size() < size) {
            Completion completion = getLog(host, log.size(), length, true);
            if (completion.status() != 0) { // it has become shorter than that
                return null;
            }
            log.writeBytes(completion.data());
            length = Math.min(piece, size - log.size());
        }
        return generation(header) == generation(read(host, 0, 16)) ? log.toByteArray() : null;
    }

    /// An entry as one line.
    private static List<String> entries(byte[] log) {
        MemorySegment segment = MemorySegment.ofArray(log);
        assertEquals(DiscoveryLog.SIZE + (long) records(log) * DiscoveryEntry.SIZE, log.length);
        return IntStream.range(0, records(log))
                .mapToObj(i -> entry(segment, DiscoveryLog.SIZE + (long) i * DiscoveryEntry.SIZE))
                .toList();
    }

    private static String entry(MemorySegment log, long at) {
        return DiscoveryEntry.SUBTYPE.get(log, at) + " " + DiscoveryEntry.TRTYPE.get(log, at) + " "
                + DiscoveryEntry.ADRFAM.get(log, at) + " " + DiscoveryEntry.TRADDR.get(log, at) + " "
                + DiscoveryEntry.TRSVCID.get(log, at) + " " + DiscoveryEntry.SUBNQN.get(log, at);
    }

    private static List<String> entries(TcpHost host) throws IOException {
        byte[] log = null;
        while (log == null) {
            log = readInPieces(host, 1 << 17, 1 << 17);
        }
        return entries(log);
    }

    private String own() {
        return "3 3 1 127.0.0.1 " + target.port + " " + Nqn.DISCOVERY;
    }

    private String at(String nqn) {
        return "2 3 1 127.0.0.1 " + target.port + " " + nqn;
    }

    private static String nqn(int number) {
        return String.format(Locale.ROOT, "nqn.2016-06.io.spdk:many%03d", number);
    }

    // ---- pieces -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 12, 200})
    void piecesMakeTheWhole(int subsystems) throws Exception {
        start();
        List<String> expected = new ArrayList<>(List.of(own(), at(LiveTarget.NQN)));
        for (int i = 1; i < subsystems; i++) {
            target.addSubsystem(nqn(i));
            target.addListener(nqn(i), "127.0.0.1", target.port);
            expected.add(at(nqn(i)));
        }
        try (TcpHost host = discovery()) {
            byte[] whole = readInPieces(host, 1 << 17, 1 << 17);
            assertEquals(expected, entries(whole));
            for (int[] pieces : new int[][]{{4, 1020}, {1020, 1024}, {1024, 3072}, {2044, 4}, {12, 1000},
                    {4092, 131_072}}) {
                if (whole.length / pieces[1] < 600) {
                    assertArrayEquals(whole, readInPieces(host, pieces[0], pieces[1]), Arrays.toString(pieces));
                }
            }
        }
    }

    /// LPO is a multiple of 4, and not behind the end: Invalid Field.
    @Test
    void offsetsThatCannotBe() throws Exception {
        start();
        try (TcpHost host = discovery()) {
            int size = DiscoveryLog.SIZE + 2 * DiscoveryEntry.SIZE;
            for (long offset : new long[]{1, 2, 3, 1023, size + 4, 1L << 32, Long.MAX_VALUE & ~3, -4}) {
                assertEquals(0x02, getLog(host, offset, 16, true).status() & 0x7ff, "offset " + offset);
            }
            assertArrayEquals(new byte[16], read(host, size, 16), "nothing is behind the last");
            assertArrayEquals(new byte[12], Arrays.copyOfRange(read(host, size - 4, 16), 4, 16));
        }
    }

    /// Listeners come and go so that those of the first few subsystems are there at any time: a log that has others, or one
    /// twice, is made of pieces of several, and GENCTR must have told.
    @ParameterizedTest
    @ValueSource(ints = {3, 12, 40})
    void aLogThatChangesBetweenPiecesSaysSo(int subsystems) throws Exception {
        start();
        for (int i = 0; i < subsystems; i++) {
            target.addSubsystem(nqn(i));
        }
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                for (int i = 0; i < subsystems; i++) {
                    target.addListener(nqn(i), "127.0.0.1", target.port);
                }
                for (int i = subsystems - 1; i >= 0; i--) {
                    target.removeListener(nqn(i), "127.0.0.1", target.port);
                }
            }
        });
        int whole = 0;
        int torn = 0;
        try (TcpHost host = discovery()) {
            while (whole < 40 || torn < 10) {
                byte[] log = readInPieces(host, 1500, 1024);
                if (log == null) {
                    torn++;
                    continue;
                }
                whole++;
                List<String> expected = new ArrayList<>(List.of(own(), at(LiveTarget.NQN)));
                for (int i = 0; i < records(log) - 2; i++) {
                    expected.add(at(nqn(i)));
                }
                assertEquals(expected, entries(log));
            }
        } finally {
            over.set(true);
            changes.get();
        }
    }

    // ---- events -----------------------------------------------------------------------------------------------

    private static MemorySegment eventRequest(TcpHost host) {
        MemorySegment sqe = LiveTarget.sqe();
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.ASYNC_EVENT_REQUEST, host.nextCid(), 0);
        return sqe;
    }

    private void assertTells(TcpHost host, String what, Runnable change) throws Exception {
        long before = generation(getLog(host, 0, 16, false).data());
        CompletableFuture<Completion> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return LiveTarget.plain(host, eventRequest(host));
            } catch (IOException e) {
                throw new AssertionError(what, e);
            }
        });
        change.run();
        Completion event = waiting.get();
        assertEquals(0, event.status(), what);
        assertEquals(LOG_CHANGED, event.dw0(), what);
        assertNotEquals(before, generation(read(host, 0, 16)), what);
    }

    @Test
    void everyChangeIsTold() throws Exception {
        start();
        String added = nqn(1);
        String referral = "{'address': " + LiveTarget.address("192.0.2.7", 8009) + "}";
        try (TcpHost host = discovery()) {
            assertTells(host, "listener added", () -> {
                target.addSubsystem(added);
                target.addListener(added, "127.0.0.1", target.port);
            });
            assertTells(host, "another port", () -> target.addListener(added, "127.0.0.1", freePort()));
            assertTells(host, "not for any host", () -> target.program.call("nvmf_subsystem_allow_any_host",
                    "{'nqn': '" + added + "', 'allow_any_host': false}"));
            assertEquals(List.of(own(), at(LiveTarget.NQN)), entries(host));
            String access = "{'nqn': '" + added + "', 'host': '" + TcpHost.HOST_NQN + "'}";
            assertTells(host, "host allowed", () -> target.program.call("nvmf_subsystem_add_host", access));
            assertEquals(4, entries(host).size());
            assertTells(host, "host refused", () -> target.program.call("nvmf_subsystem_remove_host", access));
            assertEquals(2, entries(host).size());
            assertTells(host, "referral added", () -> target.program.call("nvmf_discovery_add_referral", referral));
            assertEquals("1 3 1 192.0.2.7 8009 " + Nqn.DISCOVERY, entries(host).getLast());
            assertTells(host, "referral removed",
                    () -> target.program.call("nvmf_discovery_remove_referral", referral));
            assertTells(host, "listener removed", () -> target.removeListener(added, "127.0.0.1", target.port));
            assertTells(host, "subsystem deleted",
                    () -> target.program.call("nvmf_delete_subsystem", "{'nqn': '" + added + "'}"));
        }
    }

    private static int freePort() {
        try {
            return LiveTarget.freePort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Only one event until the log is read without Retain Asynchronous Event.
    @Test
    void anEventWaitsForItsLogToBeRead() throws Exception {
        start();
        try (TcpHost host = discovery()) {
            target.addSubsystem(nqn(1));
            target.addListener(nqn(1), "127.0.0.1", target.port);
            assertEquals(LOG_CHANGED, LiveTarget.plain(host, eventRequest(host)).dw0());
            target.removeListener(nqn(1), "127.0.0.1", target.port);
            CompletableFuture<Completion> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    MemorySegment request = eventRequest(host);
                    return LiveTarget.plain(host, request);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (TcpHost other = discovery()) {
                assertEquals(2, entries(other).size());
            }
            assertFalse(waiting.isDone(), "one event is enough");
        }
    }

    // ---- Keep Alive -------------------------------------------------------------------------------------------

    private TcpHost persistent(int katoMillis) throws IOException {
        TcpHost host = target.connected();
        MemorySegment data = Arena.ofAuto().allocate(ConnectData.SIZE);
        ConnectData.CNTLID.set(data, 0, ConnectData.CNTLID_DYNAMIC);
        ConnectData.SUBNQN.set(data, 0, Nqn.DISCOVERY);
        ConnectData.HOSTNQN.set(data, 0, TcpHost.HOST_NQN);
        MemorySegment sqe = LiveTarget.sqe();
        ConnectCommand.write(sqe, 0, host.nextCid(), 0, 32, 0, 0);
        LittleEndian.u32(sqe, ConnectCommand.KATO, katoMillis);
        assertEquals(0, host.execute(sqe, data.toArray(ValueLayout.JAVA_BYTE), true, 0).status());
        return host;
    }

    @Test
    void aSilentHostLosesItsController() throws Exception {
        target = LiveTarget.start(options -> options, TRANSPORT.replace("}", ", 'kas': 1, 'min_kato': 100}"));
        try (TcpHost host = persistent(100)) {
            assertNull(host.receive(), "the stream ends");
        }
    }

    /// What it has sent meanwhile is read afterwards.
    @Test
    void aHostKeepsItsControllerWhenTheTargetStandsStill() throws Exception {
        target = LiveTarget.start(options -> options, TRANSPORT.replace("}", ", 'kas': 1, 'min_kato': 400}"));
        try (TcpHost host = persistent(400)) {
            enable(host);
            target.standStill(1500);
            LiveTarget.assertAlive(host);
            LiveTarget.assertAlive(host);
        }
    }

    @Test
    @Tag("long")
    void aHostThatKeepsItsControllerAliveHearsOfChanges() throws Exception {
        start();
        try (TcpHost host = persistent(10_000)) {
            enable(host);
            long end = System.nanoTime() + 35_000_000_000L;
            for (int i = 0; System.nanoTime() - end < 0; i++) {
                LiveTarget.assertAlive(host);
                if (i % 7 == 0) {
                    assertTells(host, "listener added",
                            () -> target.addListener(LiveTarget.NQN, "127.0.0.1", freePort()));
                }
                Thread.sleep(1000); // as a host does
            }
        }
    }

    private static void enable(TcpHost host) throws IOException {
        MemorySegment sqe = LiveTarget.sqe();
        PropertyCommand.set(sqe, 0, host.nextCid(), ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        assertEquals(0, LiveTarget.plain(host, sqe).status());
    }

    // ---- addresses --------------------------------------------------------------------------------------------

    private static List<InetAddress> addresses(boolean v6) throws IOException {
        List<InetAddress> found = new ArrayList<>();
        NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet6Address == v6 && !address.isLinkLocalAddress())
                .forEach(found::add);
        if (!v6) {
            found.add(InetAddress.ofLiteral("127.0.0.2"));
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, false", "::, true", "::1, true"})
    void theEntryShowsTheAddressThatTheHostHasUsed(String listen, boolean v6) throws Exception {
        List<InetAddress> addresses = addresses(v6);
        assumeTrue(!addresses.isEmpty(), "this machine has no IPv6 address");
        start();
        int port = LiveTarget.freePort();
        target.addListener(LiveTarget.NQN, listen, port);
        for (InetAddress address : addresses) {
            if (listen.equals("::1") && !address.isLoopbackAddress()) {
                continue;
            }
            try (TcpHost host = LiveTarget.enable(new TcpHost(address, port, 0).initialize(false, false), Nqn.DISCOVERY,
                    new int[1])) {
                String shown = address.isLoopbackAddress() && v6
                        ? "::1"
                        : v6 ? compressed(address) : address.getHostAddress();
                List<String> entries = entries(host);
                String family = v6 ? "2" : "1";
                assertTrue(entries.contains("2 3 " + family + " " + shown + " " + port + " " + LiveTarget.NQN),
                        () -> shown
                                + " is not in " + entries);
                assertEquals("3 3 " + family + " " + shown + " " + port + " " + Nqn.DISCOVERY, entries.getFirst());
            }
            try (TcpHost host = new TcpHost(address, port, 0).initialize(false, false)) {
                assertEquals(0, host.connect(0, 32, LiveTarget.NQN, TcpHost.HOST_NQN, 0xffff).status(), "Connect");
            }
        }
    }

    /// RFC 5952's form of an address of which only its first and last groups are not 0, as this machine's are.
    private static String compressed(InetAddress address) {
        String text = address.getHostAddress().replaceAll("%.*", "");
        return text.replaceFirst("(:0)+:", "::");
    }

    // ---- who sees what ----------------------------------------------------------------------------------------

    @Test
    void hostsSeeWhatTheyMayConnectTo() throws Exception {
        start();
        for (int i = 1; i <= 2; i++) {
            target.program.call("nvmf_create_subsystem", "{'nqn': '" + nqn(i) + "', 'serial_number': 'S'}");
            target.addListener(nqn(i), "127.0.0.1", target.port);
        }
        target.program.call("nvmf_subsystem_add_host", "{'nqn': '" + nqn(1) + "', 'host': '" + TcpHost.HOST_NQN + "'}");
        target.program.call("nvmf_subsystem_add_host", "{'nqn': '" + nqn(2) + "', 'host': '" + OTHER_HOST + "'}");
        target.addSubsystem(nqn(3)); // without a listener
        try (TcpHost host = discovery(); TcpHost other = target.connected()) {
            assertEquals(List.of(own(), at(LiveTarget.NQN), at(nqn(1))), entries(host));
            assertEquals(0, other.connect(0, 32, Nqn.DISCOVERY, OTHER_HOST, 0xffff).status());
            enable(other);
            assertEquals(List.of(own(), at(LiveTarget.NQN), at(nqn(2))), entries(other));
        }
        for (int i = 1; i <= 2; i++) {
            try (TcpHost host = target.connected()) {
                int status = host.connect(0, 32, nqn(i), TcpHost.HOST_NQN, 0xffff).status() & 0x7ff;
                assertEquals(i == 1 ? 0 : 0x184, status);
            }
        }
    }

    /// As the peer: without filters every listener, else those that are like where the host has connected to.
    @ParameterizedTest
    @CsvSource({"match_any, 127.0.0.1/a 127.0.0.1/b 127.0.0.2/a", "transport, 127.0.0.1/a 127.0.0.1/b 127.0.0.2/a",
            "address, 127.0.0.1/a 127.0.0.1/b", "svcid, 127.0.0.1/a 127.0.0.2/a", "'address,svcid', 127.0.0.1/a",
            "'transport,address,svcid', 127.0.0.1/a"})
    void filtersHideListeners(String filter, String shown) throws Exception {
        EmbeddedTarget program = EmbeddedTarget.startNvmf(options -> options.waitForRpc(true));
        program.call("nvmf_set_config", "{'discovery_filter': '" + filter + "'}");
        program.call("framework_start_init");
        target = new LiveTarget(program, TRANSPORT);
        int otherPort = LiveTarget.freePort();
        target.addListener(LiveTarget.NQN, "127.0.0.1", otherPort);
        target.addListener(LiveTarget.NQN, "127.0.0.2", target.port);
        try (TcpHost host = discovery()) {
            TreeSet<String> seen = new TreeSet<>();
            for (String entry : entries(host).stream().skip(1).toList()) {
                String[] words = entry.split(" ");
                seen.add(words[3] + (words[4].equals(String.valueOf(target.port)) ? "/a" : "/b"));
            }
            assertEquals(new TreeSet<>(Stream.of(shown.split(" ")).toList()), seen);
        }
    }
}
