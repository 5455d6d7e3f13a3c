package io.spindrift.bdev;

import io.spindrift.framework.trace.TraceArgument;
import io.spindrift.framework.trace.TraceCatalog;
import io.spindrift.framework.trace.TraceGroup;
import io.spindrift.framework.trace.TraceObject;
import io.spindrift.framework.trace.Tracepoint;
import java.util.List;

/// The tracepoints of the block layer, group `bdev`.
public final class BdevTracepoints implements TraceCatalog {
    private static final int GROUP = 3;

    /// An I/O is submitted: object the I/O, size in blocks; its type, first block, the channel's I/O outstanding.
    public static final int IO_START = Tracepoint.index(GROUP, 0);

    /// An I/O is complete: object the I/O, size in blocks; ticks since its submission, status, the channel's I/O
    /// outstanding. What a latency histogram is attached to.
    public static final int IO_DONE = Tracepoint.index(GROUP, 1);

    /// A channel is created: object the channel.
    public static final int IOCH_CREATE = Tracepoint.index(GROUP, 2);

    /// A channel is destroyed: object the channel.
    public static final int IOCH_DESTROY = Tracepoint.index(GROUP, 3);

    private static final TraceObject IO = new TraceObject("bdev_io", 'b');
    private static final TraceObject CHANNEL = new TraceObject("bdev_channel", 'c');

    /// For the service loader.
    public BdevTracepoints() {}

    @Override
    public List<TraceGroup> groups() {
        return List.of(TraceGroup.of(GROUP, "bdev",
                Tracepoint.starts(IO_START, "BDEV_IO_START", IO, TraceArgument.number("type"),
                        TraceArgument.number("offset"), TraceArgument.number("qd")),
                Tracepoint.of(IO_DONE, "BDEV_IO_DONE", IO, TraceArgument.duration("latency"),
                        TraceArgument.hex("status"), TraceArgument.number("qd")),
                Tracepoint.starts(IOCH_CREATE, "BDEV_IOCH_CREATE", CHANNEL),
                Tracepoint.of(IOCH_DESTROY, "BDEV_IOCH_DESTROY", CHANNEL)));
    }
}
