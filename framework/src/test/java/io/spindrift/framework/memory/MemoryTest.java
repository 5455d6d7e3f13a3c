package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryTest {
    private static final long MIB = 1 << 20;

    private final Memory memory = new Memory(MemoryOptions.DEFAULT);
    private final Memory plain = new Memory(new MemoryOptions(false, 8));

    @AfterEach
    void close() {
        memory.close();
        plain.close();
    }

    @Test
    void allocatesWholePagesOfZeroes() {
        MemoryRegion region = memory.allocate("test", 5000);
        assertEquals(0, region.address() % 4096);
        assertEquals(8192, region.byteLength());
        assertEquals(8192, region.segment().byteSize());
        for (long i = 0; i < region.byteLength(); i++) {
            assertEquals(0, region.segment().get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @Test
    void allocatesNoMoreThanItsLimit() {
        try (Memory limited = new Memory(MemoryOptions.DEFAULT.withLimit(3 * 4096))) {
            MemoryRegion two = limited.allocate("test", 5000);
            ErrnoException refused = assertThrows(ErrnoException.class, () -> limited.allocate("Malloc0", 4097));
            assertEquals(Errno.ENOMEM, refused.errno());
            assertEquals("8192 bytes of memory for Malloc0 are more than is left: the limit (-s/--mem-size) is 12288 "
                    + "bytes, of which 8192 are in use", refused.getMessage());
            limited.allocate("test", 4096);
            assertThrows(ErrnoException.class, () -> limited.allocate("test", 1));
            limited.free(two);
            limited.allocate("test", 8192);
        }
    }

    @Test
    @Timeout(60)
    void refusesNobodyBecauseAnotherAsksForTooMuch() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        try (Memory limited = new Memory(MemoryOptions.DEFAULT.withLimit(4096));
                ExecutorService greedy = Executors.newSingleThreadExecutor()) {
            CountDownLatch asking = new CountDownLatch(1);
            Future<?> refusals = greedy.submit(() -> {
                while (!done.get()) {
                    assertThrows(ErrnoException.class, () -> limited.allocate("greedy", 4097));
                    asking.countDown();
                }
            });
            try {
                asking.await();
                for (int i = 0; i < 20_000; i++) {
                    limited.free(limited.allocate("modest", 4096));
                }
            } finally {
                done.set(true);
            }
            refusals.get();
        }
    }

    @Test
    void startsLargeMemoryAtAHugepage() {
        MemoryRegion region = memory.allocate("test", 3 * MIB);
        assertEquals(0, region.address() % (2 * MIB));
        assertEquals(3 * MIB, region.byteLength());
        assertTrue(region.pageKind() == PageKind.HUGE || region.pageKind() == PageKind.TRANSPARENT_HUGE,
                region.toString());
    }

    @Test
    void usesPlainPagesForSmallMemoryAndWithoutHugepages() {
        assertEquals(PageKind.PLAIN, memory.allocate("test", 4096).pageKind());
        assertEquals(PageKind.PLAIN, plain.allocate("test", 8 * MIB).pageKind());
    }

    @Test
    void takesNoPhysicalMemoryBeforeItIsTouched() throws IOException {
        MemoryRegion region = plain.allocate("test", 64 * MIB);
        assertEquals(0, presentPages(region));
        region.segment().set(ValueLayout.JAVA_BYTE, 10 * MIB, (byte) 1);
        assertEquals(1, presentPages(region));
    }

    /// Kernel documentation, admin-guide/mm/pagemap: 8 bytes a page, bit 63 says that it is in memory.
    private static int presentPages(MemoryRegion region) throws IOException {
        int pages = (int) (region.byteLength() / 4096);
        ByteBuffer map = ByteBuffer.allocate(pages * 8).order(ByteOrder.nativeOrder());
        try (RandomAccessFile file = new RandomAccessFile("/proc/self/pagemap", "r")) {
            file.seek(region.address() / 4096 * 8);
            file.readFully(map.array());
        }
        return (int) LongStream.range(0, pages).filter(page -> map.getLong((int) page * 8) < 0).count();
    }

    @Test
    void allocatesAndFreesOnAVirtualThread() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread.ofVirtual().start(() -> {
            try {
                memory.free(memory.allocate("test", 4 * MIB));
            } catch (Throwable t) {
                failure.set(t);
            }
        }).join();
        assertNull(failure.get());
    }

    @Test
    void refusesWhatTheMachineCannotMap() {
        assertThrows(IllegalArgumentException.class, () -> memory.allocate("test", 0));
        assertThrows(IllegalArgumentException.class, () -> memory.allocate("test", Long.MAX_VALUE));
        // Beyond a 47-bit address space, within the limit of a 57-bit one.
        String message = assertThrows(RuntimeException.class, () -> memory.allocate("test", 1L << 55)).getMessage();
        assertEquals("mmap of 36028797018963968 bytes: Cannot allocate memory",
                message.replace("36028797021061120", "36028797018963968"));
    }

    @Test
    void killsTheSegmentsOfFreedMemory() {
        MemoryRegion region = memory.allocate("test", 4096);
        memory.free(region);
        assertThrows(IllegalStateException.class, () -> region.segment().get(ValueLayout.JAVA_BYTE, 0));
        assertNull(memory.regionOf(region.address(), 1));
    }

    @Test
    void refusesToFreeTwiceOrWhatIsNotItsOwn() {
        MemoryRegion region = memory.allocate("test", 4096);
        assertThrows(IllegalArgumentException.class, () -> plain.free(region));
        memory.free(region);
        assertThrows(IllegalArgumentException.class, () -> memory.free(region));
        try (Arena arena = Arena.ofShared()) {
            MemoryRegion foreign = memory.register(arena.allocate(4096, 4096));
            assertThrows(IllegalArgumentException.class, () -> memory.free(foreign));
        }
    }

    @Test
    void findsTheRegionThatContainsARange() {
        MemoryRegion a = memory.allocate("a", 8192);
        MemoryRegion b = memory.allocate("b", 4 * MIB);
        MemoryRegion c = memory.allocate("c", 4096);
        for (MemoryRegion region : List.of(a, b, c)) {
            assertSame(region, memory.regionOf(region.address(), region.byteLength()));
            assertSame(region, memory.regionOf(region.address(), 0));
            assertSame(region, memory.regionOf(region.end() - 1, 1));
            assertNotSame(region, memory.regionOf(region.end(), 1));
            assertNotSame(region, memory.regionOf(region.address() - 1, 2));
            assertNull(memory.regionOf(region.end() - 1, Long.MAX_VALUE));
            assertNull(memory.regionOf(region.address(), -1));
        }
        assertNull(memory.regionOf(0, 1));
        assertNull(memory.regionOf(-1, 1));
        assertNull(plain.regionOf(a.address(), 1), "another application's");
    }

    @Test
    void countsBytesByKindAndByOwner() {
        memory.allocate("pool", 4096);
        memory.allocate("disk", 8192);
        memory.allocate("pool", 4096);
        try (Arena arena = Arena.ofShared()) {
            memory.register("vm", arena.allocate(12_288, 4096), MemoryDomain.HOST);
            MemoryStats stats = memory.stats();
            assertEquals(Map.of(PageKind.PLAIN, 16_384L, PageKind.FOREIGN, 12_288L), stats.bytesByKind());
            assertEquals(Map.of("pool", 8192L, "disk", 8192L, "vm", 12_288L), stats.bytesByOwner());
            assertEquals(28_672, stats.totalBytes());
            assertEquals(4, stats.regions().size());
        }
    }

    @Test
    void freesEverythingWhenClosed() {
        MemoryRegion region = memory.allocate("test", 4 * MIB);
        memory.close();
        assertEquals(List.of(), memory.stats().regions());
        assertThrows(IllegalStateException.class, () -> region.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
}
