package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcWait;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The methods about an application's start and its subsystems.
final class LifecycleRpcs {
    /// `with_batches` is the peer's; there are no batches here, so it changes nothing.
    private record ConfigParams(@Positional @Description("subsystem") String name,
            @Option({"--with-batches", "--no-with-batches"})
            @Description("accepted, changes nothing") Optional<Boolean> withBatches) {}

    private record SubsystemInfo(String subsystem, List<String> dependsOn) {}

    private static final RpcMethod<NoParams> START_INIT = RpcMethod.of("framework_start_init", NoParams.class, STARTUP)
            .summary("Starts the subsystems of an application that was started with --wait-for-rpc.");
    private static final RpcMethod<NoParams> WAIT_INIT = RpcMethod
            .of("framework_wait_init", NoParams.class, STARTUP, RUNTIME)
            .summary("Returns when the subsystems have started.");
    private static final RpcMethod<NoParams> GET_SUBSYSTEMS = RpcMethod
            .of("framework_get_subsystems", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the subsystems in the order in which they start.");
    private static final RpcMethod<ConfigParams> GET_CONFIG = RpcMethod
            .of("framework_get_config", ConfigParams.class, STARTUP, RUNTIME)
            .summary("Lists the calls that would bring a subsystem to its present state.");

    private LifecycleRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(START_INIT, WAIT_INIT, GET_SUBSYSTEMS, GET_CONFIG);
    }

    static void register(RpcRegistry rpcs, Lifecycle lifecycle, SubsystemGraph graph) {
        rpcs.register(START_INIT, _ -> {
            lifecycle.initializeByRpc();
            return true;
        });
        rpcs.register(WAIT_INIT, _ -> new RpcWait(() -> {
            lifecycle.awaitInitialized();
            return true;
        }));
        rpcs.register(GET_SUBSYSTEMS, _ -> graph.order().stream()
                .map(subsystem -> new SubsystemInfo(subsystem.name(), subsystem.dependsOn())).toList());
        rpcs.register(GET_CONFIG, params -> graph.find(params.name())
                .orElseThrow(() -> RpcException.invalidParams("Subsystem '" + params.name() + "' not found; "
                        + "framework_get_subsystems lists those there are"))
                .config().stream().map(LifecycleRpcs::entry).toList());
    }

    /// A call as a configuration file has it: without `params` if there are none.
    private static ObjectNode entry(ConfigEntry call) {
        ObjectNode entry = Json.emptyObject();
        entry.set("method", Json.text(call.method()));
        if (call.params().getClass().getRecordComponents().length > 0) {
            entry.set("params", Json.tree(call.params()));
        }
        return entry;
    }
}
