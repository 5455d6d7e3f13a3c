package io.spindrift.bdev.spi;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.rpc.ConfigEntry;
import java.util.List;

/// A kind of block device, found as a service: `provides BdevModule with NullBdevModule`.
///
/// Each application has an instance of its own. Everything here runs on control threads.
public interface BdevModule {
    /// `null`, `malloc`: for messages and claims.
    String name();

    /// Prepares the module and registers its RPC methods. Called once, before any other method.
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
