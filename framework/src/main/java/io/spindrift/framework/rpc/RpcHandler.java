package io.spindrift.framework.rpc;

/// What runs when a method is called.
@FunctionalInterface
public interface RpcHandler<P extends Record> {
    /// Does the work and returns the result: a record, map, list, string, boolean, number or JSON tree. A method that
    /// has nothing to say returns `true`, one that must wait for an event an [RpcWait].
    ///
    /// Runs on a virtual thread, the calls of one client one after the other; may block, and calls into reactors with
    /// `thread.call(...)`. [RpcException] is answered with its code, an `IllegalArgumentException` as invalid
    /// parameters, an `ErrnoException` with the negated error number, anything else as an internal error.
    Object handle(P params) throws Exception;
}
