package io.spindrift.apps.bdevperf;

import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import java.util.Optional;
import java.util.OptionalInt;

/// Parameters of `perform_tests`: what is not given is as the flags say.
record PerformTestsParams(
        @Option({
                "-q", "--queue-depth"})
        @Description("I/Os each job keeps on their way") OptionalInt queueDepth,
        @Option({"-o", "--io-size"}) @Description("bytes of an I/O, also 4k") Optional<String> ioSize,
        @Option({"-t", "--time-in-sec"}) @Description("seconds to run") OptionalInt timeInSec,
        @Option({"-w", "--workload-type"}) @Description("read, write, randread, randwrite, rw, randrw, verify, reset,"
                + " unmap, flush or write_zeroes") Optional<String> workloadType,
        @Option({"-M", "--rw-percentage"}) @Description("share of reads of rw and randrw") OptionalInt rwPercentage) {
    PerformTestsParams {
        queueDepth.ifPresent(value -> Check.range("queue_depth", value, 1, Load.MAX_DEPTH));
        timeInSec.ifPresent(value -> Check.range("time_in_sec", value, 1, Load.MAX_SECONDS));
        rwPercentage.ifPresent(value -> Check.range("rw_percentage", value, 0, 100));
        ioSize.ifPresent(value -> named("io_size", value, BdevperfFlags::ioSize));
        workloadType.ifPresent(value -> named("workload_type", value, Workload::parse));
    }

    private interface Reader {
        Object read(String text);
    }

    private static void named(String name, String value, Reader reader) {
        try {
            reader.read(value);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(name + "=" + value + ": " + refused.getMessage(), refused);
        }
    }

    /// These, and `flags` where they say nothing.
    Load over(Load flags) {
        return flags.overriddenBy(new Load(queueDepth,
                ioSize.isPresent() ? OptionalInt.of(BdevperfFlags.ioSize(ioSize.get())) : OptionalInt.empty(),
                workloadType.map(Workload::parse), timeInSec, rwPercentage));
    }
}
