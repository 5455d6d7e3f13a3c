package io.spindrift.nvme.pcie;

import io.spindrift.framework.thread.OwnerCounter;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a queue pair has counted since it was made. Counted on its thread, read by any.
final class PcieCounters {
    final OwnerCounter polls = new OwnerCounter();
    final OwnerCounter idlePolls = new OwnerCounter();
    final OwnerCounter completions = new OwnerCounter();
    final OwnerCounter submitted = new OwnerCounter();
    /// Commands that had to wait for memory for a copy.
    final OwnerCounter queued = new OwnerCounter();
    final Doorbells submissionDoorbells = new Doorbells();
    final Doorbells completionDoorbells = new Doorbells();

    /// What one ring's doorbell was told.
    static final class Doorbells {
        final OwnerCounter registerWrites = new OwnerCounter();
        final OwnerCounter shadowWrites = new OwnerCounter();
    }

    /// Adds these to `sums`, by the names that SPDK has for them.
    void addTo(Map<String, Object> sums) {
        add(sums, "polls", polls);
        add(sums, "idle_polls", idlePolls);
        add(sums, "completions", completions);
        add(sums, "cq_mmio_doorbell_updates", completionDoorbells.registerWrites);
        add(sums, "cq_shadow_doorbell_updates", completionDoorbells.shadowWrites);
        add(sums, "submitted_requests", submitted);
        add(sums, "queued_requests", queued);
        add(sums, "sq_mmio_doorbell_updates", submissionDoorbells.registerWrites);
        add(sums, "sq_shadow_doorbell_updates", submissionDoorbells.shadowWrites);
    }

    private static void add(Map<String, Object> sums, String name, OwnerCounter counter) {
        sums.merge(name, counter.get(), (one, other) -> (Long) one + (Long) other);
    }

    /// The sums of one thread, by its name in `byThread`, which is made if there is none.
    static Map<String, Object> sumsOf(Map<String, Map<String, Object>> byThread, String thread) {
        return byThread.computeIfAbsent(thread, name -> {
            Map<String, Object> sums = new LinkedHashMap<>();
            sums.put("thread", name);
            return sums;
        });
    }
}
