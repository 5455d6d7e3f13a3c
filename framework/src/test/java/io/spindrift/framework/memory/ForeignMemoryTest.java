package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ForeignMemoryTest {
    private static final Executor NEW_THREAD = Thread.ofPlatform().daemon()::start;
    private static final int SLOTS = 4;

    private final AtomicBoolean visited = new AtomicBoolean();
    private final Memory memory = new Memory(new MemoryOptions(true, SLOTS), () -> visited.set(true));
    private final Arena arena = Arena.ofShared();
    private final MemorySegment pages = arena.allocate(16 * 4096, 4096);

    @AfterEach
    void close() {
        memory.close();
        arena.close();
    }

    private MemoryRegion register(long page, long count) {
        return memory.register(pages.asSlice(page * 4096, count * 4096));
    }

    private void assertRefused(String reason, MemorySegment segment) {
        String message = assertThrows(IllegalArgumentException.class, () -> memory.register(segment)).getMessage();
        assertTrue(message.contains(reason), message);
    }

    // ---- what can be registered -------------------------------------------------------------------------------

    @Test
    @SuppressWarnings("restricted")
    void refusesWhatDevicesCannotReach() {
        assertRefused("byteLength=0 is outside 1..", pages.asSlice(0, 0));
        assertRefused("must be multiples of 4096", pages.asSlice(512, 4096));
        assertRefused("must be multiples of 4096", pages.asSlice(0, 4095));
        assertRefused("must be multiples of 4096", pages.asSlice(0, 4097));
        assertRefused("is not native", MemorySegment.ofArray(new byte[8192]));
        assertRefused("is read-only", pages.asReadOnly());
        assertRefused("is outside", MemorySegment.NULL.reinterpret(Long.MAX_VALUE));
        assertRefused("address=0 is outside", MemorySegment.NULL.reinterpret(4096));
        try (Arena confined = Arena.ofConfined()) {
            assertRefused("confined to one thread", confined.allocate(4096, 4096));
        }
        Arena closed = Arena.ofShared();
        MemorySegment dead = closed.allocate(4096, 4096);
        closed.close();
        assertRefused("closed", dead);
    }

    @Test
    void refusesMemoryThatOverlapsARegion() {
        register(4, 4);
        for (long[] range : new long[][]{{4, 4}, {3, 2}, {7, 1}, {7, 2}, {5, 1}, {3, 6}}) {
            assertRefused("overlaps", pages.asSlice(range[0] * 4096, range[1] * 4096));
        }
        register(3, 1);
        register(8, 1);
    }

    @Test
    void refusesMemoryThatOverlapsItsOwn() {
        MemoryRegion own = memory.allocate("test", 8192);
        assertRefused("overlaps", own.segment().asSlice(4096, 4096));
    }

    @Test
    void letsTheSameMemoryComeBackAfterItsEnd() throws InterruptedException {
        MemoryRegion region = register(0, 1);
        memory.unregister(region);
        assertNull(memory.regionOf(region.address(), 1));
        assertThrows(IllegalArgumentException.class, () -> memory.unregister(region));
        MemoryRegion again = register(0, 1);
        assertSame(again, memory.regionOf(region.address(), 1));
        assertThrows(IllegalArgumentException.class, () -> memory.unregister(region));
        assertThrows(IllegalArgumentException.class, () -> memory.unregister(memory.allocate("test", 4096)));
    }

    // ---- holding and draining ---------------------------------------------------------------------------------

    private CompletableFuture<Void> unregisterElsewhere(MemoryRegion region, AtomicReference<Thread> thread) {
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            thread.set(Thread.currentThread());
            try {
                memory.unregister(region);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, NEW_THREAD);
        while (!visited.get() && !done.isDone()) {
            Thread.onSpinWait();
        }
        return done;
    }

    @Test
    void waitsForEveryHolderOfEveryThread() throws InterruptedException, ExecutionException, TimeoutException {
        MemoryRegion region = register(0, 1);
        RecordingConsumer consumer = new RecordingConsumer("vfio", 0);
        memory.addConsumer(consumer);
        int[] slots = {0, 1, SLOTS - 1, SLOTS, 1000, MemoryRegion.NO_SLOT};
        for (int slot : slots) {
            assertTrue(region.hold(slot));
            assertTrue(region.hold(slot));
        }
        assertEquals(12, region.holders());
        var done = unregisterElsewhere(region, new AtomicReference<>());
        for (int slot : slots) {
            assertFalse(region.hold(slot), "a region being unregistered takes no new I/O");
        }
        for (int slot : slots) {
            assertFalse(done.isDone());
            assertTrue(consumer.mapped().contains(region));
            assertSame(region, memory.regionOf(region.address(), 4096));
            assertRefused("overlaps", pages.asSlice(0, 4096));
            region.release(slot);
            region.release(slot);
        }
        done.get(10, TimeUnit.SECONDS);
        assertFalse(consumer.mapped().contains(region));
        assertNull(memory.regionOf(region.address(), 4096));
    }

    @Test
    void drainsWhatOneThreadHeldAndAnotherReleased() throws Exception {
        MemoryRegion region = register(0, 1);
        region.hold(0);
        region.hold(1);
        region.release(2);
        assertEquals(1, region.holders());
        var done = unregisterElsewhere(region, new AtomicReference<>());
        assertFalse(done.isDone());
        region.release(MemoryRegion.NO_SLOT);
        done.get(10, TimeUnit.SECONDS);
    }

    @Test
    void goesOnWaitingWhenCalledAgainAfterAnInterrupt() throws Exception {
        MemoryRegion region = register(0, 1);
        region.hold(0);
        AtomicReference<Thread> waiter = new AtomicReference<>();
        var interrupted = unregisterElsewhere(region, waiter);
        waiter.get().interrupt();
        var failure = assertThrows(ExecutionException.class, () -> interrupted.get(10, TimeUnit.SECONDS));
        assertEquals(InterruptedException.class, failure.getCause().getCause().getClass());
        assertFalse(region.hold(0));
        var again = unregisterElsewhere(region, waiter);
        region.release(0);
        again.get(10, TimeUnit.SECONDS);
    }

    @Test
    void doesNotOfferARegionThatEndsToANewConsumer() throws Exception {
        MemoryRegion region = register(0, 1);
        region.hold(0);
        var done = unregisterElsewhere(region, new AtomicReference<>());
        RecordingConsumer late = new RecordingConsumer("late", 0);
        memory.addConsumer(late);
        assertFalse(late.mapped().contains(region));
        region.release(0);
        done.get(10, TimeUnit.SECONDS);
        assertEquals(java.util.List.of(), late.errors);
    }

    @Test
    void doesNotCountItsOwnMemory() {
        MemoryRegion own = memory.allocate("test", 4096);
        assertFalse(own.counted());
        assertTrue(own.hold(0));
        assertEquals(0, own.holders());
        own.release(0);
        memory.free(own);
    }

    @Test
    void holdsAllRegionsOfAVectorOrNone() throws Exception {
        MemoryRegion a = register(0, 1);
        MemoryRegion b = register(1, 1);
        IoVector vector = new IoVector(4);
        vector.add(a, 0, 512);
        vector.add(memory.allocate("test", 4096), 0, 512);
        vector.add(b, 0, 512);
        vector.add(a, 512, 512);
        assertTrue(vector.hold(0));
        assertEquals(2, a.holders());
        assertEquals(1, b.holders());
        vector.release(0);
        assertEquals(0, a.holders());
        memory.unregister(b);
        assertFalse(vector.hold(0));
        assertEquals(0, a.holders());
    }
}
