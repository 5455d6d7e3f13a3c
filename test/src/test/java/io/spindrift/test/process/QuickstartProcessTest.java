package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a newcomer runs first.
@Timeout(60)
class QuickstartProcessTest {
    private static final long DISK_KIB = 512 * 1024;
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";

    @TempDir
    Path folder;

    @Test
    void servesADiskWhoseMemoryIsTakenWhenItIsUsed() throws Exception {
        int port = freePort();
        try (TargetProcess quickstart = TargetProcess.of("quickstart", folder, "--port", "" + port).awaitReady()) {
            quickstart.awaitOutput("Ctrl-C ends it.");
            assertTrue(quickstart.output().contains("\n    nvme connect -t tcp -a 127.0.0.1 -s " + port + " -n " + NQN
                    + "\n"), quickstart.output());
            assertTrue(quickstart.output().contains("\n    ./spindrift rpc -s " + folder),
                    () -> "names the socket that -r gave: " + quickstart.output());
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            JsonNode bdev = quickstart.call("bdev_get_bdevs", "{'name': 'Malloc0'}").get(0);
            assertEquals(DISK_KIB * 1024, bdev.get("num_blocks").longValue() * bdev.get("block_size").intValue());
            JsonNode subsystem = quickstart.call("nvmf_get_subsystems", "{'nqn': '" + NQN + "'}").get(0);
            assertEquals("Malloc0", subsystem.get("namespaces").get(0).get("bdev_name").stringValue());
            assertTrue(residentKib(quickstart.pid()) < DISK_KIB, residentKib(quickstart.pid()) + " KiB");
            quickstart.signal("INT");
            assertEquals(0, quickstart.status(), quickstart.errors());
            assertEquals("", quickstart.errors());
        }
    }

    /// What the process has of the machine's memory (proc_pid_status).
    private static long residentKib(long pid) throws Exception {
        String line = Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(text -> text.startsWith("VmRSS:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    @Test
    void endsAfterTheSecondsGiven() throws Exception {
        try (TargetProcess quickstart = TargetProcess.of("quickstart", folder, "--port", "" + freePort(), "--seconds",
                "1")) {
            assertEquals(0, quickstart.status(), quickstart.errors());
            assertTrue(quickstart.output().endsWith("It is served for 1 s; Ctrl-C ends it earlier.\n"),
                    quickstart.output());
        }
    }

    @Test
    void saysThatThePortIsInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TargetProcess quickstart = TargetProcess.of("quickstart", folder, "--port",
                        "" + other.getLocalPort())) {
            assertEquals(1, quickstart.status(), quickstart.errors());
            assertTrue(quickstart.errors().strip().endsWith("bind to 127.0.0.1:" + other.getLocalPort()
                    + ": Address already in use; --port N takes another port"), quickstart.errors());
            assertFalse(quickstart.errors().contains("Exception"), quickstart.errors());
            assertEquals("", quickstart.output());
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
