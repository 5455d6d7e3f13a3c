package io.spindrift.framework.trace;

/// Notes when an object passed the first tracepoint of a pair; [PairEndProbe] measures.
final class PairStartProbe extends Probe {
    private final PairTable table;

    PairStartProbe(PairTable table) {
        super(false);
        this.table = table;
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        table.put(objectId, tick); // an object that finds no room counts as unmatched at its end
    }
}
