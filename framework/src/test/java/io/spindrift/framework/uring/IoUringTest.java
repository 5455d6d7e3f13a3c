package io.spindrift.framework.uring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests against real files; what Java's own file calls see is the expected value.
class IoUringTest {
    @TempDir
    Path directory;

    private final Arena arena = Arena.ofConfined();
    private final Completions completions = new Completions();
    private IoUring ring;
    private Path file;
    private int fd;

    @BeforeEach
    void open() throws Exception {
        try {
            ring = IoUring.open(new IoUringOptions(8, 16, true));
        } catch (IoUringException e) {
            assumeTrue(false, e.getMessage());
        }
        file = Files.write(directory.resolve("file"), new byte[0]);
        fd = Libc.open(file.toString(), Libc.O_RDWR, 0);
    }

    @AfterEach
    void close() {
        if (ring != null) {
            completions.drain(ring);
            ring.close();
            Libc.close(fd);
        }
        arena.close();
    }

    private MemorySegment random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    private static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void writesWhatFilesThenReads() throws Exception {
        MemorySegment data = random(10_000);
        Sqe.write(ring.sqes(), ring.nextSqe(), fd, data.address(), 10_000, 0, 1);
        assertEquals(10_000, completions.drain(ring).result(1));
        assertArrayEquals(bytes(data), Files.readAllBytes(file));
    }

    @Test
    void readsWhatFilesWrote() throws Exception {
        byte[] data = bytes(random(9_000));
        Files.write(file, data);
        MemorySegment buffer = arena.allocate(4_096);
        Sqe.read(ring.sqes(), ring.nextSqe(), fd, buffer.address(), 4_096, 100, 7);
        assertEquals(4_096, completions.drain(ring).result(7));
        assertArrayEquals(Arrays.copyOfRange(data, 100, 4_196), bytes(buffer));
    }

    @Test
    void readsShortAtTheEndOfTheFile() throws Exception {
        Files.write(file, new byte[100]);
        MemorySegment buffer = arena.allocate(512);
        Sqe.read(ring.sqes(), ring.nextSqe(), fd, buffer.address(), 512, 60, 1);
        Sqe.read(ring.sqes(), ring.nextSqe(), fd, buffer.address(), 512, 100, 2);
        completions.drain(ring);
        assertEquals(40, completions.result(1));
        assertEquals(0, completions.result(2));
    }

    @Test
    void scattersAndGathersVectors() throws Exception {
        MemorySegment data = random(3_000);
        MemorySegment vector = arena.allocate(3L * IoVec.SIZE, 8);
        IoVec.set(vector, 0, data.address() + 2_000, 1_000);
        IoVec.set(vector, IoVec.SIZE, data.address(), 1_500);
        IoVec.set(vector, 2L * IoVec.SIZE, data.address() + 1_500, 500);
        Sqe.writev(ring.sqes(), ring.nextSqe(), fd, vector.address(), 3, 0, 1);
        assertEquals(3_000, completions.drain(ring).result(1));
        byte[] written = Files.readAllBytes(file);
        assertArrayEquals(Arrays.copyOfRange(bytes(data), 2_000, 3_000), Arrays.copyOf(written, 1_000));
        assertArrayEquals(Arrays.copyOf(bytes(data), 2_000), Arrays.copyOfRange(written, 1_000, 3_000));

        MemorySegment back = arena.allocate(3_000);
        IoVec.set(vector, 0, back.address() + 2_000, 1_000);
        IoVec.set(vector, IoVec.SIZE, back.address(), 1_500);
        IoVec.set(vector, 2L * IoVec.SIZE, back.address() + 1_500, 500);
        Sqe.readv(ring.sqes(), ring.nextSqe(), fd, vector.address(), 3, 0, 2);
        assertEquals(3_000, completions.drain(ring).result(2));
        assertArrayEquals(bytes(data), bytes(back));
    }

    @Test
    void syncsAndAllocates() throws Exception {
        Sqe.fallocate(ring.sqes(), ring.nextSqe(), fd, 0, 0, 65_536, 1);
        Sqe.fsync(ring.sqes(), ring.nextSqe(), fd, Sqe.FSYNC_DATASYNC, 2);
        completions.drain(ring);
        assertEquals(0, completions.result(1));
        assertEquals(0, completions.result(2));
        assertEquals(65_536, Files.size(file));
    }

