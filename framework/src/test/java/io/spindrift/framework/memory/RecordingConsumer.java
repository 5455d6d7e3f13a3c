package io.spindrift.framework.memory;

import io.spindrift.framework.memory.spi.MemoryConsumer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// A consumer that keeps count: mapping twice, or unmapping what is not mapped, is an error. Its value of a region is
/// the region's address plus its own offset.
final class RecordingConsumer implements MemoryConsumer {
    private final String name;
    private final long offset;
    private final Set<MemoryRegion> mapped = new HashSet<>();
    final List<String> errors = new ArrayList<>();
    Predicate<MemoryRegion> refuse = region -> false;
    Predicate<MemoryRegion> ignore = region -> false;

    RecordingConsumer(String name, long offset) {
        this.name = name;
        this.offset = offset;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long map(MemoryRegion region) throws Exception {
        if (refuse.test(region)) {
            throw new Exception("the device refuses");
        }
        if (ignore.test(region)) {
            return NOT_MAPPED;
        }
        if (!mapped.add(region)) {
            errors.add("mapped twice: " + region);
        }
        return region.address() + offset;
    }

    @Override
    public void unmap(MemoryRegion region, long value) {
        if (!mapped.remove(region)) {
            errors.add("not mapped: " + region);
        }
        if (value != region.address() + offset) {
            errors.add("wrong value " + value + ": " + region);
        }
    }

    Set<MemoryRegion> mapped() {
        return Set.copyOf(mapped);
    }
}
