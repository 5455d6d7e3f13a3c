package io.spindrift.nvmf.rpc;

import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.Check;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvmf.CommandRetryDelays;
import io.spindrift.nvmf.DiscoveryFilter;
import io.spindrift.nvmf.DuplicateHostPolicy;
import io.spindrift.nvmf.TargetOptions;
import io.spindrift.nvmf.rpc.TargetSettings.AdminCmdPassthru;
import io.spindrift.nvmf.rpc.TargetSettings.DhGroup;
import io.spindrift.nvmf.rpc.TargetSettings.Digest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The methods that set up the application's own target before it is made.
final class SettingsMethods {
    record SetMaxSubsystems(
            @Option({
                    "-x", "--max-subsystems"})
            @Unsigned(32)
            @Description("most subsystems of the target; 0: 1024") long maxSubsystems) {
        SetMaxSubsystems {
            Check.range("max_subsystems", maxSubsystems, 0, Integer.MAX_VALUE);
        }

        int limit() {
            return maxSubsystems == 0 ? TargetOptions.DEFAULT.maxSubsystems() : (int) maxSubsystems;
        }
    }

    record SetConfig(
            @Option({
                    "-m", "--poll-groups-mask"})
            @Description("cores that get a poll group; all if it is left out") Optional<String> pollGroupsMask,
            @Option({"-d", "--discovery-filter"})
            @Description("deprecated: as discovery_filters, between commas, or match_any") Optional<String> discoveryFilter,
            @Option("--discovery-filters")
            @Description("what of a listener's address must be the reader's, to be in the discovery log") Optional<List<DiscoveryFilter>> discoveryFilters,
            @Option({"-p", "--passthru-admin-cmds"})
            @Description("admin commands that go to NVMe devices as they are") Optional<AdminCmdPassthru> adminCmdPassthru,
            @Option("--dhchap-digests")
            @Description("hash functions for authentication") Optional<List<Digest>> dhchapDigests,
            @Option("--dhchap-dhgroups")
            @Description("groups for authentication") Optional<List<DhGroup>> dhchapDhgroups,
            @Option("--dup-host-policy")
            @Description("whether a host may connect twice") Optional<DuplicateHostPolicy> dupHostPolicy) {
        private static final String ANY = "match_any";

        SetConfig {
            pollGroupsMask.ifPresent(SetConfig::mask);
            discoveryFilter.ifPresent(SetConfig::filters);
        }

        private static CpuMask mask(String text) {
            try {
                return CpuMask.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("poll_groups_mask=" + text + ": " + e.getMessage(), e);
            }
        }

        private static Set<DiscoveryFilter> filters(String text) {
            Set<DiscoveryFilter> filters = new TreeSet<>();
            if (text.equals(ANY)) {
                return filters;
            }
            for (String word : text.split(",")) {
                filters.add(switch (word) {
                    case "transport" -> DiscoveryFilter.TRANSPORT;
                    case "address" -> DiscoveryFilter.ADDRESS;
                    case "svcid" -> DiscoveryFilter.SVCID;
                    default -> throw new IllegalArgumentException("discovery_filter=" + text + ": '" + word
                            + "' must be one of transport, address, svcid, or " + ANY + " alone");
                });
            }
            return filters;
        }

        TargetSettings over(TargetSettings now) {
            TargetOptions options = now.options();
            if (pollGroupsMask.isPresent()) {
                options = options.withPollGroups(mask(pollGroupsMask.get()));
            }
            if (discoveryFilter.isPresent()) {
                options = options.withDiscoveryFilters(filters(discoveryFilter.get()));
            }
            if (discoveryFilters.isPresent()) {
                options = options.withDiscoveryFilters(Set.copyOf(discoveryFilters.get()));
            }
            if (dupHostPolicy.isPresent()) {
                options = options.withDuplicateHosts(dupHostPolicy.get());
            }
            return new TargetSettings(options, adminCmdPassthru.orElse(now.passthru()),
                    dhchapDigests.orElse(now.digests()), dhchapDhgroups.orElse(now.dhgroups()));
        }

        static SetConfig of(TargetSettings settings) {
            TargetOptions options = settings.options();
            return new SetConfig(options.pollGroups().map(CpuMask::hex), Optional.empty(),
                    Optional.of(List.copyOf(new TreeSet<>(options.discoveryFilters()))),
                    Optional.of(settings.passthru()), Optional.of(settings.digests()),
                    Optional.of(settings.dhgroups()), Optional.of(options.duplicateHosts()));
        }
    }

    record SetCrdt(
            @Option({"-t1", "--crdt1"}) @Unsigned(16) @Default("0") @Description("in units of 100 ms") int crdt1,
            @Option({"-t2", "--crdt2"}) @Unsigned(16) @Default("0") @Description("in units of 100 ms") int crdt2,
            @Option({"-t3", "--crdt3"}) @Unsigned(16) @Default("0") @Description("in units of 100 ms") int crdt3) {}

    static final RpcMethod<SetMaxSubsystems> SET_MAX_SUBSYSTEMS = RpcMethod
            .of("nvmf_set_max_subsystems", SetMaxSubsystems.class, STARTUP)
            .summary("Sets how many subsystems the target can have.");
    static final RpcMethod<SetConfig> SET_CONFIG = RpcMethod.of("nvmf_set_config", SetConfig.class, STARTUP)
            .summary("Sets the options of the target.");
    static final RpcMethod<SetCrdt> SET_CRDT = RpcMethod.of("nvmf_set_crdt", SetCrdt.class, STARTUP)
            .summary("Sets the times after which hosts try commands again.");

    private SettingsMethods() {}

    static TargetSettings apply(TargetSettings now, SetCrdt params) {
        return now.with(now.options()
                .withRetryDelays(new CommandRetryDelays(params.crdt1(), params.crdt2(), params.crdt3())));
    }

    /// The calls that would set these.
    static List<ConfigEntry> config(TargetSettings settings) {
        CommandRetryDelays delays = settings.options().retryDelays();
        return List.of(new ConfigEntry(SET_CONFIG.name(), SetConfig.of(settings)),
                new ConfigEntry(SET_MAX_SUBSYSTEMS.name(), new SetMaxSubsystems(settings.options().maxSubsystems())),
                new ConfigEntry(SET_CRDT.name(), new SetCrdt(delays.crdt1(), delays.crdt2(), delays.crdt3())));
    }
}
