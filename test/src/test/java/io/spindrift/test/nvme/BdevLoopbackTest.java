package io.spindrift.test.nvme;

import static io.spindrift.test.nvme.BdevAttachTest.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.test.tgt.EmbeddedTarget;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A program that attaches to its own target, and two that attach to each other: nothing waits for itself.
class BdevLoopbackTest {
    @Test
    void attachesToItsOwnTargetAndResizesBehindIt() throws Exception {
        try (ServedDisk own = new ServedDisk()) {
            own.program.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 2048, 'block_size': 512}");
            own.addNamespace("Null0", 2);
            JsonNode names = own.program.call("bdev_nvme_attach_controller", own.attach("127.0.0.1", ""));
            assertEquals("[\"Nvme0n1\",\"Nvme0n2\"]", names.toString());
            own.program.call("bdev_null_resize", "{'name': 'Null0', 'new_size': 2}");
            await("the new size", () -> own.program.registry().get("Nvme0n2").numBlocks() == 4096);
            own.removeNamespace(2);
            await("its end", () -> own.program.registry().find("Nvme0n2").isEmpty());
            own.program.call("bdev_nvme_detach_controller", "{'name': 'Nvme0'}");
            own.program.call("bdev_nvme_attach_controller", own.attach("127.0.0.1", ""));
            assertEquals(0, own.program.stop());
        }
    }

    @Test
    void attachesTwoProgramsToEachOtherAtOnce() throws Exception {
        try (ServedDisk one = new ServedDisk(); ServedDisk other = new ServedDisk()) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<JsonNode> there = CompletableFuture.supplyAsync(
                        () -> one.program.call("bdev_nvme_attach_controller", other.attach("127.0.0.1", "")));
                JsonNode here = other.program.call("bdev_nvme_attach_controller", one.attach("127.0.0.1", ""));
                assertEquals(here, there.join());
                CompletableFuture<JsonNode> gone = CompletableFuture.supplyAsync(
                        () -> one.program.call("bdev_nvme_detach_controller", "{'name': 'Nvme0'}"));
                other.program.call("bdev_nvme_detach_controller", "{'name': 'Nvme0'}");
                gone.join();
            }
            one.program.call("bdev_nvme_attach_controller", other.attach("127.0.0.1", ""));
            other.program.call("bdev_nvme_attach_controller", one.attach("127.0.0.1", ""));
            one.addNamespace("Nvme0n1", 9); // what it has from the other, to the other
            await("the bdev that is one's of the other's", () -> other.program.registry().find("Nvme0n9").isPresent());
            CompletableFuture<Integer> ending = CompletableFuture.supplyAsync(() -> stop(one.program));
            assertEquals(0, stop(other.program));
            assertEquals(0, ending.join());
        }
    }

    private static int stop(EmbeddedTarget program) {
        try {
            return program.stop();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void passesCommandsOnAndShowsTheHealth() throws Exception {
        try (ServedDisk own = new ServedDisk()) {
            own.program.call("bdev_nvme_attach_controller", own.attach("127.0.0.1", ""));
            byte[] identify = new byte[64];
            identify[0] = 6;
            identify[40] = 1;
            JsonNode answer = own.program.call("bdev_nvme_send_cmd",
                    "{'name': 'Nvme0', 'cmd_type': 'admin', 'data_direction': 'c2h', 'data_len': 4096, 'cmdbuf': '"
                            + Base64.getUrlEncoder().encodeToString(identify) + "'}");
            byte[] page = Base64.getUrlDecoder().decode(answer.get("data").stringValue());
            assertEquals("SER1", new String(page, 4, 4, java.nio.charset.StandardCharsets.US_ASCII));
            byte[] read = new byte[64];
            read[0] = 2;
            read[4] = 1;
            answer = own.program.call("bdev_nvme_send_cmd",
                    "{'name': 'Nvme0', 'cmd_type': 'io', 'data_direction': 'c2h', 'data_len': 512, 'cmdbuf': '"
                            + Base64.getUrlEncoder().encodeToString(read) + "'}");
            assertEquals(512, Base64.getUrlDecoder().decode(answer.get("data").stringValue()).length);
            assertEquals(0, Base64.getUrlDecoder().decode(answer.get("cpl").stringValue())[14]);
            JsonNode health = own.program.call("bdev_nvme_get_controller_health_info", "{'name': 'Nvme0'}");
            assertEquals("SER1", health.get("serial_number").stringValue());
            assertEquals("TCP", own.program.call("bdev_nvme_get_transport_statistics").get("poll_groups").get(0)
                    .get("transports").get(0).get("trname").stringValue());
        }
    }
}
