package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TargetProcessTest {
    private static final long WINDOW_SECONDS = 2;
    private static final int WINDOWS = 10;
    private static final long MOST_WAITS = 30; // a second
    private static final String NQN = "'nqn': 'nqn.2016-06.io.spdk:cnode1'";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void stopsWithinFiveSecondsOfASignal(String signal) throws Exception {
        try (TargetProcess target = new TargetProcess(folder).awaitReady()) {
            target.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 512}");
            long start = System.nanoTime();
            target.signal(signal);
            assertEquals(0, target.status(), target.errors());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(5));
            assertTrue(Files.notExists(folder.resolve("rpc.sock")));
        }
    }

    /// 143 is 128 and the number of SIGTERM; 0 if it had ended before the second one came.
    @Test
    void endsOnASecondSignalAtOnce() throws Exception {
        try (TargetProcess target = new TargetProcess(folder).awaitReady()) {
            target.signal("TERM");
            long start = System.nanoTime();
            try {
                target.signal("TERM");
            } catch (AssertionError _) {
                // it is gone already, and kill says so
            }
            int status = target.status();
            assertTrue(status == 0 || status == 143, "status " + status + "\n" + target.errors());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(2));
        }
    }

    @Test
    void replacesASocketThatNobodyListensOn() throws Exception {
        Path socket = folder.resolve("rpc.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket)); // closing leaves the file
        }
        assertTrue(Files.exists(socket));
        try (TargetProcess target = new TargetProcess(folder).awaitReady()) {
            assertEquals(0, target.call("bdev_get_bdevs", "{}").size());
        }
    }

    @Test
    void refusesASocketThatAnotherListensOn() throws Exception {
        try (TargetProcess first = new TargetProcess(folder).awaitReady();
                TargetProcess second = new TargetProcess(folder)) {
            assertEquals(1, second.status(), second.errors());
            assertTrue(second.errors().contains(folder.resolve("rpc.sock").toString()), second.errors());
            assertEquals(0, first.call("bdev_get_bdevs", "{}").size());
        }
    }

    /// With a bdev of each kind, and a subsystem that hosts could reach. Counted is how often its threads begin to wait
    /// (`voluntary_ctxt_switches`), in the quietest of ten times two seconds, since the compiler may still be at work on
    /// what the start has left. The JVM's own threads do so about eight times a second; a thread of ours that looked for
    /// work every 10 ms would add a hundred. What it costs is measured by `bench idle`.
    @Test
    void wakesForNothingWhileItIsIdle() throws Exception {
        Path image = Files.write(folder.resolve("disk"), new byte[1 << 20]);
        try (TargetProcess target = new TargetProcess(folder).awaitReady()) {
            target.call("bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': 512}");
            target.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 512}");
            target.call("bdev_uring_create", "{'name': 'U', 'filename': '" + image + "'}");
            target.call("nvmf_create_transport", "{'trtype': 'TCP'}");
            target.call("nvmf_create_subsystem", "{" + NQN + "}");
            target.call("nvmf_subsystem_add_ns", "{" + NQN + ", 'namespace': {'bdev_name': 'M'}}");
            target.call("nvmf_subsystem_add_listener", "{" + NQN
                    + ", 'listen_address': {'trtype': 'TCP', 'traddr': '127.0.0.1', 'trsvcid': '" + freePort() + "'}}");
            List<String> windows = new ArrayList<>();
            for (int i = 0; i < WINDOWS; i++) {
                Map<String, Long> before = waits(target.pid());
                TimeUnit.SECONDS.sleep(WINDOW_SECONDS);
                Map<String, Long> waits = waits(target.pid());
                waits.replaceAll((thread, count) -> count - before.getOrDefault(thread, count));
                if (waits.values().stream().mapToLong(Long::longValue).sum() < MOST_WAITS * WINDOW_SECONDS) {
                    return;
                }
                windows.add(waits.toString());
            }
            fail("threads have begun to wait so often in " + WINDOW_SECONDS + " s:\n" + String.join("\n", windows));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /// How often each thread has begun to wait, by its number and name (proc_pid_status).
    private static Map<String, Long> waits(long pid) throws IOException {
        Map<String, Long> waits = new HashMap<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                try {
                    String status = Files.readString(thread.resolve("status"));
                    waits.put(thread.getFileName() + " " + field(status, "Name"),
                            Long.parseLong(field(status, "voluntary_ctxt_switches")));
                } catch (NoSuchFileException _) {
                    // it has ended
                }
            }
        }
        return waits;
    }

    private static String field(String status, String name) {
        return status.lines().filter(line -> line.startsWith(name + ":")).findFirst().orElseThrow()
                .substring(name.length() + 1).strip();
    }
}
