package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;

import io.spindrift.framework.Check;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads the groups and tracepoints that a trace file declares.
///
/// What cannot be is an `IllegalArgumentException` or `IndexOutOfBoundsException`: names and numbers go through the
/// same checks as declarations in code.
final class TraceTablesReader {
    private final MemorySegment file;

    TraceTablesReader(MemorySegment file) {
        this.file = file;
    }

    TraceGroups groups() {
        Map<Integer, List<Tracepoint>> byGroup = new TreeMap<>();
        int tracepoints = file.get(INT, HEADER_TRACEPOINTS);
        Check.range("tracepoints", tracepoints, 0, Tracepoint.LIMIT);
        MemorySegment table = file.asSlice(file.get(LONG, HEADER_TRACEPOINT_TABLE),
                (long) TRACEPOINT_BYTES * tracepoints, Long.BYTES);
        for (int i = 0; i < tracepoints; i++) {
            Tracepoint tracepoint = tracepoint(table.asSlice((long) TRACEPOINT_BYTES * i, TRACEPOINT_BYTES));
            byGroup.computeIfAbsent(tracepoint.group(), group -> new ArrayList<>()).add(tracepoint);
        }
        return TraceGroups.of(groupsOf(byGroup));
    }

    private List<TraceGroup> groupsOf(Map<Integer, List<Tracepoint>> byGroup) {
        int count = file.get(INT, HEADER_GROUPS);
        Check.range("groups", count, 0, Tracepoint.GROUPS);
        MemorySegment table = file.asSlice(file.get(LONG, HEADER_GROUP_TABLE), (long) GROUP_BYTES * count, Long.BYTES);
        List<TraceGroup> groups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = (long) GROUP_BYTES * i;
            int number = table.get(INT, at + GROUP_NUMBER);
            groups.add(new TraceGroup(number, text(table, at + GROUP_NAME, GROUP_NAME_BYTES),
                    byGroup.getOrDefault(number, List.of())));
        }
        return groups;
    }

    private static Tracepoint tracepoint(MemorySegment entry) {
        int arguments = entry.get(INT, TRACEPOINT_ARGUMENTS);
        Check.range("arguments", arguments, 0, Tracepoint.MAX_ARGUMENTS);
        List<TraceArgument> list = new ArrayList<>();
        for (int i = 0; i < arguments; i++) {
            long at = ARGUMENT_TABLE + (long) ARGUMENT_BYTES * i;
            int kind = entry.get(INT, at + ARGUMENT_KIND);
            Check.range("argument kind", kind, 0, TraceArgument.Kind.values().length - 1);
            list.add(new TraceArgument(text(entry, at + ARGUMENT_NAME, ARGUMENT_NAME_BYTES),
                    TraceArgument.Kind.values()[kind]));
        }
        int prefix = entry.get(INT, TRACEPOINT_PREFIX);
        Check.range("object prefix", prefix, 0, Character.MAX_VALUE);
        TraceObject object = new TraceObject(text(entry, TRACEPOINT_OBJECT, TRACEPOINT_OBJECT_BYTES), (char) prefix);
        return new Tracepoint(entry.get(INT, TRACEPOINT_INDEX),
                text(entry, TRACEPOINT_NAME, TRACEPOINT_NAME_BYTES), object,
                (entry.get(INT, TRACEPOINT_FLAGS) & FLAG_STARTS_OBJECT) != 0, list);
    }
}
