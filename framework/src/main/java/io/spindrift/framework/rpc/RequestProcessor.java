package io.spindrift.framework.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// From the text of a request to the text of its reply, as JSON-RPC 2.0 says: https://www.jsonrpc.org/specification
///
/// Any thread that may block.
final class RequestProcessor {
    private static final List<String> MEMBERS = List.of("jsonrpc", "method", "params", "id");

    private final RpcRegistry registry;
    private final RpcLog log;

    RequestProcessor(RpcRegistry registry, RpcLog log) {
        this.registry = registry;
        this.log = log;
    }

    /// Runs what `text` asks for, one after the other if it is a batch. Empty if no reply is wanted.
    ///
    /// Throws [RpcException] with code -32700 if it is no JSON.
    Optional<JsonNode> process(byte[] text) {
        List<String> duplicates = new ArrayList<>();
        JsonNode request;
        try {
            request = Json.parse(text, 0, text.length, duplicates::add);
        } catch (JsonException e) {
            throw new RpcException(RpcException.PARSE_ERROR, "the request is no JSON: " + e.getMessage(), e);
        }
        if (!request.isArray()) {
            return one(request, "", duplicates);
        }
        if (request.isEmpty()) {
            return Optional.of(error(null, new RpcException(RpcException.INVALID_REQUEST, "the batch is empty")));
        }
        ArrayNode replies = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < request.size(); i++) {
            one(request.get(i), "[" + i + "].", duplicates).ifPresent(replies::add);
        }
        return replies.isEmpty() ? Optional.empty() : Optional.of(replies);
    }

    private Optional<JsonNode> one(JsonNode request, String path, List<String> duplicates) {
        try {
            requireValid(request, path, duplicates);
        } catch (RpcException e) {
            // The peer, and the specification where the request is not understood, answer with the id null.
            return Optional.of(error(null, e));
        }
        JsonNode id = request.get("id");
        JsonNode reply;
        try {
            refuseDuplicates(path + "params.", path, duplicates, RpcException.INVALID_PARAMS);
            reply = reply(id).set("result", registry.dispatch(request.get("method").stringValue(),
                    request.get("params")));
        } catch (RpcException e) {
            if (e.code() == RpcException.INTERNAL_ERROR && e.getCause() != null) {
                log.failed(e.getMessage(), e.getCause());
            }
            reply = error(id, e);
        }
        return id == null ? Optional.empty() : Optional.of(reply);
    }

    private static void requireValid(JsonNode request, String path, List<String> duplicates) {
        if (!request.isObject()) {
            throw invalid("a request is an object");
        }
        for (String member : request.propertyNames()) {
            if (!MEMBERS.contains(member)) {
                throw invalid(member + " is no member of a request; known are " + String.join(", ", MEMBERS));
            }
        }
        JsonNode version = request.get("jsonrpc");
        if (version != null && !(version.isString() && version.stringValue().equals("2.0"))) {
            throw invalid("jsonrpc=" + Json.excerpt(version) + " must be \"2.0\"");
        }
        JsonNode method = request.get("method");
        if (method == null) {
            throw invalid("method is missing");
        }
        if (!method.isString()) {
            throw invalid("method=" + Json.excerpt(method) + " must be a string");
        }
        for (String member : MEMBERS) {
            if (duplicates.contains(path + member)) {
                throw invalid(member + " appears twice");
            }
        }
    }

    private static void refuseDuplicates(String prefix, String path, List<String> duplicates, int code) {
        for (String duplicate : duplicates) {
            if (duplicate.startsWith(prefix)) {
                throw new RpcException(code, duplicate.substring(path.length()) + " appears twice");
            }
        }
    }

    private static RpcException invalid(String message) {
        return new RpcException(RpcException.INVALID_REQUEST, "Invalid request: " + message);
    }

    private static ObjectNode reply(JsonNode id) {
        ObjectNode reply = Json.emptyObject();
        reply.put("jsonrpc", "2.0");
        reply.set("id", id == null ? JsonNodeFactory.instance.nullNode() : id);
        return reply;
    }

    /// The reply to a request with `id` (null for none) that failed.
    static ObjectNode error(JsonNode id, RpcException failure) {
        ObjectNode error = Json.emptyObject();
        error.put("code", failure.code());
        error.put("message", failure.getMessage());
        ObjectNode reply = reply(id);
        reply.set("error", error);
        return reply;
    }
}
