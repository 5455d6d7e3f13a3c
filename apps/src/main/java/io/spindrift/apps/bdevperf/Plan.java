package io.spindrift.apps.bdevperf;

import io.spindrift.framework.thread.CpuMask;
import java.util.List;

/// The jobs of a run, by the threads that they are to run on.
///
/// @param notices what was left out or changed, one sentence each
record Plan(List<PlannedThread> threads, RunSettings settings, List<String> notices) {
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
