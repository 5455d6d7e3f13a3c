package io.spindrift.framework.trace;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The `trace_*` methods.
public final class TraceRpcs implements RpcCatalog {
    /// One group, or `all`.
    record GroupParams(@Positional @Description("Group name, or all") String name) {}

    /// Some tracepoints of one group. The mask is a JSON number up to 2^64 - 1, more than a `long` component takes.
    record MaskParams(String name, JsonNode tpointMask) {
        private static final BigDecimal LIMIT = new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE));

        MaskParams {
            boolean fits = tpointMask.isNumber() && tpointMask.decimalValue().signum() >= 0
                    && tpointMask.decimalValue().compareTo(LIMIT) < 0
                    && tpointMask.decimalValue().remainder(BigDecimal.ONE).signum() == 0;
            if (!fits) {
                throw new IllegalArgumentException("tpoint_mask must be a whole number in 0..18446744073709551615");
            }
        }

        long bits() {
            return tpointMask.decimalValue().toBigInteger().longValue();
        }
    }

    /// The mask is typed in hexadecimal.
    record MaskForm(@Positional @Description("Group name") String name,
            @Positional @Description("Tracepoint mask, hexadecimal") String tpointMask) implements CliForm<MaskParams> {
        @Override
        public MaskParams toParams() {
            String digits = tpointMask.replaceFirst("^0[xX]", "");
            if (!digits.matches("\\p{XDigit}{1,16}")) {
                throw new IllegalArgumentException("tpoint_mask=" + tpointMask
                        + " must be a hexadecimal number of up to 16 digits");
            }
            return new MaskParams(name, JsonNodeFactory.instance.numberNode(new BigInteger(digits, 16)));
        }
    }

    record AttachParams(@Positional @Description("Tracepoint name, as BDEV_IO_DONE") String tracepoint,
            @Option({
                    "-k", "--kind"})
            @Default("count") @Description("count or histogram") ProbeKind kind,
            @Option({"-n", "--name"}) @Description("Name of the probe; one is made if not given") Optional<String> name,
            @Option({"-a", "--argument"}) @Description("Histogram of this argument") Optional<String> argument,
            @Option({"-s", "--since"})
            @Description("Histogram of the time since this tracepoint") Optional<String> since) {
        AttachParams {
            if (name.isPresent() && (name.get().isEmpty() || name.get().length() > MAX_NAME)) {
                throw new IllegalArgumentException("name must have 1 to " + MAX_NAME + " characters");
            }
            if (kind == ProbeKind.COUNT && (argument.isPresent() || since.isPresent())) {
                throw new IllegalArgumentException("argument and since are for kind histogram, not count");
            }
        }
    }

    record ProbeParams(@Positional @Description("Name of the probe") String name) {}

    private static final int MAX_NAME = 255;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final long TICK_RATE = 1_000_000_000;

    private static final RpcMethod<GroupParams> ENABLE_GROUP = RpcMethod
            .of("trace_enable_tpoint_group", GroupParams.class, STARTUP, RUNTIME)
            .summary("Switches all tracepoints of a group on.");
    private static final RpcMethod<GroupParams> DISABLE_GROUP = RpcMethod
            .of("trace_disable_tpoint_group", GroupParams.class, STARTUP, RUNTIME)
            .summary("Switches all tracepoints of a group off.");
    private static final RpcMethod<MaskParams> SET_MASK = RpcMethod
            .of("trace_set_tpoint_mask", MaskParams.class, STARTUP, RUNTIME).cli(MaskForm.class)
            .summary("Switches the tracepoints of a mask on.");
    private static final RpcMethod<MaskParams> CLEAR_MASK = RpcMethod
            .of("trace_clear_tpoint_mask", MaskParams.class, STARTUP, RUNTIME).cli(MaskForm.class)
            .summary("Switches the tracepoints of a mask off.");
    private static final RpcMethod<NoParams> GET_MASKS = RpcMethod
            .of("trace_get_tpoint_group_mask", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists all groups and tracepoints and which are on.");
    private static final RpcMethod<NoParams> GET_INFO = RpcMethod.of("trace_get_info", NoParams.class, STARTUP, RUNTIME)
            .summary("Says where the trace file is and which groups are on.");
    private static final RpcMethod<NoParams> CLEAR = RpcMethod.of("trace_clear", NoParams.class, STARTUP, RUNTIME)
            .summary("Forgets all records.");
    private static final RpcMethod<AttachParams> ATTACH = RpcMethod
            .of("trace_probe_attach", AttachParams.class, STARTUP, RUNTIME)
            .summary("Counts passes of a tracepoint, or collects a histogram there.");
    private static final RpcMethod<NoParams> LIST = RpcMethod.of("trace_probe_list", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the attached probes.");
    private static final RpcMethod<ProbeParams> READ = RpcMethod
            .of("trace_probe_read", ProbeParams.class, STARTUP, RUNTIME).summary("Shows what a probe has seen so far.");
    private static final RpcMethod<ProbeParams> DETACH = RpcMethod
            .of("trace_probe_detach", ProbeParams.class, STARTUP, RUNTIME)
            .summary("Takes a probe away and shows what it had seen.");

    /// For the service loader.
    public TraceRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(ENABLE_GROUP, DISABLE_GROUP, SET_MASK, CLEAR_MASK, GET_MASKS, GET_INFO, CLEAR, ATTACH, LIST,
                READ,
                DETACH);
    }

    /// Lets `registry` answer for `trace`.
    public static void register(RpcRegistry registry, Trace trace) {
        registry.register(ENABLE_GROUP, params -> answer(() -> trace.enable(group(trace, params.name()))));
        registry.register(DISABLE_GROUP, params -> answer(() -> trace.disable(group(trace, params.name()))));
        registry.register(SET_MASK, params -> answer(() -> trace.enable(mask(trace, params))));
        registry.register(CLEAR_MASK, params -> answer(() -> trace.disable(mask(trace, params))));
        registry.register(GET_MASKS, params -> masks(trace));
        registry.register(GET_INFO, params -> info(trace));
        registry.register(CLEAR, params -> answer(trace::clear));
        registry.register(ATTACH, params -> attach(trace.probes(), params).name());
        registry.register(LIST, params -> trace.probes().list().stream().map(TraceRpcs::describe).toList());
        registry.register(READ, params -> show(trace.probes().read(params.name())));
        registry.register(DETACH, params -> show(trace.probes().detach(params.name())));
    }

    @FunctionalInterface
    private interface Change {
        void run() throws IOException;
    }

    /// `true`, or the error that the peer answers where tracing is impossible: invalid parameters.
    private static boolean answer(Change change) {
        try {
            change.run();
            return true;
        } catch (IllegalStateException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, e.getMessage(), e);
        } catch (IOException e) {
            throw new RpcException(RpcException.INTERNAL_ERROR, "the trace file cannot be made: " + e.getMessage(), e);
        }
    }

    private static TraceSelection group(Trace trace, String name) {
        return TraceSelection.group(name, trace.groups());
    }

    private static TraceSelection mask(Trace trace, MaskParams params) {
        return group(trace, params.name()).withMask(params.bits());
    }

    private static String hex(long mask) {
        return "0x" + Long.toHexString(mask);
    }

    private static Map<String, Object> info(Trace trace) {
        Map<String, Object> info = new LinkedHashMap<>();
        answer(() -> info.put("tpoint_shm_path", trace.path().toString()));
        info.put("tpoint_group_mask", hex(trace.groupMask()));
        for (TraceGroup group : trace.groups().all()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("mask", hex(group.mask()));
            entry.put("tpoint_mask", hex(trace.mask(group)));
            info.put(group.name(), entry);
        }
        return info;
    }

    private static Map<String, Object> masks(Trace trace) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("tpoint_group_mask", hex(trace.groupMask()));
        for (TraceGroup group : trace.groups().all()) {
            long mask = trace.mask(group);
            List<Map<String, Object>> tracepoints = new ArrayList<>();
            for (Tracepoint tracepoint : group.tracepoints()) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("name", tracepoint.name());
                entry.put("tpoint_id", tracepoint.id());
                entry.put("enabled", (mask & tracepoint.mask()) != 0);
                tracepoints.add(entry);
            }
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("enabled", mask != 0);
            entry.put("mask", hex(group.mask()));
            entry.put("tpoint_mask", hex(mask));
            entry.put("tpoints", tracepoints);
            result.put(group.name(), entry);
        }
        return result;
    }

    private static AttachedProbe attach(TraceProbes probes, AttachParams params) {
        Tracepoint tracepoint = probes.tracepoint(params.tracepoint());
        return switch (params.kind()) {
            case COUNT -> probes.attachCount(tracepoint, params.name());
            case HISTOGRAM -> probes.attachHistogram(tracepoint,
                    probes.measure(tracepoint, params.argument(), params.since()), params.name());
        };
    }

    private static Map<String, Object> describe(AttachedProbe probe) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", probe.name());
        entry.put("tracepoint", probe.tracepoint().name());
        entry.put("kind", probe.kind());
        probe.measure().ifPresent(measure -> entry.put("measures", measure.text()));
        return entry;
    }

    private static Map<String, Object> show(ProbeReading reading) {
        Map<String, Object> entry = describe(reading.probe());
        entry.put("count", reading.count());
        reading.histogram().ifPresent(histogram -> {
            boolean ticks = reading.probe().measure().orElseThrow().ticks();
            entry.put("unit", ticks ? "ticks" : "value");
            if (ticks) {
                entry.put("tick_rate", TICK_RATE);
            }
            entry.put("min", histogram.min());
            entry.put("mean", histogram.mean());
            entry.put("max", histogram.max());
            Map<String, Object> percentiles = new LinkedHashMap<>();
            for (double percent : PERCENTILES) {
                percentiles.put(BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString(),
                        histogram.percentile(percent));
            }
            entry.put("percentiles", percentiles);
            entry.put("unmatched", reading.unmatched());
        });
        entry.put("cores", reading.cores());
        return entry;
    }
}
