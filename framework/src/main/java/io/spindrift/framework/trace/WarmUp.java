package io.spindrift.framework.trace;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Exercises every kind of probe; see [Trace#warmUp()].
final class WarmUp {
    /// Well over what the JVM wants to see before it compiles with a profile (tier 3: 200) and then without (tier 4: 5000).
    private static final int ROUNDS = 6_000;
    private static final int CAPACITY = 16;

    private WarmUp() {
    }

    static void run() {
        try (Arena arena = Arena.ofConfined()) {
            ReactorProbes probes = new ReactorProbes();
            TraceRing ring = new TraceRing(arena.allocate(TraceFileLayout.RING_BYTES, Long.BYTES),
                    arena.allocate((long) TraceFileLayout.RECORD_BYTES * CAPACITY, Long.BYTES), CAPACITY);
            List<Probe> kinds = kinds(probes, ring);
            for (int i = 0; i < kinds.size(); i++) {
                probes.set(i, kinds.get(i));
            }
            int slots = kinds.size() + 1; // one is off
            for (int round = 0; round < ROUNDS; round++) {
                for (int slot = 0; slot < slots; slot++) {
                    probes.fire(slot, round, round, 1, round, 1, 2);
                }
            }
        }
    }

    private static List<Probe> kinds(ReactorProbes probes, TraceRing ring) {
        PairTable pairs = new PairTable();
        List<Probe> kinds = new ArrayList<>(List.of(new CountingProbe(), new HistogramProbe(0), new PairStartProbe(pairs),
                new PairEndProbe(pairs), new IntervalProbe(), new RingProbe(0, ring, probes)));
        kinds.add(new CompositeProbe(List.of(new CountingProbe(), new HistogramProbe(1))));
        return kinds;
    }
}
