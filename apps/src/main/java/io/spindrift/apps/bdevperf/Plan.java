package io.spindrift.apps.bdevperf;

import io.spindrift.framework.thread.CpuMask;
import java.util.List;

/// The jobs of a run, by the threads that they are to run on.
///
/// @param notices what was left out or changed, one sentence each
/// @param named   whether the user named the bdevs; else they are all that there are, and one that goes is left out
record Plan(List<PlannedThread> threads, RunSettings settings, List<String> notices, boolean named) {
    /// One thread to be made.
    record PlannedThread(String name, CpuMask cores, List<JobSpec> jobs) {
        PlannedThread {
            jobs = List.copyOf(jobs);
        }
    }

    Plan {
        threads = List.copyOf(threads);
        notices = List.copyOf(notices);
    }
}
