package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.OptionalLong;

/// The `notify_*` methods.
final class NotifyRpcs {
    private record ListParams(
            @Option({"-i", "--id"}) @Unsigned(64) @Description("id of the first event wanted") OptionalLong id,
            @Option({"-n", "--max"}) @Unsigned(64) @Description("how many events at most") OptionalLong max) {}

    private static final RpcMethod<NoParams> GET_TYPES = RpcMethod
            .of("notify_get_types", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the types of events.");
    private static final RpcMethod<ListParams> GET_NOTIFICATIONS = RpcMethod
            .of("notify_get_notifications", ListParams.class, STARTUP, RUNTIME)
            .summary("Lists the last events; about a thousand are kept.");

    private NotifyRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(GET_TYPES, GET_NOTIFICATIONS);
    }

    static void register(RpcRegistry rpcs, Notifications notifications) {
        rpcs.register(GET_TYPES, _ -> notifications.types());
        rpcs.register(GET_NOTIFICATIONS,
                params -> notifications.list(params.id().orElse(0), params.max().orElse(Long.MAX_VALUE)));
    }
}