    @Test
    void usesRegisteredFilesAndBuffers() throws Exception {
        byte[] data = bytes(random(8_192));
        Files.write(file, data);
        RegisteredFiles files = ring.registerFiles(4);
        RegisteredBuffers buffers = ring.registerBuffers(4);
        MemorySegment memory = arena.allocate(16_384, 4_096);
        int index = files.add(fd);
        int buffer = buffers.add(memory.address(), memory.byteSize());
        long at = ring.nextSqe();
        Sqe.readFixed(ring.sqes(), at, index, memory.address() + 4_096, 8_192, 0, buffer, 1);
        Sqe.fixedFile(ring.sqes(), at);
        assertEquals(8_192, completions.drain(ring).result(1));
        assertArrayEquals(data, bytes(memory.asSlice(4_096, 8_192)));

        memory.set(ValueLayout.JAVA_BYTE, 4_096, (byte) ~data[0]);
        at = ring.nextSqe();
        Sqe.writeFixed(ring.sqes(), at, index, memory.address() + 4_096, 1, 8_192, buffer, 2);
        Sqe.fixedFile(ring.sqes(), at);
        assertEquals(1, completions.drain(ring).result(2));
        assertEquals((byte) ~data[0], Files.readAllBytes(file)[8_192]);
    }

    @Test
    void refusesMemoryOutsideTheRegisteredBuffer() {
        RegisteredBuffers buffers = ring.registerBuffers(1);
        MemorySegment memory = arena.allocate(4_096, 4_096);
        int buffer = buffers.add(memory.address(), 4_096);
        Sqe.readFixed(ring.sqes(), ring.nextSqe(), fd, memory.address() + 4_000, 512, 0, buffer, 1);
        assertEquals(-Errno.EFAULT, completions.drain(ring).result(1));
    }

    @Test
    void reusesRegisteredSlotsAndSaysWhenTheTableIsFull() {
        RegisteredFiles files = ring.registerFiles(2);
        assertEquals(0, files.add(fd));
        assertEquals(1, files.add(fd));
        assertEquals(-Errno.ENOSPC, files.add(fd));
        files.remove(0);
        assertEquals(0, files.add(fd));
        files.remove(0);
        assertEquals(-Errno.EBADF, files.add(1 << 20));
        assertEquals(0, files.add(fd), "a refused file leaves its slot free");
    }

    @Test
    void failsRequestsOnAnEmptySlot() {
        ring.registerFiles(2);
        long at = ring.nextSqe();
        Sqe.fsync(ring.sqes(), at, 1, 0, 5);
        Sqe.fixedFile(ring.sqes(), at);
        assertEquals(-Errno.EBADF, completions.drain(ring).result(5));
    }

    @Test
    void completesMoreRequestsThanEitherQueueHolds() {
        for (long i = 0; i < 1_000; i++) {
            Sqe.nop(ring.sqes(), ring.nextSqe(), i);
            ring.poll(completions, 64);
        }
        completions.drain(ring);
        assertEquals(LongStream.range(0, 1_000).boxed().toList(), completions.order);
    }

