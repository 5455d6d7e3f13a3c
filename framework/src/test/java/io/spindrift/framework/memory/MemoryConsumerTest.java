package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.framework.memory.spi.MemoryConsumer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryConsumerTest {
    private final Memory memory = new Memory(MemoryOptions.DEFAULT);
    private final Arena arena = Arena.ofShared();
    private final RecordingConsumer vfio = new RecordingConsumer("vfio", 1000);
    private final RecordingConsumer rdma = new RecordingConsumer("rdma", 2000);

    private MemorySegment pages(int count) {
        return arena.allocate(count * 4096L, 4096);
    }

    @AfterEach
    void close() {
        memory.close();
        arena.close();
        assertEquals(Set.of(), vfio.mapped());
        assertEquals(List.of(), vfio.errors);
        assertEquals(List.of(), rdma.errors);
    }

    @Test
    void mapsRegionsThatExistAndThoseThatCome() {
        MemoryRegion own = memory.allocate("test", 4096);
        MemoryRegion before = memory.register(pages(1));
        memory.addConsumer(vfio);
        MemoryRegion after = memory.register(pages(1));
        assertEquals(Set.of(own, before, after), vfio.mapped());
    }

    @Test
    void keepsAValueForEachConsumer() {
        MemoryRegion region = memory.register(pages(1));
        int vfioIndex = memory.addConsumer(vfio);
        int rdmaIndex = memory.addConsumer(rdma);
        assertEquals(region.address() + 1000, region.value(vfioIndex));
        assertEquals(region.address() + 2000, region.value(rdmaIndex));
        assertEquals(List.of("vfio", "rdma"), memory.stats().regions().getFirst().consumers());
    }

    @Test
    void letsAConsumerPassARegionOver() {
        vfio.ignore = region -> region.domain().kind() == MemoryDomain.Kind.DEVICE;
        int index = memory.addConsumer(vfio);
        MemoryDomain cmb = new MemoryDomain(MemoryDomain.Kind.DEVICE, "nvme0 CMB");
        MemoryRegion region = memory.register("nvme", pages(1), cmb);
        assertEquals(MemoryConsumer.NOT_MAPPED, region.value(index));
        assertEquals(cmb, region.domain());
    }

    @Test
    void unmapsWhatIsUnregisteredAndFreed() throws InterruptedException {
        int index = memory.addConsumer(vfio);
        MemoryRegion own = memory.allocate("test", 4096);
        MemoryRegion foreign = memory.register(pages(1));
        memory.free(own);
        memory.unregister(foreign);
        assertEquals(Set.of(), vfio.mapped());
        assertEquals(MemoryConsumer.NOT_MAPPED, foreign.value(index));
    }

    @Test
    void undoesARegistrationThatAConsumerRefuses() {
        memory.addConsumer(rdma);
        memory.addConsumer(vfio);
        vfio.refuse = region -> true;
        MemorySegment segment = pages(1);
        MemoryMapException e = assertThrows(MemoryMapException.class,
                () -> memory.register("vm", segment, MemoryDomain.HOST));
        assertEquals("vfio cannot map 0x" + Long.toHexString(segment.address())
                + "+4096 (vm, FOREIGN, host): the device refuses", e.getMessage());
        assertEquals(Set.of(), rdma.mapped());
        assertNull(memory.regionOf(segment.address(), 1));
        vfio.refuse = region -> false;
        assertEquals(Set.of(memory.register(segment)), vfio.mapped());
    }

    @Test
    void undoesAnAllocationThatAConsumerRefuses() {
        memory.addConsumer(vfio);
        vfio.refuse = region -> true;
        assertThrows(MemoryMapException.class, () -> memory.allocate("test", 4096));
        assertEquals(List.of(), memory.stats().regions());
    }

    @Test
    void doesNotAddAConsumerThatRefusesARegion() {
        memory.register(pages(1));
        memory.register(pages(1));
        MemoryRegion refused = memory.register(pages(1));
        vfio.refuse = region -> region == refused;
        assertThrows(MemoryMapException.class, () -> memory.addConsumer(vfio));
        assertEquals(Set.of(), vfio.mapped());
        memory.register(pages(1));
        assertEquals(Set.of(), vfio.mapped());
    }

    @Test
    void reusesTheIndexOfARemovedConsumer() {
        MemoryRegion region = memory.register(pages(1));
        int index = memory.addConsumer(vfio);
        memory.removeConsumer(index);
        assertEquals(Set.of(), vfio.mapped());
        assertEquals(MemoryConsumer.NOT_MAPPED, region.value(index));
        assertEquals(index, memory.addConsumer(rdma));
        assertThrows(IllegalArgumentException.class, () -> memory.removeConsumer(index + 1));
        assertThrows(IllegalArgumentException.class, () -> memory.removeConsumer(-1));
    }

    @Test
    void refusesTheSameConsumerTwiceAndOneTooMany() {
        memory.addConsumer(vfio);
        assertThrows(IllegalArgumentException.class, () -> memory.addConsumer(vfio));
        for (int i = 1; i < Memory.MAX_CONSUMERS; i++) {
            memory.addConsumer(new RecordingConsumer("c" + i, 0));
        }
        assertThrows(IllegalStateException.class, () -> memory.addConsumer(rdma));
    }

    @Test
    void refusesCallsFromWithinAConsumer() {
        memory.addConsumer(new MemoryConsumer() {
            @Override
            public String name() {
                return "recursive";
            }

            @Override
            public long map(MemoryRegion region) {
                return memory.allocate("inner", 4096).address();
            }

            @Override
            public void unmap(MemoryRegion region, long value) {
                throw new AssertionError("nothing was mapped");
            }
        });
        MemoryMapException e = assertThrows(MemoryMapException.class, () -> memory.register(pages(1)));
        assertEquals(IllegalStateException.class, e.getCause().getClass());
    }

    @Test
    void mapsEachRegionOnceForEachConsumerWhileBothComeAndGo() throws InterruptedException, ExecutionException {
        MemorySegment segment = pages(64);
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Future<?> regions = threads.submit(() -> comeAndGo(segment, 0));
            Future<?> otherRegions = threads.submit(() -> comeAndGo(segment, 32));
            Future<?> consumers = threads.submit(() -> {
                for (int i = 0; i < 1000; i++) {
                    int index = memory.addConsumer(vfio);
                    int other = memory.addConsumer(rdma);
                    memory.removeConsumer(index);
                    assertEquals(Set.of(), vfio.mapped());
                    memory.removeConsumer(other);
                    assertEquals(Set.of(), rdma.mapped());
                }
            });
            regions.get();
            otherRegions.get();
            consumers.get();
        }
    }

    private Void comeAndGo(MemorySegment segment, int firstPage) throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            MemoryRegion region = memory.register(segment.asSlice((firstPage + i % 32) * 4096L, 4096));
            memory.unregister(region);
        }
        return null;
    }
}
