package io.spindrift.framework.trace;

import java.util.List;

/// The tracepoints of IoThreads.
public final class ThreadTracepoints implements TraceCatalog {
    private static final int GROUP = 10;

    /// A reference to an I/O channel was taken: references now held; the object is the channel.
    public static final int IOCH_GET = Tracepoint.index(GROUP, 0);

    /// A reference to an I/O channel was dropped: references still held; the object is the channel.
    public static final int IOCH_PUT = Tracepoint.index(GROUP, 1);

    private static final TraceObject CHANNEL = new TraceObject("io_channel", 't');

    /// For the service loader.
    public ThreadTracepoints() {
    }

    @Override
    public List<TraceGroup> groups() {
        TraceArgument references = TraceArgument.number("refcnt");
        return List.of(TraceGroup.of(GROUP, "thread",
                Tracepoint.starts(IOCH_GET, "THREAD_IOCH_GET", CHANNEL, references),
                Tracepoint.of(IOCH_PUT, "THREAD_IOCH_PUT", CHANNEL, references)));
    }
}
