package io.spindrift.framework.trace;

import java.util.List;

/// The tracepoints of IoThreads.
public final class ThreadTracepoints implements TraceCatalog {
    private static final int GROUP = 10;

    /// A reference to an I/O channel was taken: object the channel; references now held.
    public static final int IOCH_GET = Tracepoint.index(GROUP, 0);

    /// A reference to an I/O channel was dropped: object the channel; references still held.
    public static final int IOCH_PUT = Tracepoint.index(GROUP, 1);

    /// For the service loader.
    public ThreadTracepoints() {}

    @Override
    public List<TraceGroup> groups() {
        TraceArgument references = TraceArgument.number("refcnt");
        return List.of(TraceGroup.of(GROUP, "thread",
                Tracepoint.of(IOCH_GET, "THREAD_IOCH_GET", TraceObject.NONE, references),
                Tracepoint.of(IOCH_PUT, "THREAD_IOCH_PUT", TraceObject.NONE, references)));
    }
}
