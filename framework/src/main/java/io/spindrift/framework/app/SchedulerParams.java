package io.spindrift.framework.app;

import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.framework.thread.CpuMask;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What the scheduler's methods take and give.
final class SchedulerParams {
    private static final long MAX_PERIOD_MICROS = 3_600_000_000L;
    private static final Pattern MAPPING = Pattern.compile("(\\d{1,18}):(\\d{1,4})");

    private SchedulerParams() {}

    /// Of `framework_set_scheduler`.
    record Select(@Positional @Description("static or dynamic") String name,
            @Option({
                    "-p", "--period"})
            @Unsigned(64) @Description("microseconds between two looks") OptionalLong period,
            @Option({"--load-limit"}) @Unsigned(8)
            @Description("dynamic: percent below which a thread is idle") OptionalInt loadLimit,
            @Option({"--core-limit"}) @Unsigned(8)
            @Description("dynamic: percent above which a core is crowded") OptionalInt coreLimit,
            @Option({"--core-busy"}) @Unsigned(8)
            @Description("dynamic: percent up to which a core is filled") OptionalInt coreBusy,
            @Option({"--mappings"})
            @Description("static: THREAD_ID:CORE with commas between") Optional<String> mappings) {
        Select {
            period.ifPresent(micros -> Check.range("period", micros, 0, MAX_PERIOD_MICROS));
            loadLimit.ifPresent(percent -> Check.range("load_limit", percent, 0, 100));
            coreLimit.ifPresent(percent -> Check.range("core_limit", percent, 0, 100));
            coreBusy.ifPresent(percent -> Check.range("core_busy", percent, 0, 100));
            mappings.ifPresent(Select::parse);
        }

        /// Cores by thread id.
        Map<Long, Integer> threadCores() {
            return mappings.map(Select::parse).orElse(new TreeMap<>());
        }

        private static SortedMap<Long, Integer> parse(String text) {
            SortedMap<Long, Integer> cores = new TreeMap<>();
            for (String part : text.split(",")) {
                Matcher mapping = MAPPING.matcher(part.trim());
                if (!mapping.matches()) {
                    throw new IllegalArgumentException("mappings=" + text + ": " + part + " is not THREAD_ID:CORE");
                }
                cores.put(Long.parseLong(mapping.group(1)),
                        (int) Check.range("mappings", Integer.parseInt(mapping.group(2)), 0, CpuMask.LIMIT - 1));
            }
            return cores;
        }

        static String text(SortedMap<Long, Integer> threadCores) {
            return threadCores.entrySet().stream().map(e -> e.getKey() + ":" + e.getValue())
                    .collect(Collectors.joining(","));
        }
    }

    /// Of `scheduler_set_options`.
    record Options(
            @Option({"-s", "--scheduling-core"}) @Unsigned(32)
            @Description("core that idle threads gather on") OptionalInt schedulingCore,
            @Option({"-i", "--isolated-core-mask"})
            @Description("cores whose threads are left alone") Optional<String> isolatedCoreMask) {}

    /// What `framework_get_scheduler` answers.
    record Current(String schedulerName, long schedulerPeriod, String isolatedCoreMask, int schedulingCore,
            OptionalInt loadLimit, OptionalInt coreLimit, OptionalInt coreBusy) {}
}
