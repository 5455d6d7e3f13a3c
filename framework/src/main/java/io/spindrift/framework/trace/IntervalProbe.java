package io.spindrift.framework.trace;

/// Collects the time between one pass and the next on this reactor.
final class IntervalProbe extends Probe {
    private static final long NONE = Long.MIN_VALUE;

    private final LogLinearHistogram histogram = new LogLinearHistogram();
    private long previous = NONE;

    IntervalProbe() {
        super(false);
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        if (previous != NONE) {
            histogram.record(tick - previous);
        }
        previous = tick;
    }

    /// Owner only.
    LogLinearHistogram histogram() {
        return histogram;
    }
}
