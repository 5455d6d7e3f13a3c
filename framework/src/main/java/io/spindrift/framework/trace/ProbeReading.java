package io.spindrift.framework.trace;

import java.util.List;
import java.util.Optional;

/// What a probe has seen so far, each core read on its reactor at slightly different times.
///
/// @param histogram of all cores together; empty for a count
/// @param unmatched objects whose start was not seen, for a time between two tracepoints; else 0
public record ProbeReading(AttachedProbe probe, List<CoreCount> cores, Optional<LogLinearHistogram> histogram,
        long unmatched) {

    /// How often one core passed the tracepoint (a histogram: how many values it collected).
    public record CoreCount(int core, long count) {}

    public ProbeReading {
        cores = List.copyOf(cores);
    }

    /// Of all cores.
    public long count() {
        return cores.stream().mapToLong(CoreCount::count).sum();
    }
}
