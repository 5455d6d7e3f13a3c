package io.spindrift.nvmf;

import io.spindrift.framework.Check;
import io.spindrift.framework.thread.CpuMask;
import java.util.Optional;
import java.util.Set;

/// What a target is made with and keeps.
///
/// @param maxSubsystems    how many subsystems it can have, its discovery subsystem included
/// @param discoveryFilters what of an address must agree for the discovery log
/// @param duplicateHosts   whether a host may connect twice
/// @param retryDelays      when hosts try again
/// @param pollGroups       the cores that get a poll group; those of all reactors if there is no mask
public record TargetOptions(int maxSubsystems, Set<DiscoveryFilter> discoveryFilters,
        DuplicateHostPolicy duplicateHosts, CommandRetryDelays retryDelays, Optional<CpuMask> pollGroups) {
    public static final TargetOptions DEFAULT = new TargetOptions(1024, Set.of(), DuplicateHostPolicy.ALLOW,
            CommandRetryDelays.NONE, Optional.empty());

    public TargetOptions {
        Check.positive("max_subsystems", maxSubsystems);
        discoveryFilters = Set.copyOf(discoveryFilters);
    }

    public TargetOptions withMaxSubsystems(int max) {
        return new TargetOptions(max, discoveryFilters, duplicateHosts, retryDelays, pollGroups);
    }

    public TargetOptions withDiscoveryFilters(Set<DiscoveryFilter> filters) {
        return new TargetOptions(maxSubsystems, filters, duplicateHosts, retryDelays, pollGroups);
    }

    public TargetOptions withDuplicateHosts(DuplicateHostPolicy policy) {
        return new TargetOptions(maxSubsystems, discoveryFilters, policy, retryDelays, pollGroups);
    }

    public TargetOptions withRetryDelays(CommandRetryDelays delays) {
        return new TargetOptions(maxSubsystems, discoveryFilters, duplicateHosts, delays, pollGroups);
    }

    public TargetOptions withPollGroups(CpuMask cores) {
        return new TargetOptions(maxSubsystems, discoveryFilters, duplicateHosts, retryDelays, Optional.of(cores));
    }
}
