package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTargets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Who may connect, and which namespaces each host sees.
final class HostMethods {
    record AddHost(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Description("NQN of the host") String host,
            @Option({
                    "-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("TLS key: not supported") Optional<String> psk,
            @Description("authentication key of the host: not supported") Optional<String> dhchapKey,
            @Description("authentication key of the controller: not supported") Optional<String> dhchapCtrlrKey) {
        AddHost {
            refuse("psk", psk, "TLS");
            refuse("dhchap_key", dhchapKey, "authentication of hosts");
            refuse("dhchap_ctrlr_key", dhchapCtrlrKey, "authentication of controllers");
        }

        private static void refuse(String name, Optional<String> value, String what) {
            if (value.isPresent()) {
                throw new IllegalArgumentException(name + "=" + value.get() + " cannot be used: there is no " + what
                        + " yet");
            }
        }

        static AddHost of(String nqn, String host, Optional<String> tgtName) {
            return new AddHost(nqn, host, tgtName, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    record RemoveHost(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Description("NQN of the host") String host,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Option({"-T", "--timeout-ms"}) @Unsigned(64) @Default("0")
            @Description("milliseconds to wait for the host to be disconnected; 0: as long as it takes") long timeoutMs) {}

    record AllowAnyHost(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option(value = {"--allow-any-host", "--no-allow-any-host"}, older = {"-e=--allow-any-host",
                    "--enable=--allow-any-host", "-d=--no-allow-any-host", "--disable=--no-allow-any-host"})
            @Description("every host may connect") boolean allowAnyHost,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    record NamespaceHost(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Unsigned(32) @Description("number of the namespace") long nsid,
            @Positional @Description("NQN of the host") String host,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    static final RpcMethod<AddHost> ADD = RpcMethod.of("nvmf_subsystem_add_host", AddHost.class, RUNTIME)
            .summary("Lets a host connect to a subsystem.");
    static final RpcMethod<RemoveHost> REMOVE = RpcMethod
            .of("nvmf_subsystem_remove_host", RemoveHost.class, RUNTIME)
            .summary("Lets a host no longer connect, and disconnects it.");
    static final RpcMethod<AllowAnyHost> ALLOW_ANY = RpcMethod
            .of("nvmf_subsystem_allow_any_host", AllowAnyHost.class, RUNTIME)
            .summary("Lets every host connect to a subsystem, or only those that are named.");
    static final RpcMethod<NamespaceHost> SHOW_NAMESPACE = RpcMethod
            .of("nvmf_ns_add_host", NamespaceHost.class, RUNTIME).summary("Shows a namespace to a host.");
    static final RpcMethod<NamespaceHost> HIDE_NAMESPACE = RpcMethod
            .of("nvmf_ns_remove_host", NamespaceHost.class, RUNTIME).summary("Hides a namespace from a host.");

    static final List<RpcMethod<?>> ALL = List.of(ADD, REMOVE, ALLOW_ANY, SHOW_NAMESPACE, HIDE_NAMESPACE);

    private final Supplier<NvmfTargets> targets;

    HostMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(ADD.bind(this::add), REMOVE.bind(this::remove), ALLOW_ANY.bind(this::allowAny),
                SHOW_NAMESPACE.bind(params -> show(params, true)), HIDE_NAMESPACE.bind(params -> show(params, false)));
    }

    private Object add(AddHost params) {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        try {
            subsystem.addHost(params.host());
        } catch (IllegalArgumentException e) { // the peer's code
            throw RpcException.internal(e.getMessage());
        }
        return true;
    }

    private Object remove(RemoveHost params) throws Exception {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        try {
            subsystem.removeHost(params.host(), params.timeoutMs());
        } catch (IllegalArgumentException e) { // the peer's code
            throw RpcException.internal(e.getMessage());
        } catch (TimeoutException e) {
            throw RpcException.internal("host=" + params.host()
                    + " may no longer connect, but is not disconnected after timeout_ms=" + params.timeoutMs());
        }
        return true;
    }

    private Object allowAny(AllowAnyHost params) {
        targets.get().subsystem(params.tgtName(), params.nqn()).allowAnyHost(params.allowAnyHost());
        return true;
    }

    private Object show(NamespaceHost params, boolean visible) {
        targets.get().subsystem(params.tgtName(), params.nqn()).setVisible(params.nsid(), params.host(), visible);
        return true;
    }
}
