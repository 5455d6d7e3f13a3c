package io.spindrift.framework.trace;

/// Collects the time since the same object passed another tracepoint on this reactor.
final class PairEndProbe extends Probe {
    private final PairTable table;
    private final LogLinearHistogram histogram = new LogLinearHistogram();
    private long unmatched;

    PairEndProbe(PairTable table) {
        super(false);
        this.table = table;
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        long start = table.remove(objectId);
        if (start == PairTable.ABSENT) {
            unmatched++;
        } else {
            histogram.record(tick - start);
        }
    }

    /// Owner only.
    LogLinearHistogram histogram() {
        return histogram;
    }

    /// Objects whose start was not seen: begun before the probe was attached, on another reactor, or dropped. Owner only.
    long unmatched() {
        return unmatched;
    }
}
