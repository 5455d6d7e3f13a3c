package io.spindrift.framework.memory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// How much memory an application has, and whose it is. Bytes are mapped bytes; pages never touched cost nothing.
///
/// @param bytesByKind what backs it; kinds with none are absent
/// @param bytesByOwner the owner named at allocation or registration
/// @param regions every region in order of address
public record MemoryStats(SortedMap<PageKind, Long> bytesByKind, SortedMap<String, Long> bytesByOwner,
        List<Region> regions) {

    /// One region.
    ///
    /// @param holders I/Os in flight on it, about right while they come and go
    /// @param consumers the names of those who map it
    public record Region(long address, long byteLength, String owner, PageKind kind, String domain, long holders,
            List<String> consumers) {}

    static MemoryStats of(Collection<Region> regions) {
        return new MemoryStats(sum(regions, Region::kind), sum(regions, Region::owner), List.copyOf(regions));
    }

    private static <K> SortedMap<K, Long> sum(Collection<Region> regions,
            java.util.function.Function<Region, K> key) {
        Map<K, Long> sums = regions.stream()
                .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.summingLong(Region::byteLength)));
        return new TreeMap<>(sums);
    }

    /// Of all regions together.
    public long totalBytes() {
        return bytesByKind.values().stream().mapToLong(Long::longValue).sum();
    }
}
