package io.spindrift.test.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
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

    /// Runs a script of `test/guest` in the guest, and returns what it printed.
    private String run(String script) throws Exception {
        assumeTrue(Files.isExecutable(HOUSE.resolve("build/bin/bdevperf")), "build/bin is absent: ./spindrift build");
        assumeTrue(Files.exists(PREPARED) || "root".equals(System.getProperty("user.name")) && isInPath("apt-get"),
                "the guest is not prepared: test/guest/guest prepare, as root on Debian");
        Path whole = Files.writeString(folder.resolve("script.sh"), "export HOUSE='" + HOUSE.toAbsolutePath() + "'\n"
                + Files.readString(HOUSE.resolve("test/guest").resolve(script)));
        Path output = folder.resolve("output");
        Process guest = new ProcessBuilder(HOUSE.resolve("test/guest/guest").toString(), "run", "-t", "600",
                whole.toString()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        assertTrue(guest.waitFor(800, TimeUnit.SECONDS));
        String text = Files.readString(output);
        assertEquals(0, guest.exitValue(), text);
        return text;
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
        String text = run("direct-io.sh");
        for (String device : new String[]{"bdev_uring_create on /mnt/tmpfs/disk", "bdev_aio_create on /mnt/tmpfs/disk",
                "bdev_uring_create on /dev/nullb0", "bdev_uring_create on /dev/loop0"}) {
            assertTrue(text.contains("== " + device), text);
        }
        assertEquals(4, text.lines().filter(line -> line.startsWith("Total ")).count(), text);
    }
}
