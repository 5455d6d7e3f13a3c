package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.load.JobStatistics;
import io.spindrift.apps.load.LatencyHistogram;
import java.util.Optional;

/// How a load ended.
///
/// @param name      of its namespace
/// @param histogram its latencies, if they were recorded
/// @param broken    whether something failed that should not
record LoadResult(String name, int core, JobStatistics statistics, Optional<LatencyHistogram> histogram,
        boolean broken) {}
