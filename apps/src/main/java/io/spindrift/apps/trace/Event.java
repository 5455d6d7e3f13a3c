package io.spindrift.apps.trace;

import io.spindrift.framework.trace.TraceRecord;
import io.spindrift.framework.trace.Tracepoint;
import java.util.Optional;

/// A record with what the records before it tell about its object.
///
/// @param tracepoint  empty if the file does not declare it
/// @param objectLabel the object's number with its prefix, `b12`; empty if its beginning was not recorded
/// @param objectStart the tick at which the object began; meaningful with a label only
record Event(TraceRecord record, Optional<Tracepoint> tracepoint, Optional<String> objectLabel, long objectStart) {}
