package io.spindrift.framework.rpc;

/// What the user types, when it differs from what the method takes: `bdev_null_create` takes `num_blocks`, and its
/// command line a size in MiB.
///
/// Implemented by a record whose components are the command's arguments.
public interface CliForm<P extends Record> {
    /// The parameters that the typed arguments mean. Throws `IllegalArgumentException` with a sentence for the user.
    P toParams();
}
