package io.spindrift.test.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.rpc.Difference.Kind;
import io.spindrift.test.rpc.TranscriptDifferences.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Repeats exchanges of the transcript with a target of ours and compares the answers.
final class TranscriptReplay {
    /// Where the peer had the file behind its bdevs.
    private static final String PEERS_FOLDER = "/var/tmp/";

    /// Where the peer's target listened.
    private static final String PEERS_PORT = "\"4430\"";

    /// Whom the requests are sent to.
    interface Caller {
        JsonNode call(String method, JsonNode params) throws IOException;
    }

    private final Caller caller;
    private final TranscriptDifferences accepted;
    private final Path folder;
    private final int port;

    /// `folder` is where the files are that the peer had in its own, `port` is free for the target to listen at.
    TranscriptReplay(Caller caller, TranscriptDifferences accepted, Path folder, int port) {
        this.caller = caller;
        this.accepted = accepted;
        this.folder = folder;
        this.port = port;
    }

    /// Sends the request of the exchange with this number and returns a sentence for each difference that is not on
    /// purpose.
    List<String> replay(int number) throws IOException {
        JsonNode exchange = PeerReference.transcript().get("exchanges").get(number);
        String method = exchange.get("request").get("method").stringValue();
        JsonNode theirs = exchange.path("error");
        List<Difference> differences;
        int ourCode = 0;
        try {
            JsonNode result = caller.call(method, here(exchange.get("request").path("params")));
            differences = theirs.isMissingNode()
                    ? JsonComparison.compare("result", result, here(exchange.get("result")))
                    : List.of(new Difference(Kind.OUTCOME, "", "succeeds, the peer fails with " + theirs));
        } catch (RpcException e) {
            ourCode = e.code();
            differences = compareErrors(e, theirs);
        }
        return accepted.notOnPurpose(new Answer(number, method, theirs.path("message").asString(""), ourCode),
                differences);
    }

    private static List<Difference> compareErrors(RpcException ours, JsonNode theirs) {
        String text = "fails with " + ours.code() + " " + ours.getMessage() + ", the peer ";
        if (theirs.isMissingNode()) {
            return List.of(new Difference(Kind.OUTCOME, "", text + "succeeds"));
        }
        return theirs.get("code").intValue() == ours.code()
                ? List.of()
                : List.of(new Difference(Kind.CODE, "", text + "with " + theirs));
    }

    private JsonNode here(JsonNode tree) {
        return tree.isMissingNode()
                ? null
                : Json.parse(Json.compact(tree).replace(PEERS_FOLDER, folder + "/")
                        .replace(PEERS_PORT, "\"" + port + "\""));
    }
}
