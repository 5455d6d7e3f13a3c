package io.spindrift.framework.trace;

import io.spindrift.framework.Check;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Tracepoints that are switched together: `bdev`, `thread`.
///
/// @param number      0..63, the group's bit in group masks. The numbers of SPDK's groups are kept (bdev 3, thread 10);
///                    other groups take theirs from 32 up
/// @param name        as users type it
/// @param tracepoints in the order of their numbers, each with an index in this group
public record TraceGroup(int number, String name, List<Tracepoint> tracepoints) {
    /// The longest name, in bytes, so that it fits the trace file's table.
    public static final int MAX_NAME_BYTES = 31;

    public TraceGroup {
        Check.range("number", number, 0, Tracepoint.GROUPS - 1);
        TraceNames.check("group", name, MAX_NAME_BYTES);
        if (name.equals(TraceSelection.ALL)) {
            throw new IllegalArgumentException("group=" + name + " means all groups");
        }
        tracepoints = tracepoints.stream().sorted(Comparator.comparingInt(Tracepoint::index)).toList();
        Set<Integer> indices = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (Tracepoint tracepoint : tracepoints) {
            if (tracepoint.group() != number) {
                throw new IllegalArgumentException("tracepoint " + tracepoint.name() + " has an index of group "
                        + tracepoint.group() + ", not of " + name + " (" + number + ")");
            }
            if (!indices.add(tracepoint.index()) || !names.add(tracepoint.name())) {
                throw new IllegalArgumentException("group " + name + " has two tracepoints " + tracepoint.name()
                        + " or two of number " + tracepoint.id());
            }
        }
    }

    public static TraceGroup of(int number, String name, Tracepoint... tracepoints) {
        return new TraceGroup(number, name, List.of(tracepoints));
    }

    /// This group's bit in a group mask.
    public long mask() {
        return 1L << number;
    }
}
