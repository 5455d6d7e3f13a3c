package io.spindrift.bdev.uring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.uring.internal.ffi.FileCalls;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Data through the bdev against the same file through Java's own calls.
class FileDataTest {
    private static final int BLOCK = 512;
    private static final int BLOCKS = 4096;

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofShared();
    private final Random random = new Random(1);
    private FileBdevs bdevs;

    @AfterEach
    void close() throws Exception {
        if (bdevs != null) {
            bdevs.close();
        }
        arena.close();
    }

    private Path file() throws Exception {
        byte[] content = new byte[BLOCK * BLOCKS];
        random.nextBytes(content);
        return Files.write(directory.resolve("file"), content);
    }

    private BdevDescriptor open(Path file, FileCalls calls) throws Exception {
        bdevs = new FileBdevs(calls, 1);
        return bdevs.open(bdevs.create(file, BLOCK), true);
    }

    /// `ranges` ranges of equal length in scattered order, each at an address that is a multiple of the block size.
    private IoVector vector(MemorySegment memory, int ranges) {
        IoVector vector = new IoVector(ranges);
        long each = memory.byteSize() / ranges;
        for (int i = 0; i < ranges; i++) {
            vector.add(memory, (long) i * 7 % ranges * each, each);
        }
        return vector;
    }

