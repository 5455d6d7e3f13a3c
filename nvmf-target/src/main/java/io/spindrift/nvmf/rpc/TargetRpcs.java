package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.NvmfTargets;
import io.spindrift.nvmf.TargetOptions;
import io.spindrift.nvmf.spi.NvmfTransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Answers the RPCs of the target, and keeps what is set before the application's own target is made.
///
/// Control path; any of its threads.
public final class TargetRpcs {
    private final Supplier<NvmfTargets> targets;
    private final Supplier<List<NvmfTransportProvider>> providers;
    private volatile TargetSettings settings = TargetSettings.DEFAULT;

    /// `targets` is asked for by calls of the run-time state only.
    public TargetRpcs(Supplier<NvmfTargets> targets, Supplier<List<NvmfTransportProvider>> providers) {
        this.targets = targets;
        this.providers = providers;
    }

    /// Adds all methods.
    public void register(RpcRegistry rpcs) {
        rpcs.register(SettingsMethods.SET_CONFIG, params -> {
            settings = params.over(settings);
            return true;
        });
        rpcs.register(SettingsMethods.SET_MAX_SUBSYSTEMS, params -> {
            settings = settings.with(settings.options().withMaxSubsystems(params.limit()));
            return true;
        });
        rpcs.register(SettingsMethods.SET_CRDT, params -> {
            settings = SettingsMethods.apply(settings, params);
            return true;
        });
        rpcs.register(new TargetMethods(targets).bindings());
        rpcs.register(new TransportMethods(targets, providers).bindings());
        rpcs.register(new ReferralMethods(targets).bindings());
        rpcs.register(new SubsystemMethods(targets).bindings());
        rpcs.register(new HostMethods(targets).bindings());
        rpcs.register(new ListenerMethods(targets).bindings());
        rpcs.register(new NamespaceMethods(targets).bindings());
    }

    /// What the application's own target is made with.
    public TargetOptions options() {
        return settings.options();
    }

    /// The calls that would bring a new application to the present state. `own` is the name of the application's own
    /// target, which the calls leave out; `all` are the targets that there are.
    public List<ConfigEntry> config(String own, List<NvmfTarget> all) {
        List<ConfigEntry> entries = new ArrayList<>(SettingsMethods.config(settings));
        all.stream().filter(target -> target.name().equals(own))
                .forEach(target -> entries.addAll(TargetConfig.of(target, Optional.empty())));
        all.stream().filter(target -> !target.name().equals(own)).forEach(target -> {
            entries.add(new ConfigEntry(TargetMethods.CREATE.name(), TargetMethods.CreateTarget.of(target)));
            entries.addAll(TargetConfig.of(target, Optional.of(target.name())));
        });
        return entries;
    }
}
