package io.spindrift.framework.trace;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Exercises every kind of probe; see [Trace#warmUp()].
final class WarmUp {
    /// Enough that the JVM compiles every kind with a profile (tier 3: 200 calls) and sees some calls there; not so many
    /// that it takes probes to be usual.
    private static final int ROUNDS = 300;
    private static final int CAPACITY = 16;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private WarmUp() {}

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
                long value = round * SCATTER >>> 40; // neither growing nor falling: every branch is taken
                for (int slot = 0; slot < slots; slot++) {
                    probes.fire(slot, round, round, 1, value, value, value);
                }
            }
        }
    }

    private static List<Probe> kinds(ReactorProbes probes, TraceRing ring) {
        PairTable pairs = new PairTable();
        List<Probe> kinds = new ArrayList<>(
                List.of(new CountingProbe(), new HistogramProbe(0), new PairStartProbe(pairs),
                        new PairEndProbe(pairs), new IntervalProbe(), new RingProbe(0, ring, probes)));
        kinds.add(new CompositeProbe(List.of(new CountingProbe(), new HistogramProbe(1))));
        return kinds;
    }
}
