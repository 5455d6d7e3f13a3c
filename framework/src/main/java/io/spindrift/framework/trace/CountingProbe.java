package io.spindrift.framework.trace;

/// Counts passes.
final class CountingProbe extends Probe {
    private long count;

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        count++;
    }

    /// Owner only.
    long count() {
        return count;
    }
}
