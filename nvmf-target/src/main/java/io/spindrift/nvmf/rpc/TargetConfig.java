package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.nvmf.NvmfListener;
import io.spindrift.nvmf.NvmfNamespace;
import io.spindrift.nvmf.NvmfSubsystem;
import io.spindrift.nvmf.NvmfTarget;
import io.spindrift.nvmf.rpc.NamespaceMethods.NamespaceParams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The calls that would make a target's contents again, in the peer's order: a group of calls for each kind of object.
final class TargetConfig {
    private final NvmfTarget target;
    private final Optional<String> tgtName;
    private final List<ConfigEntry> entries = new ArrayList<>();

    private TargetConfig(NvmfTarget target, Optional<String> tgtName) {
        this.target = target;
        this.tgtName = tgtName;
    }

    /// The contents of `target`; the calls name it by `tgtName`, which is empty for the application's own.
    static List<ConfigEntry> of(NvmfTarget target, Optional<String> tgtName) {
        return new TargetConfig(target, tgtName).all();
    }

    private List<ConfigEntry> all() {
        target.transports().forEach(transport -> entries
                .add(new ConfigEntry(TransportMethods.CREATE.name(), CreateTransport.of(transport, tgtName))));
        target.referrals().forEach(referral -> entries.add(
                new ConfigEntry(ReferralMethods.ADD.name(), ReferralMethods.AddReferral.of(referral, tgtName))));
        List<NvmfSubsystem> subsystems = target.subsystems();
        List<NvmfSubsystem> made = subsystems.stream()
                .filter(subsystem -> subsystem.subtype() == NvmfSubsystem.Subtype.NVM).toList();
        made.forEach(subsystem -> entries.add(new ConfigEntry(SubsystemMethods.CREATE.name(),
                SubsystemMethods.CreateSubsystem.of(subsystem, tgtName))));
        made.forEach(this::hosts);
        made.forEach(this::namespaces);
        made.forEach(this::visibility);
        subsystems.forEach(this::listeners);
        return entries;
    }

    private void hosts(NvmfSubsystem subsystem) {
        subsystem.view().hosts().forEach(host -> entries.add(new ConfigEntry(HostMethods.ADD.name(),
                HostMethods.AddHost.of(subsystem.nqn(), host, tgtName))));
    }

    private void namespaces(NvmfSubsystem subsystem) {
        boolean ana = subsystem.options().anaReporting();
        subsystem.view().namespaces().forEach(namespace -> entries.add(new ConfigEntry(NamespaceMethods.ADD.name(),
                new NamespaceMethods.AddNamespace(subsystem.nqn(), NamespaceParams.of(namespace, ana), tgtName))));
    }

    private void visibility(NvmfSubsystem subsystem) {
        for (NvmfNamespace namespace : subsystem.view().namespaces()) {
            namespace.hosts().forEach(host -> entries.add(new ConfigEntry(HostMethods.SHOW_NAMESPACE.name(),
                    new HostMethods.NamespaceHost(subsystem.nqn(), namespace.nsid(), host, tgtName))));
        }
    }

    private void listeners(NvmfSubsystem subsystem) {
        for (NvmfListener listener : subsystem.view().listeners()) {
            entries.add(new ConfigEntry(ListenerMethods.ADD.name(),
                    ListenerMethods.AddListener.of(subsystem.nqn(), listener, tgtName)));
            listener.states().others().forEach((group, state) -> entries
                    .add(new ConfigEntry(ListenerMethods.SET_ANA_STATE.name(), new ListenerMethods.SetAnaState(
                            subsystem.nqn(), tgtName, ListenAddress.of(listener.address()), state,
                            OptionalLong.of(group)))));
        }
    }
}
