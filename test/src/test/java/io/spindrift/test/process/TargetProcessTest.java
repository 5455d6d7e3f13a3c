package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /// Less than 1 % of a core, with a bdev of each kind: by the kernel's count (proc_pid_schedstat), in the quietest of
    /// five times two seconds, since the compiler may still be at work on what the start has left.
    @Test
    void costsNothingWhileItIsIdle() throws Exception {
        Path image = Files.write(folder.resolve("disk"), new byte[1 << 20]);
        try (TargetProcess target = new TargetProcess(folder).awaitReady()) {
            target.call("bdev_null_create", "{'name': 'N', 'num_blocks': 100, 'block_size': 512}");
            target.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': 100, 'block_size': 512}");
            target.call("bdev_uring_create", "{'name': 'U', 'filename': '" + image + "'}");
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5 && least >= TimeUnit.SECONDS.toNanos(WINDOW_SECONDS) / 100; i++) {
                long before = cpuNanos(target.pid());
                TimeUnit.SECONDS.sleep(WINDOW_SECONDS);
                least = Math.min(least, cpuNanos(target.pid()) - before);
            }
            assertTrue(least < TimeUnit.SECONDS.toNanos(WINDOW_SECONDS) / 100,
                    least + " ns of CPU in " + WINDOW_SECONDS + " s");
        }
    }

    private static long cpuNanos(long pid) throws Exception {
        long sum = 0;
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads.toList()) {
                Path statistics = thread.resolve("schedstat");
                if (Files.exists(statistics)) {
                    sum += Long.parseLong(Files.readString(statistics).split(" ")[0]);
                }
            }
        }
        return sum;
    }
}
