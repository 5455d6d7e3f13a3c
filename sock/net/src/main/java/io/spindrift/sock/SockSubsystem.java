package io.spindrift.sock;

import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Sockets as a part of an application: their options before it starts. Those that use them depend on `sock`.
public final class SockSubsystem implements Subsystem {
    private final Sockets sockets;
    private final Log log;

    /// Configures `sockets`.
    public SockSubsystem(Sockets sockets, Log log) {
        this.sockets = sockets;
        this.log = log;
    }

    @Override
    public String name() {
        return "sock";
    }

    /// The application's sockets.
    public Sockets sockets() {
        return sockets;
    }

    @Override
    public void registerRpcs(RpcRegistry rpcs) {
        rpcs.register(SockRpcs.GET_OPTIONS, params -> orInvalid(() -> sockets.options(params.implName())));
        rpcs.register(SockRpcs.SET_OPTIONS, params -> orInvalid(() -> set(params)));
        rpcs.register(SockRpcs.SET_DEFAULT, params -> orInvalid(() -> {
            sockets.defaultImplementation(params.implName());
            return true;
        }));
        rpcs.register(SockRpcs.GET_DEFAULT, params -> Map.of("impl_name", sockets.defaultImplementation()));
    }

    private boolean set(SockRpcs.SetOptions params) {
        String name = params.implName();
        sockets.options(name, params.over(sockets.options(name)));
        params.enableDynamicZerocopy().ifPresent(value -> log.notice(
                "sock_impl_set_options: enable_dynamic_zerocopy=%s has no effect: zerocopy_threshold says from how many "
                        + "bytes on a send is made without a copy",
                value));
        return true;
    }

    private interface Answer<T> {
        T get();
    }

    private static <T> T orInvalid(Answer<T> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            throw RpcException.invalidParams(e.getMessage());
        }
    }

    @Override
    public void init() {
        // nothing of it runs by itself
    }

    @Override
    public void shutdown() {
        // groups are closed by those that made them
    }

    @Override
    public List<ConfigEntry> config() {
        List<ConfigEntry> calls = new ArrayList<>();
        calls.add(new ConfigEntry(SockRpcs.SET_DEFAULT.name(), new SockRpcs.ImplName(sockets.defaultImplementation())));
        sockets.allOptions().forEach((name, options) -> calls
                .add(new ConfigEntry(SockRpcs.SET_OPTIONS.name(), SockRpcs.SetOptions.of(name, options))));
        return calls;
    }
}
