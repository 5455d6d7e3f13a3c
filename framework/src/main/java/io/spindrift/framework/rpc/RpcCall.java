package io.spindrift.framework.rpc;

import tools.jackson.databind.JsonNode;

/// A call whose handler has returned.
///
/// @param method the name that was called
/// @param outcome what the handler returned
record RpcCall(String method, Object outcome) {
    /// Whether [#result()] waits for an event.
    boolean waits() {
        return outcome instanceof RpcWait;
    }

    /// The result, after the event if the call waits for one. Once; throws [RpcException] for everything that goes
    /// wrong.
    JsonNode result() {
        try {
            return Json.tree(outcome instanceof RpcWait wait ? wait.rest().call() : outcome);
        } catch (Throwable e) { // an error of one call is no reason to end the connection or the application
            throw RpcRegistry.failure(method, e);
        }
    }
}
