package io.spindrift.test.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.OpenBdev;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A program attaches to another's NVMe over TCP, uses it as a bdev, and lets it go.
class BdevAttachTest {
    private ServedDisk disk;
    private EmbeddedTarget host;

    @BeforeEach
    void start() throws Exception {
        disk = new ServedDisk();
        host = EmbeddedTarget.start();
    }

    @AfterEach
    void stop() {
        host.close();
        disk.close();
    }

    private JsonNode attach() {
        return host.call("bdev_nvme_attach_controller", disk.attach("127.0.0.1", ""));
    }

    @Test
    void answersWithItsBdevsAndReadsWhatWasWritten() {
        assertEquals("[\"Nvme0n1\"]", attach().toString());
        MemoryRegion region = host.application().memory().allocate("test", 8192);
        IoVector written = new IoVector(1);
        IoVector read = new IoVector(1);
        written.set(region, 0, 4096);
        read.set(region, 4096, 4096);
        written.fill((byte) 0x5a);
        try (OpenBdev bdev = OpenBdev.open(host, "Nvme0n1", host.application().reactors().appThread())) {
            assertEquals(ServedDisk.BLOCKS, bdev.bdev().numBlocks());
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.write(written, 16, 8, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.read(read, 16, 8, end)));
            assertEquals(0x5a, region.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 8191));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.writeZeroes(16, 8, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.read(read, 16, 8, end)));
            assertEquals(0, region.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 8191));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.flush(0, 8, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.unmap(0, ServedDisk.BLOCKS, end)));
            assertEquals(BdevStatus.MISCOMPARE,
                    bdev.run((channel, end) -> channel.compare(written, 16, 8, null, end)));
            assertEquals(BdevStatus.SUCCESS,
                    bdev.run((channel, end) -> channel.compareAndWrite(read, written, 16, 8, null, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.compare(written, 16, 8, null, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.copy(100, 16, 8, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.compare(written, 100, 8, null, end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.reset(end)));
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.compare(written, 100, 8, null, end)));
        }
        host.application().memory().free(region);
    }

    @Test
    void showsTheControllerAndForgetsItWhenItIsDetached() {
        attach();
        JsonNode shown = host.call("bdev_nvme_get_controllers").get(0);
        assertEquals("Nvme0", shown.get("name").stringValue());
        JsonNode controller = shown.get("ctrlrs").get(0);
        assertEquals("enabled", controller.get("state").stringValue());
        assertEquals(ServedDisk.NQN, controller.get("trid").get("subnqn").stringValue());
        JsonNode bdev = host.call("bdev_get_bdevs", "{'name': 'Nvme0n1'}").get(0);
        assertEquals("NVMe disk", bdev.get("product_name").stringValue());
        assertEquals(disk.program.call("bdev_get_bdevs").get(0).get("uuid").stringValue(),
                bdev.get("uuid").stringValue());
        assertEquals("optimized", bdev.get("driver_specific").get("nvme").get(0).get("ns_data").get("ana_state")
                .stringValue());
        host.call("bdev_nvme_detach_controller", "{'name': 'Nvme0'}");
        assertEquals(0, host.call("bdev_nvme_get_controllers").size());
        assertEquals(0, host.call("bdev_get_bdevs").size());
        attach();
    }

    @Test
    void saysWhatIsWrongAndLeavesTheNameFree() throws Exception {
        RpcException refused = host.refusal("bdev_nvme_attach_controller",
                disk.attach("127.0.0.1", "").replace("'" + disk.port + "'", "'" + ServedDisk.freePort() + "'"));
        assertEquals(-Errno.EIO, refused.code());
        assertTrue(refused.getMessage().contains("refused"), refused::getMessage);
        refused = host.refusal("bdev_nvme_attach_controller",
                disk.attach("127.0.0.1", "").replace("'TCP'", "'carrier'"));
        assertEquals(-Errno.ENODEV, refused.code());
        assertTrue(refused.getMessage().contains("trtype=CARRIER"), refused::getMessage);
        refused = host.refusal("bdev_nvme_attach_controller",
                disk.attach("127.0.0.1", "").replace("cnode1", "cnode2"));
        assertTrue(refused.getMessage().contains("cnode2"), refused::getMessage);
        attach();
    }

    @Test
    void takesNamespacesAsTheyComeAndGoAndGrow() throws Exception {
        attach();
        disk.program.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 2048, 'block_size': 512}");
        disk.addNamespace("Null0", 7);
        JsonNode appeared = host.call("bdev_get_bdevs", "{'name': 'Nvme0n7', 'timeout': 20000}").get(0);
        assertEquals(2048, appeared.get("num_blocks").intValue());
        disk.program.call("bdev_null_resize", "{'name': 'Null0', 'new_size': 2}");
        await("the new size", () -> host.registry().get("Nvme0n7").numBlocks() == 4096);
        disk.removeNamespace(7);
        await("its end", () -> host.registry().find("Nvme0n7").isEmpty());
        assertEquals(List.of("Nvme0n1"), host.registry().bdevs().stream().map(bdev -> bdev.name()).toList());
    }

    interface Condition {
        boolean holds();
    }

    /// Without a limit of its own: the test's time-out ends what never comes.
    static void await(String what, Condition condition) throws InterruptedException {
        while (!condition.holds()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("waiting for " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }
}
