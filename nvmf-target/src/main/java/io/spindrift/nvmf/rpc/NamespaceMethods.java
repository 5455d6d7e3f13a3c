package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvmf.NamespaceRequest;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.NvmfTargets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;

/// Namespaces.
final class NamespaceMethods {
    record NamespaceParams(
            @Unsigned(32) @Description("number; the lowest free one if it is 0 or left out") OptionalLong nsid,
            @Description("the bdev behind it") String bdevName,
            @Description("file that keeps its reservations through power loss") Optional<String> ptplFile,
            @Description("32 hexadecimal digits; the UUID's if they are left out") Optional<String> nguid,
            @Description("16 hexadecimal digits") Optional<String> eui64,
            @Description("UUID; the bdev's if it is left out") Optional<UUID> uuid,
            @Unsigned(32) @Description("ANA group; as nsid if it is 0 or left out") OptionalLong anagrpid,
            @Default("false") @Description("only hosts that are named see it") boolean noAutoVisible,
            @Description("deprecated, and not supported") Optional<Boolean> hideMetadata) {
        NamespaceParams {
            if (hideMetadata.orElse(false)) {
                throw new IllegalArgumentException("hide_metadata=true cannot be had; dif_insert_or_strip of "
                        + "nvmf_create_transport does the same for all namespaces");
            }
        }

        NamespaceRequest request() {
            return new NamespaceRequest(bdevName, notZero(nsid), nguid, eui64, uuid, ptplFile, notZero(anagrpid),
                    !noAutoVisible);
        }

        private static OptionalLong notZero(OptionalLong value) {
            return value.orElse(0) == 0 ? OptionalLong.empty() : value;
        }

        static NamespaceParams of(NvmfNamespace namespace, boolean anaReporting) {
            return new NamespaceParams(OptionalLong.of(namespace.nsid()), namespace.bdev().name(),
                    namespace.ptplFile(), Optional.of(namespace.ids().nguid()), namespace.ids().eui64(),
                    Optional.of(namespace.ids().uuid()),
                    anaReporting || namespace.anaGroup() != namespace.nsid()
                            ? OptionalLong.of(namespace.anaGroup())
                            : OptionalLong.empty(),
                    !namespace.autoVisible(), Optional.empty());
        }
    }

    record AddNamespace(
            @Description("NQN of the subsystem") String nqn,
            @Description("the namespace") NamespaceParams namespace,
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    record AddNamespaceForm(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Description("the bdev behind the namespace") String bdevName,
            @Option({
                    "-t", "--tgt-name"})
            @Description("the target") Optional<String> tgtName,
            @Option({"-p", "--ptpl-file"})
            @Description("file that keeps its reservations through power loss") Optional<String> ptplFile,
            @Option({"-n", "--nsid"}) @Unsigned(32) @Description("number") OptionalLong nsid,
            @Option({"-g", "--nguid"}) @Description("32 hexadecimal digits") Optional<String> nguid,
            @Option({"-e", "--eui64"}) @Description("16 hexadecimal digits") Optional<String> eui64,
            @Option({"-u", "--uuid"}) @Description("UUID") Optional<UUID> uuid,
            @Option({"-a", "--anagrpid"}) @Unsigned(32) @Description("ANA group") OptionalLong anagrpid,
            @Option({"-i", "--no-auto-visible"}) @Default("false")
            @Description("only hosts that are named see it") boolean noAutoVisible,
            @Option({"-N", "--hide-metadata"}) @Default("false")
            @Description("deprecated, and not supported") boolean hideMetadata)
            implements
                CliForm<AddNamespace> {
        @Override
        public AddNamespace toParams() {
            return new AddNamespace(nqn, new NamespaceParams(nsid, bdevName, ptplFile, nguid, eui64, uuid, anagrpid,
                    noAutoVisible, hideMetadata ? Optional.of(true) : Optional.empty()), tgtName);
        }
    }

    record RemoveNamespace(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Unsigned(32) @Description("number of the namespace") long nsid,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    record SetAnaGroup(
            @Positional @Description("NQN of the subsystem") String nqn,
            @Positional @Unsigned(32) @Description("number of the namespace") long nsid,
            @Positional @Unsigned(32) @Description("ANA group") long anagrpid,
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    static final RpcMethod<AddNamespace> ADD = RpcMethod.of("nvmf_subsystem_add_ns", AddNamespace.class, RUNTIME)
            .cli(AddNamespaceForm.class).summary("Adds a bdev to a subsystem as a namespace.");
    static final RpcMethod<RemoveNamespace> REMOVE = RpcMethod
            .of("nvmf_subsystem_remove_ns", RemoveNamespace.class, RUNTIME)
            .summary("Removes a namespace from a subsystem.");
    static final RpcMethod<SetAnaGroup> SET_ANA_GROUP = RpcMethod
            .of("nvmf_subsystem_set_ns_ana_group", SetAnaGroup.class, RUNTIME)
            .summary("Moves a namespace to another ANA group.");

    static final List<RpcMethod<?>> ALL = List.of(ADD, REMOVE, SET_ANA_GROUP);

    private final Supplier<NvmfTargets> targets;

    NamespaceMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(ADD.bind(this::add), REMOVE.bind(this::remove), SET_ANA_GROUP.bind(this::setAnaGroup));
    }

    private Object add(AddNamespace params) throws Exception {
        return targets.get().subsystem(params.tgtName(), params.nqn()).addNamespace(params.namespace().request());
    }

    private Object remove(RemoveNamespace params) throws Exception {
        targets.get().subsystem(params.tgtName(), params.nqn()).removeNamespace(params.nsid());
        return true;
    }

    private Object setAnaGroup(SetAnaGroup params) {
        targets.get().subsystem(params.tgtName(), params.nqn()).setAnaGroup(params.nsid(), params.anagrpid());
        return true;
    }
}