    @Test
    void survivesTheWrapOfTheRingsCounters() {
        // 8 entries, 16 completions: 100 rounds of 5 start at every position of both rings.
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 5; i++) {
                Sqe.nop(ring.sqes(), ring.nextSqe(), round * 5L + i);
            }
            assertEquals(5, ring.poll(completions, 64));
        }
        assertEquals(LongStream.range(0, 500).boxed().toList(), completions.order);
        assertEquals(100, ring.enters(), "one system call for a batch");
    }

    @Test
    void losesNoCompletionWhenTheQueueOverflows() {
        int requests = 5 * ring.completionEntries();
        for (long i = 0; i < requests; i++) {
            long at = ring.nextSqe();
            assertTrue(at >= 0, "the kernel takes requests while completions are set aside");
            Sqe.nop(ring.sqes(), at, i);
        }
        ring.submit();
        while (ring.inFlight() > 0) {
            assertTrue(ring.poll(completions, 3) > 0);
        }
        List<Long> sorted = new ArrayList<>(completions.order);
        sorted.sort(null);
        assertEquals(LongStream.range(0, requests).boxed().toList(), sorted);
        assertEquals(0, ring.lostCompletions());
    }

    @Test
    void makesNoSystemCallWithNothingToDo() {
        ring.submit();
        assertEquals(0, ring.poll(completions, 64));
        assertEquals(0, ring.enters());
    }

    @Test
    void submitsABatchWithOneSystemCall() {
        for (int i = 0; i < 8; i++) {
            Sqe.nop(ring.sqes(), ring.nextSqe(), i);
        }
        assertEquals(0, ring.enters());
        assertEquals(8, ring.poll(completions, 64));
        assertEquals(1, ring.enters());
    }

    @Test
    void hasRoomAgainAfterSubmittingAFullQueue() {
        for (int i = 0; i < 9; i++) {
            long at = ring.nextSqe();
            assertEquals(i % 8 * 64L, at);
            Sqe.nop(ring.sqes(), at, i);
        }
        assertEquals(1, ring.enters());
        assertEquals(9, ring.inFlight());
    }

    @Test
    void reportsAnErrorAsANegatedErrnoAndGoesOnWithTheBatch() {
        Sqe.fsync(ring.sqes(), ring.nextSqe(), 1 << 20, 0, 1);
        Sqe.prepare(ring.sqes(), ring.nextSqe(), 250, -1, 0, 0, 0, 0, 2, 0);
        Sqe.nop(ring.sqes(), ring.nextSqe(), 3);
        completions.drain(ring);
        assertEquals(-Errno.EBADF, completions.result(1));
        assertEquals(-Errno.EINVAL, completions.result(2));
        assertEquals(0, completions.result(3));
    }

    @Test
    void leavesNothingOfAnEntrysLastUse() {
        RegisteredFiles files = ring.registerFiles(1);
        files.add(fd);
        for (int i = 0; i < 8; i++) {
            long at = ring.nextSqe();
            Sqe.fsync(ring.sqes(), at, 0, 1, i);
            Sqe.fixedFile(ring.sqes(), at);
        }
        completions.drain(ring);
        byte[] empty = new byte[Sqe.SIZE];
        Arrays.fill(empty, 4, 8, (byte) 0xFF);
        long at = ring.nextSqe();
        Sqe.nop(ring.sqes(), at, 0);
        assertArrayEquals(empty, bytes(ring.sqes().asSlice(at, Sqe.SIZE)));
    }

    @Test
    void cancelsARequestThatWaits() {
        int event = Libc.eventfd(0, Libc.EFD_CLOEXEC);
        Sqe.pollAdd(ring.sqes(), ring.nextSqe(), event, Libc.EPOLLIN, 1);
        ring.submit();
        assertEquals(0, ring.poll(completions, 8));
        Sqe.asyncCancel(ring.sqes(), ring.nextSqe(), 1, 0, 2);
        Sqe.asyncCancel(ring.sqes(), ring.nextSqe(), 99, 0, 3);
        completions.drain(ring);
        assertEquals(-Errno.ECANCELED, completions.result(1));
        assertEquals(0, completions.result(2));
        assertEquals(-Errno.ENOENT, completions.result(3));
        Libc.close(event);
    }

    @Test
    void refusesToCloseWithRequestsInFlight() {
        Sqe.nop(ring.sqes(), ring.nextSqe(), 1);
        IllegalStateException e = assertThrows(IllegalStateException.class, ring::close);
        assertEquals("inFlight=1 must be 0 before the ring is closed", e.getMessage());
    }

    @Test
    void keepsCompletionsWhenAHandlerThrows() {
        for (int i = 0; i < 3; i++) {
            Sqe.nop(ring.sqes(), ring.nextSqe(), i);
        }
        CompletionHandler thrower = (userData, result, flags) -> {
            throw new IllegalStateException("handler");
        };
        assertThrows(IllegalStateException.class, () -> ring.poll(thrower, 8));
        assertEquals(2, ring.poll(completions, 8));
        assertEquals(List.of(1L, 2L), completions.order);
        assertEquals(0, ring.inFlight());
    }

    @Test
    void assertsItsThread() throws Exception {
        assumeTrue(ring.threadBound(), "this kernel has no thread-bound rings (Linux 6.1)");
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> {
            try {
                ring.nextSqe();
            } catch (Throwable t) {
                thrown[0] = t;
            }
        });
        other.start();
        other.join();
        assertEquals(AssertionError.class, thrown[0].getClass());
        assertEquals(0, ring.inFlight());
    }

    @Test
    void movesBetweenThreadsWhenAskedTo() throws Exception {
        try (IoUring movable = IoUring.open(IoUringOptions.ofEntries(8).movable())) {
            assertFalse(movable.threadBound());
            Sqe.nop(movable.sqes(), movable.nextSqe(), 1);
            movable.poll(completions, 8);
            Thread other = new Thread(() -> {
                Sqe.nop(movable.sqes(), movable.nextSqe(), 2);
                movable.poll(completions, 8);
            });
            other.start();
            other.join();
            assertEquals(List.of(1L, 2L), completions.order);
        }
    }

    @Test
    void knowsWhatTheKernelSupports() {
        for (int opcode : new int[]{Opcode.READ, Opcode.WRITE, Opcode.READ_FIXED, Opcode.FALLOCATE}) {
            assertTrue(ring.supports(opcode));
        }
        assertFalse(ring.supports(250));
    }

    @Test
    void namesTheLimitOfItsOptions() {
        assertEquals("entries=0 is outside 1..32768",
                assertThrows(IllegalArgumentException.class, () -> new IoUringOptions(0, 0, true)).getMessage());
        assertEquals("completions=8 is outside 16..65536",
                assertThrows(IllegalArgumentException.class, () -> new IoUringOptions(16, 8, true)).getMessage());
    }

    @Test
    void saysWhatToDoWhenSwitchedOff() {
        assertTrue(IoUringException.setup(Errno.EPERM, 64).getMessage().contains("kernel.io_uring_disabled=0"));
        assertTrue(IoUringException.setup(Errno.ENOMEM, 64).getMessage().contains("ulimit -l"));
    }
}
