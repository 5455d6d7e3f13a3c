package io.spindrift.test.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import java.io.ByteArrayOutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What users' programs have done to targets, with whole ones.
@Timeout(60)
class FieldCasesTest {
    private static final int BDEVS = 1000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"bdev_null_create|'num_blocks': 8, 'block_size': 512",
            "bdev_malloc_create|'num_blocks': 8, 'block_size': 512", "bdev_uring_create|'filename': 'FILE'",
            "bdev_aio_create|'filename': 'FILE'"})
    void takesNamesOf255BytesAndNamesThatLimit(String methodAndParams) throws Exception {
        Path file = Files.write(folder.resolve("disk"), new byte[1 << 20]);
        String method = methodAndParams.substring(0, methodAndParams.indexOf('|'));
        String params = methodAndParams.substring(methodAndParams.indexOf('|') + 1).replace("FILE", file.toString());
        try (EmbeddedTarget target = EmbeddedTarget.start()) {
            for (int length : new int[]{256, 257}) {
                RpcException refusal = target.refusal(method,
                        "{'name': '" + "x".repeat(length) + "', " + params + "}");
                assertEquals(-22, refusal.code(), refusal.getMessage());
                assertTrue(refusal.getMessage().contains("255"), refusal.getMessage());
            }
            assertEquals(0, target.call("bdev_get_bdevs").size());
            String longest = "x".repeat(255);
            target.call(method, "{'name': '" + longest + "', " + params + "}");
            assertEquals(longest, target.call("bdev_get_bdevs").get(0).get("name").stringValue());
        }
    }

    @Test
    void listsAThousandBdevsToAClientThatReadsOneByteAtATime() throws Exception {
        Path socket = folder.resolve("rpc.sock");
        try (EmbeddedTarget target = EmbeddedTarget.start("spdk_tgt", options -> options.rpcAddress(socket.toString()));
                SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            for (int i = 0; i < BDEVS; i++) {
                target.call("bdev_null_create", "{'name': 'Null" + i + "', 'num_blocks': 8, 'block_size': 512}");
            }
            client.write(ByteBuffer.wrap("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"bdev_get_bdevs\"}"
                    .getBytes(StandardCharsets.UTF_8)));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (client.read(one.clear()) == 1 && one.get(0) != '\n') {
                reply.write(one.get(0));
            }
            JsonNode bdevs = Json.parse(reply.toByteArray()).get("result");
            assertEquals(BDEVS, bdevs.size());
            assertEquals("Null" + (BDEVS - 1), bdevs.get(BDEVS - 1).get("name").stringValue());
        }
    }
}
