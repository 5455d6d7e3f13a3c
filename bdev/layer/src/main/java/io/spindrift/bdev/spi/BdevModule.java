package io.spindrift.bdev.spi;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcBinding;
import java.util.List;

/// A kind of block device, found as a service: `provides BdevModule with NullBdevModule`.
///
/// Each application has an instance of its own. Everything here runs on control threads.
public interface BdevModule {
    /// `null`, `malloc`: for messages and claims.
    String name();

    /// The module's RPC methods with what runs them. Asked for once, before [#init], so that all methods of a program are
    /// known before anything of it starts: those for the start-up state may be called before [#init], those for the
    /// run-time state only after it.
    default List<RpcBinding<?>> rpcs() {
        return List.of();
    }

    /// Prepares the module. Called once, after [#rpcs] and before any other method. If it throws, the module has given
    /// back what it had acquired: a program ends if the module is its own, and goes on without a plug-in's.
    void init(BdevModuleContext context) throws Exception;

    /// A device has appeared: the module may open, read and claim it, and register devices made from it.
    default void examine(Bdev bdev) throws Exception {}

    /// The module's own calls for `save_config`, before those of its devices.
    default List<ConfigEntry> config() {
        return List.of();
    }

    /// All devices are gone; frees what [#init] made.
    default void close() throws Exception {}
}
