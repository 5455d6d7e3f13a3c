package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvmf.AnaState;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.rpc.SubsystemMethods.OfSubsystem;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// Listeners, and the access states through them.
final class ListenerMethods {
    record AddListener(
            @Description("NQN of the subsystem") String nqn,
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("where to listen") ListenAddress listenAddress,
            @Default("false") @Description("hosts must use TLS: not supported") boolean secureChannel,
            @Description("access state of all ANA groups; optimized if it is left out") Optional<AnaState> anaState,
            @Description("socket implementation") Optional<String> sockImpl,
            @Description("memory node: accepted, has no effect") OptionalInt numaId) {
        static AddListener of(String nqn, NvmfListener listener, Optional<String> tgtName) {
            AnaState common = listener.states().common();
            return new AddListener(nqn, tgtName, ListenAddress.of(listener.address()), false,
                    common == AnaState.OPTIMIZED ? Optional.empty() : Optional.of(common), listener.sock(),
                    OptionalInt.empty());
        }
    }

    record RemoveListener(
            @Description("NQN of the subsystem") String nqn,
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("the listener") ListenAddress listenAddress) {}

    record SetAnaState(
            @Description("NQN of the subsystem") String nqn,
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Description("the listener") ListenAddress listenAddress,
            @Description("access state") AnaState anaState,
            @Unsigned(32) @Description("ANA group; all if it is 0 or left out") OptionalLong anagrpid) {}

    record AddListenerForm(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option({
                    "-t", "--trtype"})
            @Description("transport: TCP, RDMA") String trtype,
            @Option({"-a", "--traddr"}) @Description("address") String traddr,
            @Option({"-p", "--tgt-name"}) @Description("the target") Optional<String> tgtName,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6, IB, FC") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("port") Optional<String> trsvcid,
            @Option({"-k", "--secure-channel"}) @Default("false")
            @Description("hosts must use TLS: not supported") boolean secureChannel,
            @Option({"-n", "--ana-state"}) @Description("access state of all ANA groups") Optional<AnaState> anaState,
            @Option({"-S", "--sock-impl"}) @Description("socket implementation") Optional<String> sockImpl,
            @Description("memory node: accepted, has no effect") OptionalInt numaId)
            implements
                CliForm<AddListener> {
        @Override
        public AddListener toParams() {
            return new AddListener(nqn, tgtName, new ListenAddress(trtype, adrfam, traddr, trsvcid), secureChannel,
                    anaState, sockImpl, numaId);
        }
    }

    record RemoveListenerForm(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option({
                    "-t", "--trtype"})
            @Description("transport: TCP, RDMA") String trtype,
            @Option({"-a", "--traddr"}) @Description("address") String traddr,
            @Option({"-p", "--tgt-name"}) @Description("the target") Optional<String> tgtName,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6, IB, FC") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("port") Optional<String> trsvcid)
            implements
                CliForm<RemoveListener> {
        @Override
        public RemoveListener toParams() {
            return new RemoveListener(nqn, tgtName, new ListenAddress(trtype, adrfam, traddr, trsvcid));
        }
    }

    record SetAnaStateForm(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option({
                    "-n", "--ana-state"})
            @Description("access state") AnaState anaState,
            @Option({"-t", "--trtype"}) @Description("transport: TCP, RDMA") String trtype,
            @Option({"-a", "--traddr"}) @Description("address") String traddr,
            @Option({"-p", "--tgt-name"}) @Description("the target") Optional<String> tgtName,
            @Option({"-f", "--adrfam"}) @Description("kind of address: IPv4, IPv6, IB, FC") Optional<String> adrfam,
            @Option({"-s", "--trsvcid"}) @Description("port") Optional<String> trsvcid,
            @Option({"-g", "--anagrpid"}) @Unsigned(32) @Description("ANA group") OptionalLong anagrpid)
            implements
                CliForm<SetAnaState> {
        @Override
        public SetAnaState toParams() {
            return new SetAnaState(nqn, tgtName, new ListenAddress(trtype, adrfam, traddr, trsvcid), anaState,
                    anagrpid);
        }
    }

    static final RpcMethod<AddListener> ADD = RpcMethod
            .of("nvmf_subsystem_add_listener", AddListener.class, RUNTIME).cli(AddListenerForm.class)
            .summary("Lets a subsystem be reached at an address.");
    static final RpcMethod<RemoveListener> REMOVE = RpcMethod
            .of("nvmf_subsystem_remove_listener", RemoveListener.class, RUNTIME).cli(RemoveListenerForm.class)
            .summary("Lets a subsystem no longer be reached at an address, and ends the connections there.");
    static final RpcMethod<SetAnaState> SET_ANA_STATE = RpcMethod
            .of("nvmf_subsystem_listener_set_ana_state", SetAnaState.class, RUNTIME).cli(SetAnaStateForm.class)
            .summary("Sets the access state of an ANA group, or of all, at a listener.");
    static final RpcMethod<OfSubsystem> GET = RpcMethod
            .of("nvmf_subsystem_get_listeners", OfSubsystem.class, RUNTIME)
            .summary("Shows the listeners of a subsystem.");

    static final List<RpcMethod<?>> ALL = List.of(ADD, REMOVE, SET_ANA_STATE, GET);

    private final Supplier<NvmfTargets> targets;

    ListenerMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(ADD.bind(this::add), REMOVE.bind(this::remove), SET_ANA_STATE.bind(this::setAnaState),
                GET.bind(params -> Reports.listeners(targets.get().subsystem(params.tgtName(), params.nqn()).view())));
    }

    private Object add(AddListener params) {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        if (params.secureChannel()) {
            throw subsystem.view().allowsAnyHost()
                    ? RpcException.internal("secure_channel=true needs hosts that are named, and " + params.nqn()
                            + " allows any host")
                    : RpcException.invalidParams("secure_channel=true cannot be had: there is no TLS yet");
        }
        subsystem.addListener(params.listenAddress().address(), params.sockImpl(),
                params.anaState().orElse(AnaState.OPTIMIZED));
        return true;
    }

    private Object remove(RemoveListener params) throws Exception {
        targets.get().subsystem(params.tgtName(), params.nqn()).removeListener(params.listenAddress().address());
        return true;
    }

    private Object setAnaState(SetAnaState params) {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        long group = params.anagrpid().orElse(0);
        try {
            subsystem.setAnaState(params.listenAddress().address(), params.anaState(),
                    group == 0 ? OptionalLong.empty() : OptionalLong.of(group));
        } catch (IllegalArgumentException e) { // the peer's code
            throw RpcException.internal(e.getMessage());
        }
        return true;
    }
}
