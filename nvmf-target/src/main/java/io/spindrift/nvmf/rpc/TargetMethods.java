package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvmf.CommandRetryDelays;
import io.spindrift.nvmf.DiscoveryFilter;
import io.spindrift.nvmf.DuplicateHostPolicy;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.TargetOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Targets as such.
final class TargetMethods {
    /// Ticks are nanoseconds.
    private static final long TICK_RATE = 1_000_000_000;

    record CreateTarget(
            @Description("name of the target") String name,
            @Unsigned(32) @Default("0") @Description("most subsystems; 0: 1024") long maxSubsystems,
            @Default("[]")
            @Description("what of a listener's address must be the reader's, to be in the discovery log") List<DiscoveryFilter> discoveryFilter,
            @Default("allow") @Description("whether a host may connect twice") DuplicateHostPolicy dupHostPolicy) {
        CreateTarget {
            Check.range("max_subsystems", maxSubsystems, 0, Integer.MAX_VALUE);
        }

        TargetOptions options() {
            int limit = maxSubsystems == 0 ? TargetOptions.DEFAULT.maxSubsystems() : (int) maxSubsystems;
            return new TargetOptions(limit, Set.copyOf(discoveryFilter), dupHostPolicy, CommandRetryDelays.NONE,
                    Optional.empty());
        }

        static CreateTarget of(NvmfTarget target) {
            return new CreateTarget(target.name(), target.options().maxSubsystems(),
                    List.copyOf(new TreeSet<>(target.options().discoveryFilters())),
                    target.options().duplicateHosts());
        }
    }

    record DeleteTarget(@Description("name of the target") String name) {}

    record OfTarget(
            @Option({"-t", "--tgt-name"})
            @Description("the target; the only one if it is left out") Optional<String> tgtName) {}

    static final RpcMethod<CreateTarget> CREATE = RpcMethod.of("nvmf_create_target", CreateTarget.class, RUNTIME)
            .summary("Creates another target.");
    static final RpcMethod<DeleteTarget> DELETE = RpcMethod.of("nvmf_delete_target", DeleteTarget.class, RUNTIME)
            .summary("Deletes a target with all that it has.");
    static final RpcMethod<NoParams> GET = RpcMethod.of("nvmf_get_targets", NoParams.class, RUNTIME)
            .summary("Shows the names of the targets.");
    static final RpcMethod<OfTarget> GET_STATS = RpcMethod.of("nvmf_get_stats", OfTarget.class, RUNTIME)
            .summary("Shows what has gone through each poll group.");

    static final List<RpcMethod<?>> ALL = List.of(CREATE, DELETE, GET, GET_STATS);

    private final Supplier<NvmfTargets> targets;

    TargetMethods(Supplier<NvmfTargets> targets) {
        this.targets = targets;
    }

    List<RpcBinding<?>> bindings() {
        return List.of(CREATE.bind(params -> targets.get().create(params.name(), params.options()).name()),
                DELETE.bind(this::delete), GET.bind(_ -> targets.get().all().stream().map(NvmfTarget::name).toList()),
                GET_STATS.bind(params -> statistics(targets.get().get(params.tgtName()))));
    }

    private Object delete(DeleteTarget params) throws Exception {
        targets.get().delete(params.name());
        return true;
    }

    private static Map<String, Object> statistics(NvmfTarget target) {
        return Reports.ordered("tick_rate", TICK_RATE, "poll_groups",
                target.statistics().stream().map(Reports::pollGroup).toList());
    }
}
