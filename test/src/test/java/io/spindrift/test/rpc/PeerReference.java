package io.spindrift.test.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// What was recorded from the peer, and the methods that are implemented here.
public final class PeerReference {
    private PeerReference() {}

    /// Each method's command line: `rpc-cli.json`.
    public static JsonNode commandLines() {
        return read("rpc-cli.json");
    }

    /// Each method's parameters: `rpc-schema.json`.
    public static JsonNode schema() {
        return read("rpc-schema.json");
    }

    /// Requests and answers: `rpc-transcript.json`.
    public static JsonNode transcript() {
        return read("rpc-transcript.json");
    }

    /// What we answer differently on purpose: `rpc-transcript-differences.json`.
    static JsonNode transcriptDifferences() {
        return read("rpc-transcript-differences.json");
    }

    private static JsonNode read(String name) {
        try (InputStream file = PeerReference.class.getResourceAsStream("/reference/" + name)) {
            return Json.parse(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The methods of all modules on the tests' module path that the peer has, too.
    public static Stream<RpcMethod<?>> shared() {
        JsonNode peer = schema().get("methods");
        return all().stream().filter(method -> peer.has(method.name()));
    }

    /// The methods of all modules on the tests' module path.
    public static List<RpcMethod<?>> all() {
        return RpcCatalog.all(PeerReference.class.getModule().getLayer());
    }
}
