package io.spindrift.framework.trace;

/// What happens when a reactor passes a tracepoint: a record, a count, a measurement, or several of them.
///
/// An instance belongs to one tracepoint on one reactor, whose thread alone fires it: no atomics. It allocates nothing,
/// never blocks and never throws.
public abstract sealed class Probe permits CountingProbe, HistogramProbe, IntervalProbe,
        PairStartProbe, PairEndProbe, RingProbe, CompositeProbe {
    /// How often the tracepoint was passed: counted for every kind, by whoever fires. Owner only.
    long passes;
    /// Counting is all: there is no need to call [#fire].
    final boolean onlyCounts;

    Probe(boolean onlyCounts) {
        this.onlyCounts = onlyCounts;
    }

    /// What this kind does with a pass, beside counting it.
    ///
    /// @param tick     the reactor's cached tick, nanoseconds
    /// @param objectId the object this is about, unique among the living objects of its kind in this application; or 0
    /// @param size     bytes, blocks or what the tracepoint says; or 0
    abstract void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2);
}
