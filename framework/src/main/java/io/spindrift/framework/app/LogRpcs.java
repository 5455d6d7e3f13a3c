package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcName;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.List;

/// The `log_*` methods.
final class LogRpcs {
    private record FlagParams(@Positional @Description("log flag, or all") String flag) {}

    /// [LogLevel] as it is written on the wire.
    private enum Level {
        @RpcName("ERROR")
        ERROR, @RpcName("WARNING")
        WARNING, @RpcName("NOTICE")
        NOTICE, @RpcName("INFO")
        INFO, @RpcName("DEBUG")
        DEBUG;

        LogLevel level() {
            return LogLevel.valueOf(name());
        }
    }

    private record LevelParams(@Positional @Description("the least bad level that passes") Level level) {}

    private record TimestampParams(
            @Option({"--timestamps", "--no-timestamps"})
            @Description("whether lines start with the time") boolean enabled) {}

    private static final RpcMethod<FlagParams> SET_FLAG = RpcMethod
            .of("log_set_flag", FlagParams.class, STARTUP, RUNTIME).summary("Turns the lines of a topic on.");
    private static final RpcMethod<FlagParams> CLEAR_FLAG = RpcMethod
            .of("log_clear_flag", FlagParams.class, STARTUP, RUNTIME).summary("Turns the lines of a topic off.");
    private static final RpcMethod<NoParams> GET_FLAGS = RpcMethod.of("log_get_flags", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the topics and whether their lines are on.");
    private static final RpcMethod<LevelParams> SET_LEVEL = RpcMethod
            .of("log_set_level", LevelParams.class, STARTUP, RUNTIME).summary("Sets what the system log receives.");
    private static final RpcMethod<NoParams> GET_LEVEL = RpcMethod.of("log_get_level", NoParams.class, STARTUP, RUNTIME)
            .summary("Tells what the system log receives.");
    private static final RpcMethod<LevelParams> SET_PRINT_LEVEL = RpcMethod
            .of("log_set_print_level", LevelParams.class, STARTUP, RUNTIME)
            .summary("Sets what standard error shows.");
    private static final RpcMethod<NoParams> GET_PRINT_LEVEL = RpcMethod
            .of("log_get_print_level", NoParams.class, STARTUP, RUNTIME).summary("Tells what standard error shows.");
    private static final RpcMethod<TimestampParams> ENABLE_TIMESTAMPS = RpcMethod
            .of("log_enable_timestamps", TimestampParams.class, STARTUP, RUNTIME)
            .summary("Sets whether printed lines start with the time.");

    private LogRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(SET_FLAG, CLEAR_FLAG, GET_FLAGS, SET_LEVEL, GET_LEVEL, SET_PRINT_LEVEL, GET_PRINT_LEVEL,
                ENABLE_TIMESTAMPS);
    }

    static void register(RpcRegistry rpcs, Log log) {
        rpcs.register(SET_FLAG, params -> {
            log.enableFlag(params.flag(), true);
            return true;
        });
        rpcs.register(CLEAR_FLAG, params -> {
            log.enableFlag(params.flag(), false);
            return true;
        });
        rpcs.register(GET_FLAGS, _ -> log.flagStates());
        rpcs.register(SET_LEVEL, params -> {
            log.level(params.level().level());
            return true;
        });
        rpcs.register(GET_LEVEL, _ -> log.level().name());
        rpcs.register(SET_PRINT_LEVEL, params -> {
            log.printLevel(params.level().level());
            return true;
        });
        rpcs.register(GET_PRINT_LEVEL, _ -> log.printLevel().name());
        rpcs.register(ENABLE_TIMESTAMPS, params -> {
            log.timestamps(params.enabled());
            return true;
        });
    }
}
