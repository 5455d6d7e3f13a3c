package io.spindrift.apps.bdevperf;

import io.spindrift.apps.load.JobStatistics;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What `perform_tests` answers.
///
/// @param results   one object for each job
/// @param coreCount how many cores the jobs' threads could run on
record PerformTestsResult(List<Map<String, Object>> results, int coreCount) {
    static PerformTestsResult of(List<JobResult> jobs) {
        BitSet cores = new BitSet();
        jobs.forEach(job -> cores.or(job.spec().cores().bits()));
        return new PerformTestsResult(jobs.stream().map(PerformTestsResult::job).toList(), cores.cardinality());
    }

    private static Map<String, Object> job(JobResult result) {
        JobSpec spec = result.spec();
        JobStatistics done = result.statistics();
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("job", spec.name());
        job.put("core_mask", spec.cores().toString());
        job.put("workload", spec.workload().text());
        if (spec.workload().mixed()) {
            job.put("percentage", spec.readPercent());
        }
        job.put("status", result.status().text());
        if (spec.workload().verifies()) {
            job.put("verify_range", Map.of("start", spec.firstBlock(), "length", spec.units() * spec.blocksPerIo()));
        }
        job.put("queue_depth", spec.depth());
        job.put("io_size", spec.ioSize());
        job.put("runtime", done.runtimeSeconds());
        job.put("iops", done.iops());
        job.put("mibps", result.mebibytesPerSecond(done.iops()));
        job.put("io_failed", done.failed());
        job.put("io_timeout", done.timedOut());
        job.put("avg_latency_us", done.averageLatencyMicros());
        job.put("min_latency_us", done.minLatencyMicros());
        job.put("max_latency_us", done.maxLatencyMicros());
        return job;
    }
}
