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
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.SubsystemOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// Subsystems as such.
final class SubsystemMethods {
    record CreateSubsystem(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option({
                    "-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName,
            @Option({"-a", "--allow-any-host"}) @Default("false")
            @Description("every host may connect") boolean allowAnyHost,
            @Option({"-s", "--serial-number"})
            @Description("serial number, up to 20 characters") Optional<String> serialNumber,
            @Option({"-d", "--model-number"})
            @Description("model number, up to 40 characters") Optional<String> modelNumber,
            @Option({"-m", "--max-namespaces"}) @Unsigned(32)
            @Description("most namespaces, and their highest number; 0: no limit; 32 if it is left out") OptionalLong maxNamespaces,
            @Option({"-i", "--min-cntlid"}) @Unsigned(16) @Description("lowest controller ID") OptionalInt minCntlid,
            @Option({"-I", "--max-cntlid"}) @Unsigned(16) @Description("highest controller ID") OptionalInt maxCntlid,
            @Option({"-r", "--ana-reporting"}) @Default("false")
            @Description("tell hosts of access states") boolean anaReporting,
            @Unsigned(32) @Description("most blocks of one range of a Dataset Management") OptionalLong dmrsl,
            @Unsigned(8) @Description("most that a Write Zeroes covers: 4 KiB times 2 to this power") OptionalInt wzsl,
            @Option({"-p", "--passthrough"}) @Default("false")
            @Description("NVMe devices get commands as they are") boolean passthrough,
            @Option({"-n", "--enable-nssr"}) @Default("false")
            @Description("hosts may reset the subsystem") boolean enableNssr,
            @Description("for the extended discovery log") Optional<String> adminLabel) {

        SubsystemOptions options() {
            SubsystemOptions defaults = SubsystemOptions.DEFAULT;
            return new SubsystemOptions(serialNumber.orElse(defaults.serialNumber()),
                    modelNumber.orElse(defaults.modelNumber()), adminLabel.orElse(defaults.adminLabel()),
                    maxNamespaces.orElse(defaults.maxNamespaces()), anaReporting,
                    minCntlid.orElse(defaults.minCntlid()), maxCntlid.orElse(defaults.maxCntlid()),
                    dmrsl.orElse(defaults.dmrsl()), wzsl.orElse(defaults.wzsl()), passthrough, enableNssr);
        }

        static CreateSubsystem of(NvmfSubsystem subsystem, Optional<String> tgtName) {
            SubsystemOptions options = subsystem.options();
            return new CreateSubsystem(subsystem.nqn(), tgtName, subsystem.view().allowsAnyHost(),
                    Optional.of(options.serialNumber()), Optional.of(options.modelNumber()),
                    OptionalLong.of(options.maxNamespaces()), OptionalInt.of(options.minCntlid()),
                    OptionalInt.of(options.maxCntlid()), options.anaReporting(), OptionalLong.of(options.dmrsl()),
                    OptionalInt.of(options.wzsl()), options.passthrough(), options.enableNssr(),
                    Optional.of(options.adminLabel()).filter(label -> !label.isEmpty()));
        }
    }

    record OfSubsystem(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    record GetSubsystems(
            @Positional @Description("only the subsystem with this NQN") Optional<String> nqn,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    static final RpcMethod<CreateSubsystem> CREATE = RpcMethod
            .of("nvmf_create_subsystem", CreateSubsystem.class, RUNTIME).summary("Creates a subsystem.");
    static final RpcMethod<OfSubsystem> DELETE = RpcMethod.of("nvmf_delete_subsystem", OfSubsystem.class, RUNTIME)
            .summary("Deletes a subsystem; its hosts are disconnected.");
    static final RpcMethod<GetSubsystems> GET = RpcMethod.of("nvmf_get_subsystems", GetSubsystems.class, RUNTIME)
            .summary("Shows the subsystems.");
    static final RpcMethod<OfSubsystem> GET_CONTROLLERS = RpcMethod
            .of("nvmf_subsystem_get_controllers", OfSubsystem.class, RUNTIME)
            .summary("Shows the controllers of a subsystem.");
    static final RpcMethod<OfSubsystem> GET_QPAIRS = RpcMethod
            .of("nvmf_subsystem_get_qpairs", OfSubsystem.class, RUNTIME)
            .summary("Shows the queue pairs of a subsystem.");

    static final List<RpcMethod<?>> ALL = List.of(CREATE, DELETE, GET, GET_CONTROLLERS, GET_QPAIRS);

    private final Supplier<NvmfTargets> targets;

    SubsystemMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(CREATE.bind(this::create), DELETE.bind(this::delete), GET.bind(this::subsystems),
                GET_CONTROLLERS.bind(this::controllers), GET_QPAIRS.bind(this::queuePairs));
    }

    private Object create(CreateSubsystem params) {
        NvmfTarget target = targets.get().get(params.tgtName());
        SubsystemOptions options = params.options();
        try {
            target.createSubsystem(params.nqn(), options, params.allowAnyHost());
        } catch (IllegalArgumentException e) { // the peer has this code for what is wrong with the NQN
            throw RpcException.internal(e.getMessage());
        }
        return true;
    }

    private Object delete(OfSubsystem params) throws Exception {
        targets.get().get(params.tgtName()).deleteSubsystem(params.nqn());
        return true;
    }

    private Object subsystems(GetSubsystems params) {
        NvmfTarget target = targets.get().get(params.tgtName());
        List<NvmfSubsystem> chosen = params.nqn().map(nqn -> List.of(target.get(nqn)))
                .orElseGet(target::subsystems);
        return chosen.stream().map(Reports::subsystem).toList();
    }

    private Object controllers(OfSubsystem params) {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        return subsystem.target().engine().controllers(subsystem);
    }

    private Object queuePairs(OfSubsystem params) {
        NvmfSubsystem subsystem = targets.get().subsystem(params.tgtName(), params.nqn());
        return subsystem.target().engine().queuePairs(subsystem).stream().map(Reports::queuePair).toList();
    }
}
