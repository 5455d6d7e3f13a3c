package io.spindrift.test.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@Timeout(900)
class GuestTest {
    private static final Path HOUSE = Path.of(System.getProperty("spindrift.home"));
    private static final Path PREPARED = Path.of(System.getenv().getOrDefault("SPINDRIFT_GUEST",
            System.getProperty("user.home") + "/.cache/spindrift/guest"), "initramfs.gz");

    @TempDir
    Path folder;

    private static void assumeGuest() {
        assumeTrue(Files.isExecutable(HOUSE.resolve("build/bin/bdevperf")), "build/bin is absent: ./spindrift build");
        assumeTrue(Files.exists(PREPARED) || "root".equals(System.getProperty("user.name")) && isInPath("apt-get"),
                "the guest is not prepared: test/guest/guest prepare, as root on Debian");
    }

    /// Runs a script of `test/guest` in the guest, with more variables, and returns what it printed.
    private String run(String script, String variables) throws Exception {
        Path whole = Files.writeString(folder.resolve("script.sh"), "export HOUSE='" + HOUSE.toAbsolutePath() + "' "
                + variables + "\n" + Files.readString(HOUSE.resolve("test/guest").resolve(script)));
        Path output = folder.resolve("output");
        Process guest = new ProcessBuilder(HOUSE.resolve("test/guest/guest").toString(), "run", "-t", "600",
                whole.toString()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertTrue(guest.waitFor(800, TimeUnit.SECONDS));
        String text = Files.readString(output);
        assertEquals(0, guest.exitValue(), text);
        return text;
    }

    /// Runs NAME.sh in the guest, with a target outside that NAME.json has set up.
    private void runWithTarget(String name) throws Exception {
        assumeGuest();
        try (GuestTarget target = new GuestTarget(HOUSE, HOUSE.resolve("test/guest/" + name + ".json"), folder)) {
            try {
                run(name + ".sh", "PORT=" + target.port() + " RPC_PORT=" + target.rpcPort() + " FOLDER='" + folder
                        + "'");
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + "\nnvmf_tgt:\n" + target.log(), e);
            }
        }
    }

    private static boolean isInPath(String program) {
        for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }

    /// bdevperf ends with another status than 0 when it reads what it has not written.
    @Test
    void keepsDataWhereTheKernelRefusesDirectIoAndOnBlockDevices() throws Exception {
        assumeGuest();
        String text = run("direct-io.sh", "");
        for (String device : new String[]{"bdev_uring_create on /mnt/tmpfs/disk", "bdev_aio_create on /mnt/tmpfs/disk",
                "bdev_uring_create on /dev/nullb0", "bdev_uring_create on /dev/loop0"}) {
            assertTrue(text.contains("== " + device), text);
        }
        assertEquals(4, text.lines().filter(line -> line.startsWith("Total ")).count(), text);
    }

    /// Identify, logs and features against what SPDK's target says; file systems; fio's checksums with both digests.
    @Test
    void servesAStockLinuxHost() throws Exception {
        runWithTarget("nvme-tcp");
    }

    /// Three kills under fio's writes and reads; the file that the disk is kept in has what the host had written.
    @Test
    void keepsWhatItHasAcknowledgedWhenItIsKilled() throws Exception {
        try (RandomAccessFile disk = new RandomAccessFile(folder.resolve("disk").toFile(), "rw")) {
            disk.setLength(64 << 20);
        }
        runWithTarget("reconnect");
    }

    /// Two hosts of the kernel, by nvme-cli: what each may do, what is reported, and what outlives a kill.
    @Test
    void keepsHostsFromWhatAnotherHasReserved() throws Exception {
        runWithTarget("reservations");
    }
}
