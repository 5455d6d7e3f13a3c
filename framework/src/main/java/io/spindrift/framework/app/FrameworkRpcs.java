package io.spindrift.framework.app;

import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import java.util.List;
import java.util.stream.Stream;

/// The methods of the groups `framework_*`, `thread_*`, `scheduler_*`, `log_*` and `notify_*`, which every application
/// has.
public final class FrameworkRpcs implements RpcCatalog {
    /// For the service loader.
    public FrameworkRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return Stream.of(LifecycleRpcs.methods(), ThreadRpcs.methods(), SchedulerSubsystem.methods(),
                MachineRpcs.methods(), LogRpcs.methods(), NotifyRpcs.methods())
                .<RpcMethod<?>>flatMap(List::stream).toList();
    }
}
