package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceArgument;
import io.spindrift.framework.trace.TraceFileReader;
import io.spindrift.framework.trace.TraceGroup;
import io.spindrift.framework.trace.TraceObject;
import io.spindrift.framework.trace.TraceRecord;
import io.spindrift.framework.trace.TraceRingSnapshot;
import io.spindrift.framework.trace.Tracepoint;
import java.io.PrintStream;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/// One object with the properties of the peer's: `tsc_rate`, `tpoints`, `entries`. Ticks are absolute.
final class JsonPrinter implements EventPrinter {
    private static final int TYPE_INTEGER = 0;
    private static final int TYPE_POINTER = 1;
    private static final int ARGUMENT_BYTES = 8;

    private final PrintStream out;
    private final JsonGenerator json;

    JsonPrinter(PrintStream out) {
        this.out = out;
        this.json = JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build()
                .createGenerator(ObjectWriteContext.empty(), out);
    }

    @Override
    public void begin(TraceFileReader file, List<TraceRingSnapshot> rings, long base) {
        json.writeStartObject();
        json.writeNumberProperty("tsc_rate", file.ticksPerSecond());
        json.writeArrayPropertyStart("tpoints");
        for (TraceGroup group : file.groups().all()) {
            group.tracepoints().forEach(this::declare);
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("entries");
    }

    private void declare(Tracepoint tracepoint) {
        json.writeStartObject();
        json.writeStringProperty("name", tracepoint.name());
        json.writeNumberProperty("id", tracepoint.index());
        json.writeBooleanProperty("new_object", tracepoint.startsObject());
        json.writeArrayPropertyStart("args");
        for (TraceArgument argument : tracepoint.arguments()) {
            json.writeStartObject();
            json.writeStringProperty("name", argument.name());
            json.writeNumberProperty("type",
                    argument.kind() == TraceArgument.Kind.HEX ? TYPE_POINTER : TYPE_INTEGER);
            json.writeNumberProperty("size", ARGUMENT_BYTES);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    @Override
    public void print(Event event) {
        TraceRecord record = event.record();
        json.writeStartObject();
        json.writeNumberProperty("lcore", record.core());
        json.writeNumberProperty("tpoint", Integer.toUnsignedLong(record.tracepoint()));
        unsigned("tsc", record.tick());
        if (record.threadId() != 0) {
            json.writeStringProperty("poller",
                    String.format(Locale.ROOT, "t%02d", Integer.toUnsignedLong(record.threadId())));
        }
        if (record.size() != 0) {
            unsigned("size", record.size());
        }
        event.tracepoint().ifPresent(tracepoint -> describe(event, tracepoint));
        json.writeEndObject();
    }

    private void describe(Event event, Tracepoint tracepoint) {
        TraceRecord record = event.record();
        if (!tracepoint.object().equals(TraceObject.NONE) || record.objectId() != 0) {
            json.writeObjectPropertyStart("object");
            if (event.objectLabel().isPresent()) {
                json.writeStringProperty("id", event.objectLabel().get());
                if (!tracepoint.startsObject()) {
                    json.writeNumberProperty("time", record.tick() - event.objectStart());
                }
            }
            unsigned("value", record.objectId());
            json.writeEndObject();
        }
        if (!tracepoint.arguments().isEmpty()) {
            json.writeArrayPropertyStart("args");
            for (int i = 0; i < tracepoint.arguments().size(); i++) {
                if (tracepoint.arguments().get(i).kind() == TraceArgument.Kind.HEX) {
                    json.writeNumber(toUnsigned(record.argument(i)));
                } else {
                    json.writeNumber(record.argument(i));
                }
            }
            json.writeEndArray();
        }
    }

    private void unsigned(String name, long value) {
        json.writeName(name);
        json.writeNumber(toUnsigned(value));
    }

    private static BigInteger toUnsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Override
    public void end() {
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        out.println();
        out.flush();
    }
}
