package io.spindrift.framework.trace;

import java.util.Optional;

/// A probe that was attached at run time.
///
/// @param measure what it collects; empty for a count
public record AttachedProbe(String name, Tracepoint tracepoint, ProbeKind kind, Optional<ProbeMeasure> measure) {}
