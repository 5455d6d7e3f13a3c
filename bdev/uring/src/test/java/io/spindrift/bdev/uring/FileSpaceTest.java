package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevCompletion;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.framework.thread.IoThread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// I/O that allocates, frees and finds space, and I/O that makes durable. 64 blocks of 4096 bytes.
class FileSpaceTest {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 64;

    @TempDir
    Path directory;

    private Path file;
    private FileBdevs bdevs;
    private BdevDescriptor descriptor;

    private Bdev open(FileCalls calls) throws Exception {
        byte[] content = new byte[BLOCK * BLOCKS];
        Arrays.fill(content, (byte) 0x5a);
        file = Files.write(directory.resolve("file"), content);
        bdevs = new FileBdevs(calls, 1);
        Bdev bdev = bdevs.create(file, BLOCK);
        descriptor = bdevs.open(bdev, true);
        return bdev;
    }

    @AfterEach
    void close() throws Exception {
        if (bdevs != null) {
            bdevs.close();
        }
    }

    private void assertZeroed(int from, int to) throws Exception {
        byte[] expected = new byte[BLOCK * BLOCKS];
        Arrays.fill(expected, (byte) 0x5a);
        Arrays.fill(expected, from * BLOCK, to * BLOCK, (byte) 0);
        assertArrayEquals(expected, Files.readAllBytes(file));
    }

    private long allocatedBlocks() throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip()) * 512 / BLOCK;
    }

    @Test
    void unmapGivesTheSpaceBackAndReadsAsZero() throws Exception {
        assumeTrue(open(new FileCallsFake()).supportsNatively(BdevIoType.UNMAP), "this file system punches no holes");
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.unmap(8, 16, done)));
        assertZeroed(8, 24);
        long allocated = allocatedBlocks(); // the file system's own blocks are counted too
        assertTrue(allocated >= 48 && allocated < 52, "allocated=" + allocated);
        assertEquals((long) BLOCK * BLOCKS, Files.size(file));
    }

    @Test
    void writeZeroesReadsAsZero() throws Exception {
        assumeTrue(open(new FileCallsFake()).supportsNatively(BdevIoType.WRITE_ZEROES),
                "this file system zeroes no ranges");
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.writeZeroes(1, 3, done)));
        assertZeroed(1, 4);
    }

    /// With what every file takes: the core writes the zeroes.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void writeZeroesWithoutZeroedRanges(boolean holes) throws Exception {
        Bdev bdev = open(new FileCallsFake() {
            @Override
            public int fallocate(int fd, int mode, long offset, long length) {
                return (mode & FALLOC_FL_ZERO_RANGE) != 0 || !holes ? -95 : super.fallocate(fd, mode, offset, length);
            }
        });
        assertEquals(holes, bdev.supportsNatively(BdevIoType.UNMAP));
        assertEquals(holes, bdev.supportsNatively(BdevIoType.WRITE_ZEROES));
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.writeZeroes(1, 3, done)));
        assertZeroed(1, 4);
    }

    @Test
    void flushes() throws Exception {
        open(new FileCallsFake());
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.flush(0, BLOCKS, done)));
    }

    private long seek(BiPredicate<BdevChannel, BdevCompletion> submit) {
        BdevChannel channel = bdevs.channel(descriptor, bdevs.reactors.appThread());
        return bdevs.reactors.appThread().<Long>callAsync(reply -> {
            assertTrue(submit.test(channel, io -> reply.complete(io.status() == 0 ? io.result() : -io.status())));
        });
    }

    @Test
    void findsDataAndHoles() throws Exception {
        assumeTrue(open(new FileCallsFake()).supportsNatively(BdevIoType.UNMAP), "this file system punches no holes");
        bdevs.status(descriptor, (channel, done) -> channel.unmap(8, 16, done));
        bdevs.status(descriptor, (channel, done) -> channel.unmap(60, 4, done));
        assertEquals(8, seek((channel, done) -> channel.seekHole(0, done)));
        assertEquals(10, seek((channel, done) -> channel.seekHole(10, done)));
        assertEquals(60, seek((channel, done) -> channel.seekHole(24, done)));
        assertEquals(0, seek((channel, done) -> channel.seekData(0, done)));
        assertEquals(24, seek((channel, done) -> channel.seekData(10, done)));
        assertEquals(Long.MAX_VALUE, seek((channel, done) -> channel.seekData(60, done)));
    }

    @Test
    void findsNoHoleInAFullFile() throws Exception {
        open(new FileCallsFake());
        assertEquals(Long.MAX_VALUE, seek((channel, done) -> channel.seekHole(0, done)));
    }

    /// What an abort finds in flight it cancels or not; either way both end, and data is never half reported.
    @Test
    void endsWhatIsAborted() throws Exception {
        open(new FileCallsFake());
        IoThread thread = bdevs.reactors.appThread();
        BdevChannel channel = bdevs.channel(descriptor, thread);
        int[] ended = new int[1];
        BdevCompletion target = io -> ended[0]++;
        long aborted = thread.<Long>callAsync(reply -> {
            for (int i = 0; i < 10; i++) {
                channel.flush(0, BLOCKS, target);
            }
            channel.abort(target, (BdevIo io) -> reply.complete(io.status()));
        });
        assertTrue(aborted == BdevStatus.SUCCESS || aborted == BdevStatus.FAILED, BdevStatus.text(aborted));
        while (thread.call(channel::inFlight) > 0) {
            Thread.onSpinWait();
        }
        assertEquals(10, ended[0]);
    }
}
