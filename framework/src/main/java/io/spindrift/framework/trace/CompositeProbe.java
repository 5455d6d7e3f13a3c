package io.spindrift.framework.trace;

import java.util.List;

/// Several probes at one tracepoint.
final class CompositeProbe extends Probe {
    private final Probe[] probes;

    CompositeProbe(List<Probe> probes) {
        super(false);
        this.probes = probes.toArray(Probe[]::new);
    }

    /// The cheapest probe that fires all of `probes`; null for none.
    static Probe of(List<Probe> probes) {
        return switch (probes.size()) {
            case 0 -> null;
            case 1 -> probes.getFirst();
            default -> new CompositeProbe(probes);
        };
    }

    @Override
    void fire(long tick, long objectId, long size, long arg0, long arg1, long arg2) {
        for (Probe probe : probes) {
            probe.passes++;
            if (!probe.onlyCounts) {
                probe.fire(tick, objectId, size, arg0, arg1, arg2);
            }
        }
    }
}
