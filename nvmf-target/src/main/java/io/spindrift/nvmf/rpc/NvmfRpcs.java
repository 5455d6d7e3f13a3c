package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import java.util.List;
import java.util.stream.Stream;

/// The methods of the target; [NvmfTargetSubsystem] answers them.
public final class NvmfRpcs implements RpcCatalog {
    /// For the service loader.
    public NvmfRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return Stream.of(
                List.<RpcMethod<?>>of(SettingsMethods.SET_CONFIG, SettingsMethods.SET_MAX_SUBSYSTEMS,
                        SettingsMethods.SET_CRDT),
                TargetMethods.ALL, TransportMethods.ALL, ReferralMethods.ALL, SubsystemMethods.ALL, HostMethods.ALL,
                ListenerMethods.ALL, NamespaceMethods.ALL).<RpcMethod<?>>flatMap(List::stream).toList();
    }
}
