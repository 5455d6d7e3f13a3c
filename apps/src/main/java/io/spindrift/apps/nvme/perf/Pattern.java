package io.spindrift.apps.nvme.perf;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// What `-w` names.
enum Pattern {
    READ, WRITE, RANDREAD, RANDWRITE, RW, RANDRW;

    /// The pattern of a name; [IllegalArgumentException] lists the names.
    static Pattern parse(String name) {
        return Arrays.stream(values()).filter(pattern -> pattern.text().equals(name)).findFirst().orElseThrow(
                () -> new IllegalArgumentException("one of " + names() + " is needed"));
    }

    static String names() {
        return Arrays.stream(values()).map(Pattern::text).collect(Collectors.joining(", "));
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean random() {
        return text().startsWith("rand");
    }

    boolean mixed() {
        return this == RW || this == RANDRW;
    }

    /// Reads in a hundred I/Os, where `mix` is that of the mixed ones.
    int readPercent(int mix) {
        return mixed() ? mix : this == READ || this == RANDREAD ? 100 : 0;
    }
}
