package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.IoVector;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A kernel block device with sectors of 4096 bytes: a loop device, whose backing file shows what was done to it.
class LoopDeviceTest {
    private static final int SECTOR = 4096;
    private static final int SECTORS = 256;

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofShared();
    private Path backing;
    private String device;
    private FileBdevs bdevs;

    @BeforeEach
    void attach() throws Exception {
        byte[] content = new byte[SECTOR * SECTORS];
        new Random(3).nextBytes(content);
        backing = Files.write(directory.resolve("backing"), content);
        String found = run("losetup", "--find", "--show", "--sector-size", Integer.toString(SECTOR),
                backing.toString());
        assumeTrue(found.startsWith("/dev/loop"), "no loop device to be had (root is needed): " + found);
        device = found;
        bdevs = new FileBdevs(new FileCallsFake(), 1);
    }

    @AfterEach
    void detach() throws Exception {
        if (device != null) {
            bdevs.close();
            run("losetup", "--detach", device);
        }
        arena.close();
    }

    /// The first line it prints.
    private static String run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes());
            process.waitFor();
            return output.strip();
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private byte[] backingBytes(BdevDescriptor descriptor) throws Exception {
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.flush(0, 1, done)));
        return Files.readAllBytes(backing);
    }

    @Test
    void detectsTheSectorAndTheSize() throws Exception {
        Bdev bdev = bdevs.create(Path.of(device), 0);
        assertEquals(SECTOR, bdev.blockSize());
        assertEquals(SECTORS, bdev.numBlocks());
    }

    @Test
    void refusesBlocksSmallerThanTheSector() {
        ErrnoException e = assertThrows(ErrnoException.class, () -> bdevs.create(Path.of(device), 512));
        assertEquals("block_size=512 must be at least 4096, the sector size of " + device, e.getMessage());
    }

    @Test
    void readsAndWrites() throws Exception {
        BdevDescriptor descriptor = bdevs.open(bdevs.create(Path.of(device), 0), true);
        byte[] expected = Files.readAllBytes(backing);
        IoVector data = new IoVector(1);
        MemorySegment memory = arena.allocate(8 * SECTOR, 4096);
        data.add(memory, 0, 8 * SECTOR);
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.read(data, 5, 8, done)));
        assertArrayEquals(Arrays.copyOfRange(expected, 5 * SECTOR, 13 * SECTOR), memory.toArray(ValueLayout.JAVA_BYTE));
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.write(data, 100, 8, done)));
        System.arraycopy(expected, 5 * SECTOR, expected, 100 * SECTOR, 8 * SECTOR);
        assertArrayEquals(expected, backingBytes(descriptor));
    }

    @Test
    void discardsAndZeroes() throws Exception {
        Bdev bdev = bdevs.create(Path.of(device), 0);
        BdevDescriptor descriptor = bdevs.open(bdev, true);
        byte[] expected = Files.readAllBytes(backing);
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.writeZeroes(7, 9, done)));
        Arrays.fill(expected, 7 * SECTOR, 16 * SECTOR, (byte) 0);
        if (bdev.supportsNatively(BdevIoType.UNMAP)) {
            assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.unmap(32, 64, done)));
            Arrays.fill(expected, 32 * SECTOR, 96 * SECTOR, (byte) 0); // a loop device punches holes into its file
        }
        assertArrayEquals(expected, backingBytes(descriptor));
    }

    @Test
    void takesOverANewSize() throws Exception {
        Bdev bdev = bdevs.create(Path.of(device), 0);
        try (RandomAccessFile larger = new RandomAccessFile(backing.toFile(), "rw")) {
            larger.setLength(2L * SECTOR * SECTORS);
        }
        run("losetup", "--set-capacity", device);
        bdevs.module.rescan(bdev.name());
        assertEquals(2 * SECTORS, bdev.numBlocks());
    }
}
