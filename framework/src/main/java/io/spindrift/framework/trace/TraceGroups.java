package io.spindrift.framework.trace;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Every group that an application knows, found by number and by name. Immutable.
public final class TraceGroups {
    private final List<TraceGroup> groups;

    private TraceGroups(Collection<TraceGroup> groups) {
        this.groups = List.copyOf(groups);
    }

    /// Refuses two groups of one number or name, and two tracepoints of one name, naming both.
    public static TraceGroups of(Collection<TraceGroup> groups) {
        Map<Integer, TraceGroup> byNumber = new TreeMap<>();
        Map<String, TraceGroup> byName = new TreeMap<>();
        Map<String, TraceGroup> byTracepoint = new TreeMap<>();
        for (TraceGroup group : groups) {
            refuse(byNumber.put(group.number(), group), group, "number " + group.number());
            refuse(byName.put(group.name(), group), group, "name " + group.name());
            for (Tracepoint tracepoint : group.tracepoints()) {
                refuse(byTracepoint.put(tracepoint.name(), group), group, "tracepoint " + tracepoint.name());
            }
        }
        return new TraceGroups(byNumber.values());
    }

    private static void refuse(TraceGroup other, TraceGroup group, String what) {
        if (other != null) {
            throw new IllegalArgumentException(
                    "trace groups " + other.name() + " and " + group.name() + " both have " + what);
        }
    }

    /// In the order of their numbers.
    public List<TraceGroup> all() {
        return groups;
    }

    public Optional<TraceGroup> group(String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst();
    }

    public Optional<Tracepoint> tracepoint(String name) {
        return groups.stream().flatMap(group -> group.tracepoints().stream())
                .filter(tracepoint -> tracepoint.name().equals(name)).findFirst();
    }

    /// The names, for messages: `bdev, thread`.
    public String names() {
        return groups.stream().map(TraceGroup::name).collect(Collectors.joining(", "));
    }
}
