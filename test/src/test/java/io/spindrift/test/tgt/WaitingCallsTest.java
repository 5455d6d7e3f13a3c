package io.spindrift.test.tgt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.rpc.Json;
import java.io.BufferedReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Calls that wait for what a later request of the same connection brings about.
@Timeout(60)
class WaitingCallsTest {
    @TempDir
    Path folder;

    @Test
    void aClientMayAskForABdevBeforeItCreatesIt() throws Exception {
        String socket = folder.resolve("rpc.sock").toString();
        try (EmbeddedTarget target = EmbeddedTarget.start("spdk_tgt", options -> options.rpcAddress(socket));
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap("""
                    {"id": 1, "method": "bdev_get_bdevs", "params": {"name": "Null0", "timeout": 9223372036854775807}}
                    {"id": 2, "method": "bdev_wait_for_examine"}
                    {"id": 3, "method": "bdev_null_create",
                     "params": {"name": "Null0", "num_blocks": 8, "block_size": 512}}
                    """.getBytes(StandardCharsets.UTF_8)));
            BufferedReader replies = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            Map<Integer, JsonNode> results = new HashMap<>();
            for (int i = 0; i < 3; i++) {
                JsonNode reply = Json.parse(replies.readLine());

                results.put(reply.get("id").intValue(), reply.get("result"));
            }

            assertEquals("Null0", results.get(1).get(0).get("name").stringValue());
            assertEquals(Json.parse("true"), results.get(2));
            assertEquals("Null0", results.get(3).stringValue());
            assertEquals(8, target.registry().get("Null0").numBlocks());
        }
    }
}
