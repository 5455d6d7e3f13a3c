package io.spindrift.framework.memory;

import io.spindrift.framework.memory.spi.MemoryConsumer;
import java.util.ArrayList;
import java.util.List;

/// The consumers by index, and the mapping of regions for them. Used under [Memory]'s lock.
final class ConsumerTable {
    private final MemoryConsumer[] consumers = new MemoryConsumer[Memory.MAX_CONSUMERS];

    /// Maps `regions` for `consumer`: all of them, or none and an exception.
    int add(MemoryConsumer consumer, List<MemoryRegion> regions) {
        int index = freeIndex(consumer);
        List<MemoryRegion> mapped = new ArrayList<>();
        for (MemoryRegion region : regions) {
            try {
                region.setValue(index, consumer.map(region));
                mapped.add(region);
            } catch (Exception e) {
                RuntimeException failure = new MemoryMapException(consumer.name(), region, e);
                undo(failure, () -> mapped.forEach(r -> unmap(consumer, index, r)));
                throw failure;
            }
        }
        consumers[index] = consumer;
        return index;
    }

    /// Unmaps `regions` for the consumer, which gets no more calls; its index is free again.
    void remove(int index, List<MemoryRegion> regions) {
        MemoryConsumer consumer = index >= 0 && index < consumers.length ? consumers[index] : null;
        if (consumer == null) {
            throw new IllegalArgumentException("consumerIndex=" + index + " is not a consumer");
        }
        regions.forEach(region -> unmap(consumer, index, region));
        consumers[index] = null;
    }

    /// Maps `region` for every consumer: all of them, or none and an exception.
    void map(MemoryRegion region) {
        for (int index = 0; index < consumers.length; index++) {
            MemoryConsumer consumer = consumers[index];
            if (consumer == null) {
                continue;
            }
            try {
                region.setValue(index, consumer.map(region));
            } catch (Exception e) {
                RuntimeException failure = new MemoryMapException(consumer.name(), region, e);
                undo(failure, () -> unmap(region));
                throw failure;
            }
        }
    }

    /// Unmaps `region` for every consumer that maps it.
    void unmap(MemoryRegion region) {
        for (int index = 0; index < consumers.length; index++) {
            if (consumers[index] != null) {
                unmap(consumers[index], index, region);
            }
        }
    }

    List<String> namesOf(MemoryRegion region) {
        List<String> names = new ArrayList<>();
        for (int index = 0; index < consumers.length; index++) {
            if (consumers[index] != null && region.value(index) != MemoryConsumer.NOT_MAPPED) {
                names.add(consumers[index].name());
            }
        }
        return names;
    }

    private static void unmap(MemoryConsumer consumer, int index, MemoryRegion region) {
        long value = region.value(index);
        if (value != MemoryConsumer.NOT_MAPPED) {
            region.setValue(index, MemoryConsumer.NOT_MAPPED);
            consumer.unmap(region, value);
        }
    }

    private static void undo(RuntimeException failure, Runnable undoing) {
        try {
            undoing.run();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private int freeIndex(MemoryConsumer added) {
        int free = -1;
        for (int index = consumers.length - 1; index >= 0; index--) {
            if (consumers[index] == added) {
                throw new IllegalArgumentException("consumer=" + added.name() + " was added before");
            }
            if (consumers[index] == null) {
                free = index;
            }
        }
        if (free < 0) {
            throw new IllegalStateException("consumer=" + added.name() + " is one more than " + consumers.length);
        }
        return free;
    }
}
