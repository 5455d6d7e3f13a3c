package io.spindrift.bdev;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The methods of the block layer; [BdevSubsystem] answers them.
public final class BdevRpcs implements RpcCatalog {
    record SetOptionsParams(
            @Option({
                    "-p", "--bdev-io-pool-size"})
            @Unsigned(32) @Description("I/Os of the whole application") OptionalLong bdevIoPoolSize,
            @Option({"-c", "--bdev-io-cache-size"}) @Unsigned(32)
            @Description("I/Os that a channel keeps when others lack some") OptionalLong bdevIoCacheSize,
            @Option({"--auto-examine", "--no-auto-examine"})
            @Description("modules examine devices as they appear") Optional<Boolean> bdevAutoExamine,
            @Unsigned(32) @Description("small bounce buffers that a thread keeps") OptionalLong iobufSmallCacheSize,
            @Unsigned(32) @Description("large bounce buffers that a thread keeps") OptionalLong iobufLargeCacheSize) {

        BdevOptions over(BdevOptions now) {
            return new BdevOptions(value("bdev_io_pool_size", bdevIoPoolSize, now.ioPoolSize()),
                    value("bdev_io_cache_size", bdevIoCacheSize, now.ioCacheSize()),
                    bdevAutoExamine.orElse(now.autoExamine()),
                    value("iobuf_small_cache_size", iobufSmallCacheSize, now.smallBufferCache()),
                    value("iobuf_large_cache_size", iobufLargeCacheSize, now.largeBufferCache()));
        }

        private static int value(String name, OptionalLong given, int now) {
            return given.isPresent() ? (int) Check.range(name, given.getAsLong(), 0, Integer.MAX_VALUE) : now;
        }

        static SetOptionsParams of(BdevOptions options) {
            return new SetOptionsParams(OptionalLong.of(options.ioPoolSize()), OptionalLong.of(options.ioCacheSize()),
                    Optional.of(options.autoExamine()), OptionalLong.of(options.smallBufferCache()),
                    OptionalLong.of(options.largeBufferCache()));
        }
    }

    record GetBdevsParams(
            @Option({"-b", "--name"}) @Description("only this bdev, by its name or an alias") Optional<String> name,
            @Option({"-t", "--timeout-ms"}) @Unsigned(64)
            @Description("milliseconds to wait for the bdev to appear") OptionalLong timeout) {}

    record ExamineParams(@Option({"-b", "--name"}) @Description("name of the bdev") String name) {}

    record GetIostatParams(
            @Option({"-c", "--per-channel"}) @Default("false")
            @Description("by thread; for one bdev") boolean perChannel,
            @Option("--reset-mode") @Default("none") @Description("what to set back afterwards") ResetMode resetMode,
            @Description("only these bdevs") Optional<List<String>> names) {}

    record ResetIostatParams(
            @Option({"-b", "--name"}) @Description("only this bdev") Optional<String> name,
            @Option({"-m", "--mode"}) @Default("all") @Description("what to set back") ResetMode mode) {}

    /// The words for [StatisticsReset].
    enum ResetMode {
        all, maxmin, error, none;

        StatisticsReset reset() {
            return StatisticsReset.valueOf(name().toUpperCase(java.util.Locale.ROOT));
        }
    }

    record EnableHistogramParams(
            @Positional @Description("name of the bdev") String name,
            @Option({
                    "--histogram", "--no-histogram"})
            @Description("begin or end to count") boolean enable,
            @Option({"-o", "--opc"}) @Description("only I/O of this type, as read or write") Optional<String> opc,
            @Unsigned(8) @Default("7") @Description("logarithm of the buckets in a range") int granularity,
            @Unsigned(64) @Default("0") @Description("smallest latency of interest, in ns") long minNsec,
            @Unsigned(64)
            @Description("first latency above those of interest, in ns; any if it is left out") OptionalLong maxNsec) {
        private static final long ANY = -1; // the largest unsigned number

        EnableHistogramParams {
            Check.range("granularity", granularity, 1, 20);
            if (maxNsec.isPresent() && minNsec >= maxNsec.getAsLong()) {
                throw new IllegalArgumentException("min_nsec=" + minNsec + " must be less than max_nsec="
                        + maxNsec.getAsLong());
            }
            opc.ifPresent(BdevIoType::parse);
            long buckets = new LatencyHistogram.Spec(-1, granularity, minNsec, maxNsec.orElse(ANY)).buckets();
            if (buckets > LatencyHistogram.MOST_BUCKETS) {
                throw new IllegalArgumentException("granularity=" + granularity + " makes " + buckets
                        + " buckets from min_nsec to max_nsec; " + LatencyHistogram.MOST_BUCKETS + " are allowed");
            }
        }

        LatencyHistogram.Spec spec() {
            return new LatencyHistogram.Spec(opc.map(BdevIoType::parse).orElse(-1), granularity, minNsec,
                    maxNsec.orElse(ANY));
        }
    }

