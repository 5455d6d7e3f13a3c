package io.spindrift.framework.trace;

import io.spindrift.framework.Check;

/// Collects one argument of a tracepoint.
final class HistogramProbe extends Probe {
    private final LogLinearHistogram histogram = new LogLinearHistogram();
    private final int argument;

    /// `argument` is its position.
    HistogramProbe(int argument) {
        super(false);
        this.argument = (int) Check.range("argument", argument, 0, Tracepoint.MAX_ARGUMENTS - 1);
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        histogram.record(argument == 0 ? arg0 : argument == 1 ? arg1 : arg2);
    }

    /// Owner only.
    LogLinearHistogram histogram() {
        return histogram;
    }
}
