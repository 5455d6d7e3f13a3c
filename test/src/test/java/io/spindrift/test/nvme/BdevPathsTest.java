package io.spindrift.test.nvme;

import static io.spindrift.test.nvme.BdevAttachTest.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.OpenBdev;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A bdev with two paths to one target, 127.0.0.2 and 127.0.0.3: I/O goes on when one is taken away, and comes back to it.
class BdevPathsTest {
    private static final String PATIENT = "'ctrlr_loss_timeout_sec': -1, 'reconnect_delay_sec': 1";

    private ServedDisk disk;
    private EmbeddedTarget host;
    private MemoryRegion region;
    private OpenBdev bdev;

    @BeforeEach
    void attachBoth() throws Exception {
        disk = new ServedDisk();
        disk.listen("127.0.0.2");
        disk.listen("127.0.0.3");
        host = EmbeddedTarget.start();
        host.call("bdev_nvme_attach_controller", disk.attach("127.0.0.2", PATIENT));
        host.call("bdev_nvme_attach_controller", disk.attach("127.0.0.3", PATIENT));
        region = host.application().memory().allocate("test", 4096);
        bdev = OpenBdev.open(host, "Nvme0n1", host.application().reactors().appThread());
        read();
    }

    @AfterEach
    void stop() {
        bdev.close();
        host.application().memory().free(region);
        host.close();
        disk.close();
    }

    private void read() {
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.read(data, 0, 8, end)));
    }

    /// Which address I/O takes now.
    private String current() {
        for (JsonNode path : host.call("bdev_nvme_get_io_paths", "{'name': 'Nvme0n1'}").get("poll_groups").get(0)
                .get("io_paths")) {
            if (path.get("current").booleanValue() && path.get("connected").booleanValue()) {
                return path.get("transport").get("traddr").stringValue();
            }
        }
        return "";
    }

    private String state(int path) {
        return host.call("bdev_nvme_get_controllers").get(0).get("ctrlrs").get(path).get("state").stringValue();
    }

    @Test
    void goesOnWhenAListenerIsTakenAwayAndComesBackToIt() throws Exception {
        await("the first path", () -> {
            read();
            return current().equals("127.0.0.2");
        });
        disk.stopListening("127.0.0.2");
        long began = System.nanoTime();
        while (!current().equals("127.0.0.3")) {
            read();
        }
        read();
        long gapMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertTrue(gapMillis < 5000, "I/O went on after " + gapMillis + " ms");
        assertEquals("enabled", state(1));
        disk.listen("127.0.0.2");
        await("the path to be back", () -> {
            read();
            return current().equals("127.0.0.2");
        });
        await("the controller to be told of as enabled", () -> state(0).equals("enabled"));
    }

    @Test
    void leavesAPathThatBecomesInaccessible() throws Exception {
        disk.anaState("127.0.0.2", "inaccessible");
        await("the other path", () -> {
            read();
            return current().equals("127.0.0.3");
        });
        disk.anaState("127.0.0.3", "non_optimized");
        disk.anaState("127.0.0.2", "optimized");
        await("the better path", () -> {
            read();
            return current().equals("127.0.0.2");
        });
    }

    @Test
    void keepsTheBdevWhenOnePathIsDetached() {
        host.call("bdev_nvme_detach_controller", "{'name': 'Nvme0', 'traddr': '127.0.0.2'}");
        read();
        JsonNode controllers = host.call("bdev_nvme_get_controllers").get(0).get("ctrlrs");
        assertEquals(1, controllers.size());
        assertEquals("127.0.0.3", controllers.get(0).get("trid").get("traddr").stringValue());
    }
}
