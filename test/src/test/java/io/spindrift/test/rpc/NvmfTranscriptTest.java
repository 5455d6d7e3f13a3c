package io.spindrift.test.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.test.nvmf.NvmfApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The peer's recorded exchanges about its NVMe over Fabrics target, as [PeerTranscriptTest] repeats the others.
class NvmfTranscriptTest {
    private static final int IMAGE_BYTES = 1 << 20;
    private static final int NULL0_IS_CREATED = 24;
    private static final int U0_IS_CREATED = 63;
    private static final int CONFIG_IS_SHOWN = 114;

    /// Requests that the transcript has left out, by the number of the exchange that shows what they did.
    private static final Map<Integer, Map<String, String>> LEFT_OUT = Map.of(84,
            Map.of("nvmf_subsystem_add_ns",
                    "{'nqn': 'nqn.2016-06.io.spdk:cnode1', 'namespace': {'bdev_name': 'U0', 'nsid': 5}}"),
            CONFIG_IS_SHOWN, Map.of("bdev_null_delete", "{'name': 'Null0'}"));

    private static final String ON_PURPOSE = """
            [{"kind": "value", "path": "result[].namespaces[].uuid", "method": "nvmf_get_subsystems",
              "reason": "that of the bdev, which is random where none is given"},
             {"kind": "value", "path": "result[].namespaces[].nguid", "method": "nvmf_get_subsystems",
              "reason": "that of the bdev, which is random where none is given"},
             {"kind": "value", "path": "result.tick_rate", "method": "nvmf_get_stats",
              "reason": "ticks are nanoseconds, not cycles of the processor's counter"}]
            """;

    @TempDir
    Path folder;

    @Test
    void answersAsThePeerDid() throws Exception {
        Files.write(folder.resolve("aio.img"), new byte[IMAGE_BYTES]);
        TranscriptDifferences accepted = new TranscriptDifferences(Json.parse(ON_PURPOSE));
        List<String> faults = new ArrayList<>();
        int replayed = 0;
        try (NvmfApplication application = NvmfApplication.start()) {
            TranscriptReplay replay = new TranscriptReplay(application::call, accepted, folder);
            JsonNode exchanges = PeerReference.transcript().get("exchanges");
            for (int i = 0; i < exchanges.size(); i++) {
                String method = exchanges.get(i).get("request").get("method").stringValue();
                if (method.startsWith("nvmf_") || i == NULL0_IS_CREATED || i == U0_IS_CREATED || i == CONFIG_IS_SHOWN) {
                    LEFT_OUT.getOrDefault(i, Map.of()).forEach(application::call);
                    faults.addAll(replay.replay(i));
                    replayed++;
                }
            }
        }
        faults.addAll(accepted.faults());
        assertEquals("", String.join("\n", faults));
        assertTrue(replayed >= 35, replayed + " exchanges were replayed");
    }
}