    private byte[] bytes(IoVector vector) {
        MemorySegment copy = arena.allocate(vector.byteLength());
        vector.copyTo(copy, 0, 0, vector.byteLength());
        return copy.toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "8, 1", "64, 1", "64, 2", "64, 64", "65, 65", "1000, 1", "1000, 500", "1000, 1000"})
    void readsWhatIsInTheFile(int blocks, int ranges) throws Exception {
        Path file = file();
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        IoVector data = vector(arena.allocate((long) blocks * BLOCK, 4096), ranges);
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.read(data, 77, blocks, done)));
        assertArrayEquals(Arrays.copyOfRange(Files.readAllBytes(file), 77 * BLOCK, (77 + blocks) * BLOCK), bytes(data));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "8, 1", "64, 64", "65, 65", "1000, 500"})
    void writesIntoTheFileAndNowhereElse(int blocks, int ranges) throws Exception {
        Path file = file();
        byte[] expected = Files.readAllBytes(file);
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        byte[] content = new byte[blocks * BLOCK];
        random.nextBytes(content);
        IoVector data = vector(arena.allocate(content.length, 4096), ranges);
        data.copyFrom(MemorySegment.ofArray(content), 0, 0, content.length);
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.write(data, 1001, blocks, done)));
        System.arraycopy(content, 0, expected, 1001 * BLOCK, content.length);
        assertArrayEquals(expected, Files.readAllBytes(file));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void quietlyUsesThePageCacheWhereDirectIoIsRefused(boolean atOpen) throws Exception {
        FileCallsFake calls = new FileCallsFake() {
            private int directFd = -1;

            @Override
            public int open(String path, int flags) {
                boolean direct = (flags & O_DIRECT) != 0;
                int fd = direct && atOpen ? -Errno.EINVAL : super.open(path, flags);
                directFd = direct ? fd : directFd;
                return fd;
            }

            @Override
            public long pread(int fd, MemorySegment buffer, long length, long offset) {
                return fd == directFd ? -Errno.EINVAL : super.pread(fd, buffer, length, offset);
            }
        };
        Path file = file();
        BdevDescriptor descriptor = open(file, calls);
        assertEquals(false, ((UringBackend) descriptor.bdev().backend()).file().direct());
        assertEquals(1, descriptor.bdev().geometry().bufferAlignment());
        assertEquals(1, calls.opened - calls.closed, "one descriptor is open");
        IoVector data = new IoVector(2);
        MemorySegment memory = arena.allocate(4097);
        data.add(memory, 1, 4096);
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.read(data, 5, 8, done)));
        assertArrayEquals(Arrays.copyOfRange(Files.readAllBytes(file), 5 * BLOCK, 13 * BLOCK), bytes(data));
    }

    /// Registered chunks are 2 MiB: an I/O inside one, across two, and after its region has been freed.
    @Test
    void usesTheApplicationsMemory() throws Exception {
        Path file = file();
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        byte[] content = Files.readAllBytes(file);
        for (int round = 0; round < 3; round++) {
            MemoryRegion region = bdevs.memory.allocate("test", 5L << 20);
            for (long offset : new long[]{0, (1L << 21) - 4096, (1L << 21) - 2048, (5L << 20) - 8 * BLOCK}) {
                IoVector data = new IoVector(1);
                data.add(region, offset, 8 * BLOCK);
                data.fill((byte) 0);
                assertEquals(BdevStatus.SUCCESS,
                        bdevs.status(descriptor, (channel, done) -> channel.read(data, 9, 8, done)));
                assertArrayEquals(Arrays.copyOfRange(content, 9 * BLOCK, 17 * BLOCK), bytes(data));
                assertEquals(BdevStatus.SUCCESS,
                        bdevs.status(descriptor, (channel, done) -> channel.write(data, 100, 8, done)));
                System.arraycopy(content, 9 * BLOCK, content, 100 * BLOCK, 8 * BLOCK);
                assertArrayEquals(content, Files.readAllBytes(file));
            }
            bdevs.memory.free(region);
        }
    }

    /// Several ranges go as a vector of addresses, whether or not a ring could have their memory registered: every other
    /// range is in a region of the application's, and none of the rest is.
    @ParameterizedTest
    @ValueSource(ints = {2, 63, 64, 65, 129})
    void takesRangesInsideAndOutsideOfTheApplicationsMemory(int ranges) throws Exception {
        Path file = file();
        byte[] expected = Files.readAllBytes(file);
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        MemoryRegion region = bdevs.memory.allocate("test", (long) ranges * 2 * BLOCK);
        MemorySegment other = arena.allocate((long) ranges * 2 * BLOCK, 4096);
        IoVector data = new IoVector(ranges);
        for (int i = 0; i < ranges; i++) {
            if (i % 2 == 0) {
                data.add(region, i * 2L * BLOCK, 2 * BLOCK);
            } else {
                data.add(other, i * 2L * BLOCK, 2 * BLOCK);
            }
        }
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.read(data, 5, 2L * ranges, done)));
        assertArrayEquals(Arrays.copyOfRange(expected, 5 * BLOCK, (5 + 2 * ranges) * BLOCK), bytes(data));
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.write(data, 2000, 2L * ranges, done)));
        System.arraycopy(expected, 5 * BLOCK, expected, 2000 * BLOCK, 2 * ranges * BLOCK);
        assertArrayEquals(expected, Files.readAllBytes(file));
        bdevs.memory.free(region);
    }

    /// Direct I/O takes no range of 100 bytes; together they are 16 blocks, in more parts than the kernel takes at once.
    @Test
    void takesRangesOfAnyLength() throws Exception {
        Path file = file();
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        IoVector data = new IoVector(82);
        MemorySegment memory = arena.allocate(82 * 512, 4096);
        for (int i = 0; i < 82; i++) {
            data.add(memory, i * 512L, i < 81 ? 100 : 16 * BLOCK - 81 * 100);
        }
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (channel, done) -> channel.read(data, 3, 16, done)));
        byte[] content = Files.readAllBytes(file);
        assertArrayEquals(Arrays.copyOfRange(content, 3 * BLOCK, 19 * BLOCK), bytes(data));
        assertEquals(BdevStatus.SUCCESS,
                bdevs.status(descriptor, (channel, done) -> channel.write(data, 40, 16, done)));
        System.arraycopy(content, 3 * BLOCK, content, 40 * BLOCK, 16 * BLOCK);
        assertArrayEquals(content, Files.readAllBytes(file));
    }

    @ParameterizedTest
    @CsvSource({"0", "4096", "4200"})
    void failsAReadThatTheFileHasBecomeTooShortFor(long newLength) throws Exception {
        Path file = file();
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        try (RandomAccessFile shorter = new RandomAccessFile(file.toFile(), "rw")) {
            shorter.setLength(newLength);
        }
        IoVector data = vector(arena.allocate(16 * BLOCK, 4096), 1);
        long status = bdevs.status(descriptor, (channel, done) -> channel.read(data, 0, 16, done));
        assertEquals(BdevStatus.errno(Errno.EIO), status);
    }

    @Test
    void keepsManyRequestsInFlightOnManyThreads() throws Exception {
        Path file = file();
        bdevs = new FileBdevs(new FileCallsFake(), 2);
        BdevDescriptor descriptor = bdevs.open(bdevs.create(file, BLOCK), true);
        byte[] content = Files.readAllBytes(file);
        for (int core = 0; core < 2; core++) {
            IoThread thread = bdevs.reactors.createThread("worker" + core, CpuMask.of(core));
            BdevChannel channel = bdevs.channel(descriptor, thread);
            IoVector[] data = new IoVector[400];
            for (int i = 0; i < data.length; i++) {
                data[i] = vector(arena.allocate(8 * BLOCK, 4096), 1);
            }
            long failures = thread.<Long>callAsync(reply -> {
                int[] left = {data.length};
                long[] failed = new long[1];
                for (int i = 0; i < data.length; i++) {
                    assertTrue(channel.read(data[i], i * 8L, 8, io -> {
                        failed[0] += io.status() == BdevStatus.SUCCESS ? 0 : 1;
                        if (--left[0] == 0) {
                            reply.complete(failed[0]);
                        }
                    }));
                }
            });
            assertEquals(0, failures);
            for (int i = 0; i < data.length; i++) {
                assertArrayEquals(Arrays.copyOfRange(content, i * 8 * BLOCK, (i + 1) * 8 * BLOCK), bytes(data[i]));
            }
        }
    }

    @Test
    void losesNoRequestWhenItsThreadMovesToAnotherCore() throws Exception {
        Path file = file();
        bdevs = new FileBdevs(new FileCallsFake(), 2);
        BdevDescriptor descriptor = bdevs.open(bdevs.create(file, BLOCK), true);
        IoThread thread = bdevs.reactors.createThread("mover", CpuMask.of(0, 1));
        BdevChannel channel = bdevs.channel(descriptor, thread);
        int depth = 64;
        int total = 20_000;
        IoVector[] data = new IoVector[depth];
        for (int i = 0; i < depth; i++) {
            data[i] = vector(arena.allocate(8 * BLOCK, 4096), 1);
        }
        AtomicInteger done = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        thread.run(() -> {
            for (int i = 0; i < depth; i++) {
                readAgain(channel, data[i], total, done, failed);
            }
        });
        int moves = 0;
        while (done.get() < total) {
            int before = done.get();
            thread.moveTo(bdevs.reactors.reactor(++moves % 2));
            while (done.get() < Math.min(total, before + 500)) {
                Thread.onSpinWait();
            }
        }
        assertTrue(moves > 5, "moves=" + moves);
        assertEquals(0, failed.get());
        while (thread.call(channel::inFlight) > 0) {
            Thread.onSpinWait();
        }
    }

    private static void readAgain(BdevChannel channel, IoVector data, int total,
            AtomicInteger done, AtomicInteger failed) {
        channel.read(data, done.get() % 4000, 8, io -> {
            failed.addAndGet(io.status() == BdevStatus.SUCCESS ? 0 : 1);
            if (done.incrementAndGet() < total) {
                readAgain(channel, data, total, done, failed);
            }
        });
    }

    @Test
    void endsAResetWithEverythingEnded() throws Exception {
        Path file = file();
        BdevDescriptor descriptor = open(file, new FileCallsFake());
        IoThread thread = bdevs.reactors.appThread();
        BdevChannel channel = bdevs.channel(descriptor, thread);
        IoVector data = vector(arena.allocate(512 * BLOCK, 4096), 1);
        int[] ended = new int[1];
        long status = thread.<Long>callAsync(reply -> {
            for (int i = 0; i < 50; i++) {
                channel.read(data, i, 512, io -> ended[0]++);
            }
            channel.reset(io -> reply.complete(io.status() * 1000 + ended[0]));
        });
        assertEquals(50, status, "success, after 50 others");
        assertEquals(BdevStatus.SUCCESS, bdevs.status(descriptor, (c, done) -> c.read(data, 0, 512, done)));
    }
}
