package io.spindrift.framework.app;

import io.spindrift.framework.thread.CpuMask;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Decides where threads should run, from what they did in the last period.
///
/// Threads with a load under the limit go to the scheduling core, where they let the others sleep. Busy ones stay
/// where they are unless that core would be filled above its limit; then each goes, heaviest first, to the core that
/// has the least to do, if it fits there.
final class LoadBalance {
    /// A thread's part in a period.
    ///
    /// @param core where it runs
    /// @param load percent of the period that it was busy
    record Load(long thread, int core, int load, CpuMask allowed) {}

    private final CpuMask cores;
    private final int schedulingCore;
    private final SchedulerLimits limits;

    /// Places on `cores`, all of which have a reactor; `schedulingCore` is one of them.
    LoadBalance(CpuMask cores, int schedulingCore, SchedulerLimits limits) {
        this.cores = cores;
        this.schedulingCore = schedulingCore;
        this.limits = limits;
    }

    /// The threads to move, by id, and the cores to move them to.
    Map<Long, Integer> moves(List<Load> threads) {
        Map<Long, Integer> moves = new LinkedHashMap<>();
        Map<Integer, Integer> filled = new TreeMap<>();
        for (int core : cores.cores()) {
            filled.put(core, 0);
        }
        for (Load thread : threads.stream().sorted(Comparator.comparingInt(Load::load).reversed()).toList()) {
            int core = place(thread, filled);
            filled.merge(core, thread.load(), Integer::sum);
            if (core != thread.core()) {
                moves.put(thread.thread(), core);
            }
        }
        return moves;
    }

    private int place(Load thread, Map<Integer, Integer> filled) {
        if (thread.load() < limits.load()) {
            return thread.allowed().contains(schedulingCore) ? schedulingCore : thread.core();
        }
        int here = filled.getOrDefault(thread.core(), 0);
        if (here == 0 || here + thread.load() <= limits.core()) {
            return thread.core();
        }
        int best = thread.core();
        for (Map.Entry<Integer, Integer> core : filled.entrySet()) {
            boolean fits = core.getValue() == 0 || core.getValue() + thread.load() <= limits.coreBusy();
            if (thread.allowed().contains(core.getKey()) && fits
                    && core.getValue() < filled.getOrDefault(best, Integer.MAX_VALUE)) {
                best = core.getKey();
            }
        }
        return best;
    }
}
