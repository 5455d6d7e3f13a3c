package io.spindrift.framework.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Which tracepoints to switch: a mask for each group, as `-e` says it.
///
/// ```text
/// selection  entry ("," entry)*
/// entry      groups [":" tracepoints]       without tracepoints: all of them
/// groups     "all" | NAME | HEX             HEX has a bit for each group; bits of unknown groups mean nothing
/// tracepoints  NAME ("+" NAME)* | HEX       HEX has a bit for each tracepoint of the group
/// ```
///
/// HEX may begin with `0x`. So `0xFFFF`, `bdev`, `thread,bdev:0x3`, `0x8:B` and `bdev:BDEV_IO_START+BDEV_IO_DONE`.
///
/// @param masks by group number
public record TraceSelection(SortedMap<Integer, Long> masks) {
    /// Every tracepoint of a group, those to come included.
    public static final long ALL_TRACEPOINTS = -1L;

    /// What selects every group, and names none.
    static final String ALL = "all";

    public TraceSelection {
        masks = Collections.unmodifiableSortedMap(new TreeMap<>(masks));
    }

    /// Selects nothing.
    public static TraceSelection none() {
        return new TraceSelection(new TreeMap<>());
    }

    /// Some tracepoints of one group.
    public static TraceSelection of(TraceGroup group, long mask) {
        TreeMap<Integer, Long> masks = new TreeMap<>();
        masks.put(group.number(), mask);
        return new TraceSelection(masks);
    }

    /// Every tracepoint of the group `name`, or of all groups if that is `all`.
    public static TraceSelection group(String name, TraceGroups known) {
        TreeMap<Integer, Long> masks = new TreeMap<>();
        for (TraceGroup group : groupsNamed(name, known)) {
            masks.put(group.number(), ALL_TRACEPOINTS);
        }
        return new TraceSelection(masks);
    }

    /// The same groups, with `mask` for each.
    public TraceSelection withMask(long mask) {
        TreeMap<Integer, Long> changed = new TreeMap<>(masks);
        changed.replaceAll((group, before) -> mask);
        return new TraceSelection(changed);
    }

    /// Reads what follows `-e`. `IllegalArgumentException` says what is wrong and what there is.
    public static TraceSelection parse(String text, TraceGroups known) {
        TreeMap<Integer, Long> masks = new TreeMap<>();
        for (String entry : text.split(",", -1)) {
            int colon = entry.indexOf(':');
            List<TraceGroup> groups = groups(colon < 0 ? entry : entry.substring(0, colon), known);
            if (colon < 0) {
                groups.forEach(group -> masks.put(group.number(), ALL_TRACEPOINTS));
            } else {
                select(groups, entry.substring(colon + 1), masks);
            }
        }
        return new TraceSelection(masks);
    }

    private static List<TraceGroup> groups(String text, TraceGroups known) {
        Optional<Long> mask = known.group(text).isPresent() ? Optional.empty() : hex(text);
        if (mask.isEmpty()) {
            return groupsNamed(text, known);
        }
        List<TraceGroup> groups = known.all().stream().filter(group -> (group.mask() & mask.get()) != 0).toList();
        if (groups.isEmpty()) {
            throw new IllegalArgumentException("tracepoint group mask " + text + " selects no group; there are "
                    + describe(known));
        }
        return groups;
    }

    private static List<TraceGroup> groupsNamed(String name, TraceGroups known) {
        if (name.equals(ALL)) {
            return known.all();
        }
        return List.of(known.group(name).orElseThrow(() -> new IllegalArgumentException(
                "there is no tracepoint group " + quote(name) + "; there are " + describe(known) + ", all")));
    }

    private static void select(List<TraceGroup> groups, String text, Map<Integer, Long> masks) {
        boolean named = groups.stream().flatMap(group -> group.tracepoints().stream())
                .anyMatch(tracepoint -> tracepoint.name().equals(text));
        Optional<Long> mask = named ? Optional.empty() : hex(text);
        if (mask.isPresent()) {
            if (mask.get() == 0) {
                throw new IllegalArgumentException("tracepoint mask " + text + " selects nothing");
            }
            groups.forEach(group -> masks.merge(group.number(), mask.get(), (a, b) -> a | b));
            return;
        }
        for (String name : text.split("\\+", -1)) {
            Tracepoint tracepoint = find(groups, name);
            masks.merge(tracepoint.group(), tracepoint.mask(), (a, b) -> a | b);
        }
    }

    private static Tracepoint find(List<TraceGroup> groups, String name) {
        List<String> names = new ArrayList<>();
        for (TraceGroup group : groups) {
            for (Tracepoint tracepoint : group.tracepoints()) {
                if (tracepoint.name().equals(name)) {
                    return tracepoint;
                }
                names.add(tracepoint.name());
            }
        }
        throw new IllegalArgumentException("group " + groups.stream().map(TraceGroup::name)
                .collect(Collectors.joining(", ")) + " has no tracepoint " + quote(name) + "; there are "
                + String.join(", ", names));
    }

    private static Optional<Long> hex(String text) {
        String digits = text.startsWith("0x") || text.startsWith("0X") ? text.substring(2) : text;
        if (!digits.matches("\\p{XDigit}{1,16}")) {
            return Optional.empty();
        }
        return Optional.of(Long.parseUnsignedLong(digits, 16));
    }

    private static String describe(TraceGroups known) {
        return known.all().stream().map(group -> group.name() + " (0x" + Long.toHexString(group.mask()) + ")")
                .collect(Collectors.joining(", "));
    }

    private static String quote(String text) {
        return text.isEmpty() ? "\"\"" : text;
    }
}
