package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcMethod;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// What can be typed after `rpc`: a method's name, or that of a command that makes several calls.
///
/// @param method what is typed
/// @param action what is done
/// @param local  whether it is a command of this program rather than a method of the application
record Command(RpcMethod<?> method, Action action, boolean local) {

    /// What a command does with its parameters; the text is printed, if there is one.
    @FunctionalInterface
    interface Action {
        Optional<String> run(Calls calls, JsonNode params) throws CallException, IOException, UsageException;
    }

    /// Calls the method and prints its result.
    static Command of(RpcMethod<?> method) {
        return new Command(method,
                (calls, params) -> Optional.of(text(calls.call(method.name(), params))), false);
    }

    /// A result as it is printed: strings and booleans bare, anything else as indented JSON.
    static String text(JsonNode result) {
        return result.isString() ? result.stringValue() : Json.indented(result, 2);
    }
}
