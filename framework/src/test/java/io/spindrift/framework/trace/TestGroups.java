package io.spindrift.framework.trace;

import java.util.List;

/// Two groups with the numbers and names of the peer's, and one of our own.
final class TestGroups {
    static final int IO_START = Tracepoint.index(3, 0);
    static final int IO_DONE = Tracepoint.index(3, 1);
    static final int CHANNEL_CREATE = Tracepoint.index(3, 2);
    static final int REFERENCE_GET = Tracepoint.index(10, 0);
    static final int LAST = Tracepoint.index(63, 63);
    static final TraceObject IO = new TraceObject("bdev_io", 'b');

    static final TraceGroups ALL = TraceGroups.of(List.of(
            TraceGroup.of(10, "thread",
                    Tracepoint.of(REFERENCE_GET, "THREAD_IOCH_GET", TraceObject.NONE, TraceArgument.number("refcnt"))),
            TraceGroup.of(3, "bdev",
                    Tracepoint.starts(IO_START, "BDEV_IO_START", IO, TraceArgument.number("type"),
                            TraceArgument.number("offset"), TraceArgument.number("qd")),
                    Tracepoint.of(IO_DONE, "BDEV_IO_DONE", IO, TraceArgument.duration("latency"),
                            TraceArgument.hex("status"), TraceArgument.number("qd")),
                    Tracepoint.of(CHANNEL_CREATE, "BDEV_IOCH_CREATE", new TraceObject("channel", 'c'))),
            TraceGroup.of(63, "last", Tracepoint.of(LAST, "LAST_OF_ALL", TraceObject.NONE))));

    private TestGroups() {}
}
