package io.spindrift.test.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@Timeout(1200)
class GuestTest {
    private static final Path HOUSE = Path.of(System.getProperty("spindrift.home"));
    private static final Path PREPARED = Path.of(System.getenv().getOrDefault("SPINDRIFT_GUEST",
            System.getProperty("user.home") + "/.cache/spindrift/guest"), "initramfs.gz");

    private static final int LIMIT_SECONDS = 900;

    @TempDir
    Path folder;

    /// Boots the guest with a script of `test/guest`, with more variables, and arguments of QEMU.
    private Process boot(String script, String variables, String... qemu) throws Exception {
        assumeTrue(Files.isExecutable(HOUSE.resolve("build/bin/bdevperf")), "build/bin is absent: ./spindrift build");
        assumeTrue(Files.exists(PREPARED) || "root".equals(System.getProperty("user.name")) && isInPath("apt-get"),
                "the guest is not prepared: test/guest/guest prepare, as root on Debian");
        Path whole = Files.writeString(folder.resolve("script.sh"), "export HOUSE='" + HOUSE.toAbsolutePath() + "' "
                + variables + "\n" + Files.readString(HOUSE.resolve("test/guest").resolve(script)));
        List<String> command = new ArrayList<>(List.of(HOUSE.resolve("test/guest/guest").toString(), "run", "-t",
                Integer.toString(LIMIT_SECONDS), whole.toString(), "--"));
        command.addAll(List.of(qemu));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile()).start();
    }

    private Path output() {
        return folder.resolve("output");
    }

    /// Waits for the guest's end and returns what the script has printed, which must have succeeded.
    private String finish(Process guest) throws Exception {
        assertTrue(guest.waitFor(LIMIT_SECONDS + 200, TimeUnit.SECONDS));
        String text = Files.readString(output());
        assertEquals(0, guest.exitValue(), text);
        return text;
    }

    private String run(String script, String variables) throws Exception {
        return finish(boot(script, variables));
    }

    /// Runs NAME.sh in the guest, with a target outside that NAME.json has set up.
    private void runWithTarget(String name, String variables) throws Exception {
        try (GuestTarget target = new GuestTarget(HOUSE, HOUSE.resolve("test/guest/" + name + ".json"), folder)) {
            try {
                run(name + ".sh", "PORT=" + target.port() + " RPC_PORT=" + target.rpcPort() + " FOLDER='" + folder
                        + "' " + variables);
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
        runWithTarget("nvme-tcp", "");
    }

    /// Three kills under fio's writes and reads; the file that the disk is kept in has what the host had written.
    @Test
    void keepsWhatItHasAcknowledgedWhenItIsKilled() throws Exception {
        try (RandomAccessFile disk = new RandomAccessFile(folder.resolve("disk").toFile(), "rw")) {
            disk.setLength(64 << 20);
        }
        runWithTarget("reconnect", "");
    }

    /// Namespaces that come, grow, change and go under I/O, 228 to 1,024 of them, and a discovery controller that is kept
    /// alive for five minutes meanwhile.
    @Test
    void tellsALinuxHostOfChanges() throws Exception {
        runWithTarget("ana", "DISCOVERY_SECONDS=300");
    }

    /// Loopback copies always; see `zero-copy.sh`. The bytes must be right, and the kernel say of none that it copied them.
    @Test
    void sendsWithoutACopyThroughACardThatGathers() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process guest = boot("zero-copy.sh", "", "-netdev", "user,id=n1,net=10.0.3.0/24,hostfwd=tcp:127.0.0.1:" + port
                + "-10.0.3.15:4421", "-device", "e1000e,netdev=n1,romfile=");
        for (String name : List.of("posix", "uring")) {
            while (guest.isAlive() && !Files.readString(output()).contains(name + " listens\n")) {
                guest.waitFor(100, TimeUnit.MILLISECONDS);
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                byte[] bytes = socket.getInputStream().readNBytes(ZeroCopySender.SENDS * ZeroCopySender.BYTES);
                assertEquals(ZeroCopySender.SENDS * ZeroCopySender.BYTES, bytes.length, Files.readString(output()));
                for (int i = 0; i < bytes.length; i++) {
                    if (bytes[i] != ZeroCopySender.pattern(i)) {
                        fail(name + ": byte " + i + " is " + bytes[i]);
                    }
                }
            }
        }
        String text = finish(guest);
        for (String name : List.of("posix", "uring")) {
            Matcher counts = Pattern.compile(name + " zero_copy_sends=(\\d+) ends=(\\d+) copied=0 copied_sends=0")
                    .matcher(text);
            assertTrue(counts.find(), text);
            assertTrue(Integer.parseInt(counts.group(1)) >= ZeroCopySender.SENDS, text);
            assertEquals(counts.group(1), counts.group(2), text);
        }
    }

    /// Two hosts of the kernel, by nvme-cli: what each may do, what is reported, and what outlives a kill.
    @Test
    void keepsHostsFromWhatAnotherHasReserved() throws Exception {
        runWithTarget("reservations", "");
    }

    /// Two of QEMU's controllers behind an IOMMU: one goes to user space and comes back, a disk that is in use does not.
    @Test
    void givesAControllerToUserSpaceAndBack() throws Exception {
        List<String> qemu = new ArrayList<>(List.of("-device", "intel-iommu,intremap=on,caching-mode=on"));
        for (int i = 0; i < 2; i++) {
            Path disk = folder.resolve("nvme" + i);
            try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
                file.setLength(64 << 20);
            }
            qemu.addAll(List.of("-drive", "file=" + disk + ",if=none,id=d" + i + ",format=raw", "-device",
                    "nvme,drive=d" + i + ",serial=disk" + i));
        }
        finish(boot("setup.sh", "", qemu.toArray(String[]::new)));
    }

    /// A target inside of the guest, at wildcard addresses and at ::1.
    @Test
    void showsAHostTheAddressThatItHasUsed() throws Exception {
        run("listeners.sh", "");
    }

    /// The driver on QEMU's controller under vfio-pci, behind an emulated IOMMU of 39 bits: see `pcie.sh` and [PcieHost].
    @Test
    void drivesAnNvmeControllerThroughVfioUntilItIsTakenAway() throws Exception {
        assumeTrue(hasLibrary("spindrift-nvme-0"), "build/lib has no NVMe driver: ./spindrift build");
        Path socket = folder.resolve("qmp");
        List<String> qemu = new ArrayList<>(List.of("-device", "intel-iommu,intremap=on,caching-mode=on", "-device",
                "pcie-root-port,id=port,chassis=1,slot=1,bus=pcie.0", "-device", "nvme-subsys,id=subsystem", "-device",
                "nvme,id=controller,serial=deadbeef,subsys=subsystem,bus=port,cmb_size_mb=1", "-qmp",
                "unix:" + socket + ",server=on,wait=off"));
        for (int nsid = 1; nsid <= 2; nsid++) {
            Path disk = folder.resolve("disk" + nsid);
            try (RandomAccessFile file = new RandomAccessFile(disk.toFile(), "rw")) {
                file.setLength(64 << 20);
            }
            qemu.addAll(List.of("-drive", "file=" + disk + ",if=none,id=disk" + nsid + ",format=raw", "-device",
                    "nvme-ns,drive=disk" + nsid + ",bus=controller,nsid=" + nsid + (nsid == 2 ? ",detached=on" : "")));
        }
        Process guest = boot("pcie.sh", "", qemu.toArray(String[]::new));
        while (guest.isAlive() && !Files.readString(output()).contains("ready to be taken away")) {
            guest.waitFor(100, TimeUnit.MILLISECONDS);
        }
        if (guest.isAlive()) {
            try (QemuMonitor monitor = new QemuMonitor(socket)) {
                monitor.execute("device_del", "{\"id\": \"controller\"}");
                monitor.await("DEVICE_DELETED", "\"controller\"");
            }
        }
        String text = finish(guest);
        for (String line : List.of("identified deadbeef, QEMU NVMe Ctrl, NVMe 1.4, namespaces [1]", "verified 1000",
                "attached namespace 2, verified 50", "detached namespace 2: true", "verified 300",
                "the kernel asks for the device back", "0000:01:00.0 is gone")) {
            assertTrue(text.contains(line), line + " is missing in:\n" + text);
        }
        assertEquals(5, text.lines().filter(line -> line.startsWith("reset under I/O: some verified")).count(), text);
        assertFalse(text.contains("*WARNING*"), text);
        Matcher idle = Pattern.compile("idle for 300 ticks took (\\d+)").matcher(text);
        assertTrue(idle.find() && Integer.parseInt(idle.group(1)) < 100, text);
    }

    private static boolean hasLibrary(String prefix) {
        String[] names = HOUSE.resolve("build/lib").toFile().list((_, name) -> name.startsWith(prefix));
        return names != null && names.length > 0;
    }

    /// The kernel's target over TCP: verified with and without digests, and while its port is taken away and given back.
    @Test
    void usesTheKernelsTarget() throws Exception {
        String text = run("nvmet.sh", "");
        assertEquals(8, text.lines().filter(line -> line.startsWith("Total ")).count(), text);
        assertTrue(text.contains("== done"), text);
    }
}
