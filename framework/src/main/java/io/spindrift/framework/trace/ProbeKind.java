package io.spindrift.framework.trace;

/// What a probe attached at run time does.
public enum ProbeKind {
    /// Counts passes.
    COUNT,
    /// Collects values: an argument, or a time.
    HISTOGRAM
}
