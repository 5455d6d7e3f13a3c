package io.spindrift.framework.app;

import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.List;

/// A part of an application with a life of its own: the block layer, a target.
///
/// An [Application] makes its subsystems, registers their RPCs, and starts them after those they depend on; it stops
/// them in the opposite order. All methods run on the control path and may wait.
public interface Subsystem {
    /// The name in configuration files and in `framework_get_subsystems`.
    String name();

    /// Names of the subsystems that must have started before this one.
    default List<String> dependsOn() {
        return List.of();
    }

    /// Adds this subsystem's RPCs, all of them. Called once, before anything starts; those for the start-up state may be
    /// called before [#init()]. What it throws ends the application, with the message told to the user.
    default void registerRpcs(RpcRegistry rpcs) throws Exception {}

    /// Starts it. What it throws ends the application, with the message told to the user.
    void init() throws Exception;

    /// Ends it: returns when nothing of it runs any more. Called once, if and only if [#init()] succeeded.
    void shutdown() throws Exception;

    /// The calls that would bring a new application to the present state, in order.
    default List<ConfigEntry> config() {
        return List.of();
    }
}
