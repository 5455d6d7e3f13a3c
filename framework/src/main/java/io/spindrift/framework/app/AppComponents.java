package io.spindrift.framework.app;

import io.spindrift.framework.rpc.RpcLog;
import java.util.List;
import java.util.Optional;

/// What a program adds to the framework to be an [Application]. Control path.
public interface AppComponents {
    /// Makes the program's subsystems, in any order. Called once, before anything starts; `application` gives what they
    /// are built on.
    List<Subsystem> subsystems(Application application) throws Exception;

    /// What is told of all RPC traffic, besides the application's log. Asked for after [#subsystems].
    default Optional<RpcLog> rpcLog() {
        return Optional.empty();
    }

    /// Runs the program's own job, if it has one, once everything has started; on a control thread of its own. A
    /// program that ends by itself calls [Application#stop(int)] at the end; what is thrown here ends it with status 1.
    default void started(Application application) throws Exception {}

    /// Ends the program's own job: returns when it uses no subsystem any more. Called before the subsystems are shut
    /// down, if everything had started.
    default void stopping(Application application) throws Exception {}
}