    record NameParams(@Positional @Description("name of the bdev") String name) {}

    record BordersParams(
            @Positional @Description("name of the bdev") String name,
            @Description("latencies in ns, ascending") List<Long> borders) {
        BordersParams {
            Check.range("borders", borders.size(), 1, 1024);
            for (int i = 1; i < borders.size(); i++) {
                if (borders.get(i) <= borders.get(i - 1)) {
                    throw new IllegalArgumentException("borders[" + i + "]=" + borders.get(i)
                            + " must be more than the one before, " + borders.get(i - 1));
                }
            }
        }
    }

    record SamplingParams(
            @Positional @Description("name of the bdev") String name,
            @Positional @Unsigned(64) @Description("microseconds between looks; 0 ends it") long period) {
        SamplingParams {
            Check.range("period", period, 0, Long.MAX_VALUE / 1000);
        }
    }

    static final RpcMethod<SetOptionsParams> SET_OPTIONS = RpcMethod
            .of("bdev_set_options", SetOptionsParams.class, STARTUP).summary("Sets the options of the block layer.");
    static final RpcMethod<GetBdevsParams> GET_BDEVS = RpcMethod.of("bdev_get_bdevs", GetBdevsParams.class, RUNTIME)
            .summary("Shows the bdevs.");
    static final RpcMethod<ExamineParams> EXAMINE = RpcMethod.of("bdev_examine", ExamineParams.class, RUNTIME)
            .summary("Has the modules examine a bdev, where they do not by themselves.");
    static final RpcMethod<NoParams> WAIT_FOR_EXAMINE = RpcMethod
            .of("bdev_wait_for_examine", NoParams.class, RUNTIME)
            .summary("Returns when all bdevs have been examined.");
    static final RpcMethod<GetIostatParams> GET_IOSTAT = RpcMethod
            .of("bdev_get_iostat", GetIostatParams.class, RUNTIME).summary("Shows the statistics of bdevs.");
    static final RpcMethod<ResetIostatParams> RESET_IOSTAT = RpcMethod
            .of("bdev_reset_iostat", ResetIostatParams.class, RUNTIME).summary("Sets statistics back to zero.");
    static final RpcMethod<EnableHistogramParams> ENABLE_HISTOGRAM = RpcMethod
            .of("bdev_enable_histogram", EnableHistogramParams.class, RUNTIME)
            .summary("Begins or ends to count the latencies of a bdev.");
    static final RpcMethod<NameParams> GET_HISTOGRAM = RpcMethod
            .of("bdev_get_histogram", NameParams.class, RUNTIME).summary("Shows the latencies counted for a bdev.");
    static final RpcMethod<BordersParams> GET_HISTOGRAM_BORDERS = RpcMethod
            .of("bdev_get_histogram_borders", BordersParams.class, RUNTIME)
            .summary("Shows how many latencies of a bdev were less than each border, and how many there were.");
    static final RpcMethod<SamplingParams> SET_QD_SAMPLING_PERIOD = RpcMethod
            .of("bdev_set_qd_sampling_period", SamplingParams.class, RUNTIME)
            .summary("Has the queue depth of a bdev looked at every so often.");

    /// For the service loader.
    public BdevRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(SET_OPTIONS, GET_BDEVS, EXAMINE, WAIT_FOR_EXAMINE, GET_IOSTAT, RESET_IOSTAT, ENABLE_HISTOGRAM,
                GET_HISTOGRAM, GET_HISTOGRAM_BORDERS, SET_QD_SAMPLING_PERIOD);
    }
}
