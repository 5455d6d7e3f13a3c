package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The application answered a call with an error. The message shows both, as the peer's client prints them.
final class CallException extends Exception {
    private static final long serialVersionUID = 1L;

    CallException(String method, JsonNode params, RpcException error) {
        super(text(method, params, error), error);
    }

    private static String text(String method, JsonNode params, RpcException error) {
        ObjectNode response = Json.emptyObject();
        response.put("code", error.code());
        response.put("message", error.getMessage());
        return String.join("\n", "request:", Json.indented(request(method, params), 2), "Got JSON-RPC error response",
                "response:", Json.indented(response, 2));
    }

    /// A call as it is shown to the user.
    static ObjectNode request(String method, JsonNode params) {
        ObjectNode request = Json.emptyObject();
        request.put("method", method);
        if (params != null && !params.isEmpty()) {
            request.set("params", params);
        }
        return request;
    }
}
