package io.spindrift.apps.bdevperf;

import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.FlagValues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// bdevperf's own flags, beside those that every application has.
final class BdevperfFlags {
    private static final int MAX_PERIODS = 1_000_000;
    private static final double MAX_THETA = 100;

    private final ApplicationOptions.Builder common;
    private final BdevperfOptions options;

    private BdevperfFlags(ApplicationOptions.Builder common, BdevperfOptions options) {
        this.common = common;
        this.options = options;
    }

    /// The flags, which write to `options`, and `-H` to `common`.
    static List<Flag> of(ApplicationOptions.Builder common, BdevperfOptions options) {
        BdevperfFlags flags = new BdevperfFlags(common, options);
        List<Flag> all = new ArrayList<>(flags.load());
        all.addAll(flags.selection());
        all.addAll(flags.io());
        all.addAll(flags.reports());
        return all;
    }

    private List<Flag> load() {
        return List.of(
                Flag.value("-q", "DEPTH", "I/Os each job keeps on their way",
                        text -> options.load(options.load().withDepth(FlagValues.number(text, 1, Load.MAX_DEPTH)))),
                Flag.value("-o", "SIZE", "bytes of an I/O (also 4k)",
                        text -> options.load(options.load().withIoSize(ioSize(text)))),
                Flag.value("-w", "WORKLOAD", Workload.names(),
                        text -> options.load(options.load().withWorkload(Workload.parse(text)))),
                Flag.value("-t", "SECONDS", "how long to run",
                        text -> options.load(options.load().withSeconds(FlagValues.number(text, 1,
                                Load.MAX_SECONDS)))),
                Flag.value("-M", "PERCENT", "share of reads of rw and randrw",
                        text -> options.load(options.load().withReadPercent(FlagValues.number(text, 0, 100)))));
    }

    /// Bytes of an I/O, as `-o` takes them.
    static int ioSize(String text) {
        return (int) FlagValues.bytes(text, 1, Load.MAX_IO_SIZE);
    }

    private List<Flag> selection() {
        return List.of(
                Flag.value("-T", "BDEV", "run on this bdev only (default: each that nobody has claimed)",
                        options::bdev),
                Flag.value("-j", "FILE", "jobs in fio's form: [global] and named sections, with filename, cpumask, bs,"
                        + " iodepth, rwmixread, offset, length, rw", text -> options.jobFile(Path.of(text))),
                Flag.toggle("-C", "every core uses every bdev, each a part of it", () -> options.everyCore(true)),
                Flag.toggle("-E", "all jobs of a core share one thread (not with -j)",
                        () -> options.threadPerCore(true)),
                Flag.toggle("-z", "run nothing before the RPC perform_tests", () -> options.waitForTests(true)));
    }

    private List<Flag> io() {
        return List.of(
                Flag.toggle("-f", "go on after failed I/O", () -> set(RunSettings::continuingOnFailure)),
                Flag.value("-k", "SECONDS", "count I/O that takes longer as starved (default 0: never)",
                        text -> set(settings -> settings.withTimeout(FlagValues.number(text, 0, Load.MAX_SECONDS)))),
                Flag.toggle("-X", "abort starved I/O (with -k)", () -> set(RunSettings::abortingStarved)),
                Flag.value("-F", "THETA", "skew random offsets: Zipf's law with this exponent (default 0: uniform)",
                        text -> set(settings -> settings.withZipf(FlagValues.real(text, 0, MAX_THETA)))),
                Flag.toggle("-D", "random jobs visit each place once before any a second time",
                        () -> set(RunSettings::withRandomMap)),
                Flag.toggle("-U", "write data that is different each time", () -> set(RunSettings::withUniqueData)),
                Flag.toggle("-Z", "borrow the device's memory instead of copying (zcopy)",
                        () -> set(RunSettings::withZeroCopy)),
                Flag.toggle("-N", "leave the bdevs' separate metadata alone",
                        () -> set(RunSettings::withHiddenMetadata)),
                Flag.toggle("-H", "use no hugepages for data buffers", this::noHugePages));
    }

    private void noHugePages() {
        common.memory(common.memory().withoutHugePages());
        common.notice("-H: the whole program uses no hugepages, since data buffers are the only memory that would");
    }

    private void set(UnaryOperator<RunSettings> change) {
        options.settings(change.apply(options.settings()));
    }

    private List<Flag> reports() {
        return List.of(
                Flag.value("-S", "SECONDS", "report so often meanwhile",
                        text -> options.reportSeconds(FlagValues.number(text, 1, Load.MAX_SECONDS))),
                Flag.value("-P", "N", "in that report, average the rates over about N periods (with -S)",
                        text -> options.averagePeriods(FlagValues.number(text, 1, MAX_PERIODS))),
                Flag.toggle("-l", "print latency percentiles; twice: the histogram too",
                        () -> set(settings -> settings.withLatencyLevel(settings.latencyLevel() + 1))),
                Flag.value("-J", "FILE", "append RPC calls to this file", text -> options.rpcLog(Path.of(text))));
    }
}
