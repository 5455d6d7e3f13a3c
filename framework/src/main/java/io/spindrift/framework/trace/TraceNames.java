package io.spindrift.framework.trace;

import java.nio.charset.StandardCharsets;

/// What a group, a tracepoint, an object type or an argument may be called.
final class TraceNames {
    private TraceNames() {}

    /// Returns `name` if it is made of letters, digits and `_`, and fits `maxBytes`.
    static String check(String what, String name, int maxBytes) {
        if (name.isEmpty() || !name.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '_'))) {
            throw new IllegalArgumentException(what + "=" + printable(name) + " must be made of letters, digits and _");
        }
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length > maxBytes) {
            throw new IllegalArgumentException(what + "=" + name + " is longer than " + maxBytes + " bytes");
        }
        return name;
    }

    /// `text` without what a terminal would obey.
    static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
