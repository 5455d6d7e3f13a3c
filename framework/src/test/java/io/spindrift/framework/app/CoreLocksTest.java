package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreLocksTest {
    @TempDir
    Path folder;

    private int ownerOf(String file) throws Exception {
        return ByteBuffer.wrap(Files.readAllBytes(folder.resolve(file))).order(ByteOrder.nativeOrder()).getInt();
    }

    @Test
    void leavesItsProcessIdInAFileForEachCore() throws Exception {
        try (CoreLocks locks = new CoreLocks(folder)) {
            locks.lock(CpuMask.of(0, 12));

            assertEquals((int) ProcessHandle.current().pid(), ownerOf("spdk_cpu_lock_000"));
            assertEquals((int) ProcessHandle.current().pid(), ownerOf("spdk_cpu_lock_012"));
        }
    }

    @Test
    void refusesACoreThatAnotherApplicationOfTheSameProcessHolds() throws Exception {
        try (CoreLocks first = new CoreLocks(folder); CoreLocks second = new CoreLocks(folder)) {
            first.lock(CpuMask.of(1));
            var refused = assertThrows(CoreLocks.Refused.class, () -> second.lock(CpuMask.of(0, 1)));

            assertEquals(1, refused.core());
            assertTrue(refused.getMessage().startsWith(
                    "core 1 is in use by process " + ProcessHandle.current().pid() + ", which holds " + folder));
        }
    }

    @Test
    void givesBackWhatItTookWhenALaterCoreIsRefused() throws Exception {
        try (CoreLocks first = new CoreLocks(folder);
                CoreLocks second = new CoreLocks(folder);
                CoreLocks third = new CoreLocks(folder)) {
            first.lock(CpuMask.of(1));
            assertThrows(CoreLocks.Refused.class, () -> second.lock(CpuMask.of(0, 1)));

            third.lock(CpuMask.of(0));
        }
    }

    @Test
    void givesCoresBackWhenItUnlocks() throws Exception {
        try (CoreLocks first = new CoreLocks(folder); CoreLocks second = new CoreLocks(folder)) {
            first.lock(CpuMask.of(1));
            first.unlock();
            second.lock(CpuMask.of(1));
        }
    }

    @Test
    void keepsWhatItHasWhenItLocksAgain() throws Exception {
        try (CoreLocks first = new CoreLocks(folder); CoreLocks second = new CoreLocks(folder)) {
            first.lock(CpuMask.of(1));
            first.lock(CpuMask.of(1, 2));

            assertThrows(CoreLocks.Refused.class, () -> second.lock(CpuMask.of(1)));
            assertThrows(CoreLocks.Refused.class, () -> second.lock(CpuMask.of(2)));
        }
    }

    /// The peer locks with fcntl(F_SETLK) and then writes its process id; so does this program.
    private static final String PEER = """
            import java.nio.*;
            import java.nio.channels.*;
            import java.nio.file.*;
            class Peer {
                public static void main(String[] args) throws Exception {
                    FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
                    file.lock();
                    int pid = (int) ProcessHandle.current().pid();
                    file.write(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, pid));
                    System.out.println("locked");
                    System.in.read();
                }
            }
            """;

    @Test
    void refusesACoreThatAProgramOfThePeerHolds() throws Exception {
        Path file = Files.createFile(folder.resolve("spdk_cpu_lock_003"));
        Path source = Files.writeString(folder.resolve("Peer.java"), PEER);
        Process peer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", source.toString(), file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (CoreLocks locks = new CoreLocks(folder)) {
            assertEquals("locked", peer.inputReader().readLine());
            var refused = assertThrows(CoreLocks.Refused.class, () -> locks.lock(CpuMask.of(3)));

            assertTrue(refused.getMessage().startsWith("core 3 is in use by process " + peer.pid()),
                    refused.getMessage());
        } finally {
            peer.getOutputStream().close();
            assertEquals(0, peer.waitFor());
        }
    }

    @Test
    void excludesAProgramOfThePeer() throws Exception {
        try (CoreLocks locks = new CoreLocks(folder)) {
            locks.lock(CpuMask.of(3));
            try (FileChannel peer = FileChannel.open(folder.resolve("spdk_cpu_lock_003"), StandardOpenOption.WRITE)) {
                assertEquals(null, peer.tryLock());
            }
        }
    }

    @Test
    void saysWhatIsWrongWithAFileThatCannotBeUsed() throws Exception {
        Files.createDirectory(folder.resolve("spdk_cpu_lock_000"));
        try (CoreLocks locks = new CoreLocks(folder)) {
            var refused = assertThrows(CoreLocks.Refused.class, () -> locks.lock(CpuMask.of(0)));

            assertTrue(refused.getMessage().contains("spdk_cpu_lock_000: Is a directory; --disable-cpumask-locks"),
                    refused.getMessage());
        }
    }
}
