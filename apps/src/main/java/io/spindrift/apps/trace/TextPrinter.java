package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceArgument;
import io.spindrift.framework.trace.TraceFileReader;
import io.spindrift.framework.trace.TraceObject;
import io.spindrift.framework.trace.TraceRecord;
import io.spindrift.framework.trace.TraceRingSnapshot;
import io.spindrift.framework.trace.Tracepoint;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/// A line for each event, in columns: core, microseconds, IoThread, tracepoint, size, object, arguments.
///
/// ```text
///  0:     12.345 t01 BDEV_IO_DONE             size:      8 id:    b3               time:  1.250            latency: 1.250
/// ```
final class TextPrinter implements EventPrinter {
    private static final double MICROS_PER_SECOND = 1e6;

    private final PrintStream out;
    private final boolean withTicks;
    private final boolean deltas;
    private long base;
    private double ticksPerMicro;

    TextPrinter(PrintStream out, boolean withTicks, boolean deltas) {
        this.out = out;
        this.withTicks = withTicks;
        this.deltas = deltas;
    }

    @Override
    public void begin(TraceFileReader file, List<TraceRingSnapshot> rings, long baseTick) {
        base = baseTick;
        ticksPerMicro = file.ticksPerSecond() / MICROS_PER_SECOND;
        out.println("TSC Rate: " + file.ticksPerSecond());
        for (TraceRingSnapshot ring : rings) {
            if (ring.size() > 0) {
                out.println("Trace Size of lcore (" + ring.core() + "): " + ring.size());
            }
        }
    }

    @Override
    public void print(Event event) {
        TraceRecord record = event.record();
        StringBuilder line = new StringBuilder(160);
        line.append(format("%2d: %10.3f ", record.core(), micros(record.tick() - base)));
        if (withTicks) {
            line.append(format("(%9d) ", record.tick() - base));
        }
        line.append(record.threadId() == 0 ? "    " : format("t%02d ", Integer.toUnsignedLong(record.threadId())));
        line.append(format("%-24s ", event.tracepoint().map(Tracepoint::name).orElse("TRACEPOINT_"
                + Integer.toUnsignedString(record.tracepoint()))));
        line.append(record.size() == 0 ? " ".repeat(13) : format("size: %6s ", Long.toUnsignedString(record.size())));
        event.tracepoint().ifPresent(tracepoint -> {
            object(line, event, tracepoint);
            arguments(line, record, tracepoint);
        });
        out.println(line.toString().stripTrailing());
        if (deltas) {
            base = record.tick();
        }
    }

    private void object(StringBuilder line, Event event, Tracepoint tracepoint) {
        TraceRecord record = event.record();
        if (tracepoint.object().equals(TraceObject.NONE)) {
            if (record.objectId() != 0) {
                line.append(hex("object", record.objectId()));
            }
        } else if (event.objectLabel().isEmpty()) {
            line.append(format("id:    %-17s", "N/A"));
        } else {
            line.append(format("id:    %-17s", event.objectLabel().get()));
            if (!tracepoint.startsObject()) {
                line.append(time("time", record.tick() - event.objectStart()));
            }
        }
    }

    private void arguments(StringBuilder line, TraceRecord record, Tracepoint tracepoint) {
        for (int i = 0; i < tracepoint.arguments().size(); i++) {
            TraceArgument argument = tracepoint.arguments().get(i);
            long value = record.argument(i);
            line.append(switch (argument.kind()) {
                case NUMBER -> format("%-7s%-16d ", argument.name() + ": ", value);
                case HEX -> hex(argument.name(), value);
                case DURATION -> time(argument.name(), value);
            });
        }
    }

    private String hex(String name, long value) {
        return format("%-7s0x%-14x ", name + ": ", value);
    }

    private String time(String name, long ticks) {
        return format("%-7s%-16.3f ", name + ": ", micros(ticks));
    }

    private double micros(long ticks) {
        return ticks / ticksPerMicro;
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    @Override
    public void end() {
        out.flush();
    }
}
