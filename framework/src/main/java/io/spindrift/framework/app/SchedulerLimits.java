package io.spindrift.framework.app;

import io.spindrift.framework.Check;

/// When the dynamic scheduler moves threads; all in percent of a core.
///
/// @param load below it a thread is idle and is sent to the scheduling core
/// @param core above it a core is crowded: a busy thread looks for another
/// @param coreBusy up to it a core may be filled by threads that move to it
record SchedulerLimits(int load, int core, int coreBusy) {
    /// The peer's.
    static final SchedulerLimits DEFAULT = new SchedulerLimits(20, 80, 95);

    SchedulerLimits {
        Check.range("load_limit", load, 0, 100);
        Check.range("core_limit", core, 0, 100);
        Check.range("core_busy", coreBusy, 0, 100);
    }
}
