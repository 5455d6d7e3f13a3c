package io.spindrift.framework.trace;

import java.util.Objects;

/// One of the up to three values that a tracepoint records beside object and size.
public record TraceArgument(String name, Kind kind) {
    /// The longest name, in bytes of UTF-8, so that it fits the trace file's table.
    public static final int MAX_NAME_BYTES = 15;

    /// How a reader shows the value.
    public enum Kind {
        /// A signed decimal number.
        NUMBER,
        /// An identity or a bit mask, in hexadecimal.
        HEX,
        /// A time in ticks, shown in microseconds. What a histogram probe collects unless told otherwise.
        DURATION
    }

    public TraceArgument {
        TraceNames.check("argument", name, MAX_NAME_BYTES);
        Objects.requireNonNull(kind, "kind");
    }

    public static TraceArgument number(String name) {
        return new TraceArgument(name, Kind.NUMBER);
    }

    public static TraceArgument hex(String name) {
        return new TraceArgument(name, Kind.HEX);
    }

    public static TraceArgument duration(String name) {
        return new TraceArgument(name, Kind.DURATION);
    }
}
