package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceFileReader;
import io.spindrift.framework.trace.TraceRingSnapshot;
import java.util.List;

/// One way to print a trace.
sealed interface EventPrinter permits TextPrinter, JsonPrinter {
    /// Prints what precedes the events. `base` is the tick from which times are counted.
    void begin(TraceFileReader file, List<TraceRingSnapshot> rings, long base);

    void print(Event event);

    void end();
}
