package io.spindrift.framework.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
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

    /// Runs what `text` asks for, one after the other if it is a batch; calls that wait for an event go on among
    /// `waiting`. The reply is there as soon as the last of them has ended, which completes it on its thread; it is
    /// empty if none is wanted.
    ///
    /// A batch ends early, with an error without id, when its answers have [BatchAnswers#MOST_CHARACTERS] or `waiting` is
    /// cancelled. Throws [RpcException] with code -32700 if it is no JSON.
    CompletableFuture<Optional<String>> process(byte[] text, WaitingCalls waiting) {
        List<String> duplicates = new ArrayList<>();
        JsonNode request;
        try {
            request = Json.parse(text, 0, text.length, duplicates::add);
        } catch (JsonException e) {
            throw new RpcException(RpcException.PARSE_ERROR, "the request is no JSON: " + e.getMessage(), e);
        }
        if (!request.isArray()) {
            return one(request, "", duplicates, waiting);
        }
        if (request.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(text(error(null,
                    new RpcException(RpcException.INVALID_REQUEST, "the batch is empty")))));
        }
        return batch(request, duplicates, waiting);
    }

    private CompletableFuture<Optional<String>> batch(JsonNode requests, List<String> duplicates,
            WaitingCalls waiting) {
        BatchAnswers answers = new BatchAnswers();
        for (int i = 0; i < requests.size(); i++) {
            Optional<String> end = answers.full()
                    ? Optional.of("the answers to a batch may have " + BatchAnswers.MOST_CHARACTERS + " characters")
                    : waiting.cancelled() ? Optional.of("the connection is closed") : Optional.empty();
            if (end.isPresent()) {
                answers.add(CompletableFuture.completedFuture(Optional.of(text(error(null, RpcException.internal(
                        end.get() + ": [" + i + "] and what follows it was not run"))))));
                break;
            }
            answers.add(one(requests.get(i), "[" + i + "].", duplicates, waiting));
        }
        return answers.array();
    }

    private CompletableFuture<Optional<String>> one(JsonNode request, String path, List<String> duplicates,
            WaitingCalls waiting) {
        try {
            requireValid(request, path, duplicates);
        } catch (RpcException e) {
            // The peer, and the specification where the request is not understood, answer with the id null.
            return CompletableFuture.completedFuture(Optional.of(text(error(null, e))));
        }
        Optional<JsonNode> id = Optional.ofNullable(request.get("id"));
        try {
            refuseDuplicates(path + "params.", path, duplicates, RpcException.INVALID_PARAMS);
            RpcCall call = registry.begin(request.get("method").stringValue(), request.get("params"));
            return call.waits()
                    ? waiting.run(() -> answer(id, call))
                    : CompletableFuture.completedFuture(answer(id, call));
        } catch (RpcException e) {
            return CompletableFuture.completedFuture(refusal(id, e));
        }
    }

    private Optional<String> answer(Optional<JsonNode> id, RpcCall call) {
        try {
            JsonNode result = call.result(); // also for a notification, which asks for the work without the answer
            return id.map(given -> text(reply(given).set("result", result)));
        } catch (RpcException e) {
            return refusal(id, e);
        }
    }

    private Optional<String> refusal(Optional<JsonNode> id, RpcException e) {
        if (e.code() == RpcException.INTERNAL_ERROR && e.getCause() != null) {
            log.failed(e.getMessage(), e.getCause());
        }
        return id.map(given -> text(error(given, e)));
    }

    private static String text(JsonNode reply) {
        return Json.compact(reply);
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
