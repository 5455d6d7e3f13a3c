package io.spindrift.framework.trace;

/// A kind of object that tracepoints follow from its first event to its last: a block-device I/O, a request.
///
/// `prefix` is the letter with which readers number such objects: `b12` is the 13th block-device I/O seen.
public record TraceObject(String name, char prefix) {
    /// The object of tracepoints that follow nothing.
    public static final TraceObject NONE = new TraceObject("none", '-');

    /// The longest name, in bytes, so that it fits the trace file's table.
    public static final int MAX_NAME_BYTES = 15;

    public TraceObject {
        TraceNames.check("object", name, MAX_NAME_BYTES);
        if (prefix <= ' ' || prefix > '~') {
            throw new IllegalArgumentException("prefix=" + (int) prefix + " must be a printable ASCII character");
        }
    }
}
