package io.spindrift.test.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcAddress;
import io.spindrift.framework.rpc.RpcClient;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The peer's recorded exchanges, repeated one after another with a target of ours, for every method that it has.
///
/// Compared are the code of an error, and of a result the keys, types and values, recursively. What differs on purpose
/// is in a table, see [TranscriptDifferences].
class PeerTranscriptTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int IMAGE_BYTES = 1 << 20;

    /// Requests that the transcript has left out, by the number of the exchange that shows what they did.
    private static final Map<Integer, Map<String, String>> LEFT_OUT = Map.of(84,
            Map.of("nvmf_subsystem_add_ns",
                    "{'nqn': 'nqn.2016-06.io.spdk:cnode1', 'namespace': {'bdev_name': 'U0', 'nsid': 5}}"),
            113, Map.of("bdev_null_delete", "{'name': 'Null0'}"));

    @TempDir
    Path folder;

    private final TranscriptDifferences accepted = new TranscriptDifferences(PeerReference.transcriptDifferences());

    @Test
    void answersAsThePeerDid() throws Exception {
        Files.write(folder.resolve("aio.img"), new byte[IMAGE_BYTES]);
        Path socket = folder.resolve("rpc.sock");
        List<String> faults = new ArrayList<>();
        int replayed = 0;
        int skipped = 0;
        JsonNode exchanges = PeerReference.transcript().get("exchanges");
        try (EmbeddedTarget target = EmbeddedTarget.start("spdk_tgt", options -> options.rpcAddress(socket.toString()));
                RpcClient client = RpcClient.connect(RpcAddress.parse(socket.toString()), LIMIT)) {
            TranscriptReplay replay = new TranscriptReplay(client::call, accepted, folder, freePort());
            for (int i = 0; i < exchanges.size(); i++) {
                JsonNode exchange = exchanges.get(i);
                String method = exchange.get("request").get("method").stringValue();
                if (target.application().rpcs().method(method).isPresent() || isUnknownToPeer(exchange)) {
                    LEFT_OUT.getOrDefault(i, Map.of()).forEach(target::call);
                    faults.addAll(replay.replay(i));
                    replayed++;
                } else {
                    skipped++;
                }
            }
        }
        System.out.println("transcript: " + replayed + " exchanges replayed, " + skipped
                + " skipped because their methods are not implemented");
        faults.addAll(accepted.faults());
        assertEquals("", String.join("\n", faults));
        assertTrue(replayed >= 100, replayed + " exchanges were replayed");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static boolean isUnknownToPeer(JsonNode exchange) {
        return exchange.path("error").path("code").asInt(0) == RpcException.METHOD_NOT_FOUND;
    }
}
