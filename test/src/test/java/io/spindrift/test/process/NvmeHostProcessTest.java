package io.spindrift.test.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.test.tgt.EmbeddedTarget;
import io.spindrift.test.tgt.OpenBdev;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of an NVMe bdev whose target is a process that is killed.
class NvmeHostProcessTest {
    private static final String NQN = "nqn.2016-06.io.spdk:cnode1";
    private static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";

    @TempDir
    Path folder;

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static String address(int port) {
        return "'trtype': 'TCP', 'adrfam': 'IPv4', 'traddr': '127.0.0.1', 'trsvcid': '" + port + "'";
    }

    private TargetProcess target(String name) throws Exception {
        TargetProcess target = TargetProcess.of("nvmf_tgt", Files.createDirectory(folder.resolve(name))).awaitReady();
        target.call("nvmf_create_transport", "{'trtype': 'TCP'}");
        return target;
    }

    private static void listen(TargetProcess target, String nqn, int port) throws Exception {
        target.call("nvmf_subsystem_add_listener",
                "{'nqn': '" + nqn + "', 'listen_address': {" + address(port) + "}}");
    }

    @Test
    void failsItsIoAndGoesWhenTheTargetIsKilledAndComesBackEmpty() throws Exception {
        int port = freePort();
        try (EmbeddedTarget host = EmbeddedTarget.start()) {
            TargetProcess first = target("first");
            first.call("bdev_null_create", "{'name': 'Null0', 'num_blocks': 2048, 'block_size': 512}");
            first.call("nvmf_create_subsystem", "{'nqn': '" + NQN + "', 'allow_any_host': true}");
            listen(first, NQN, port);
            String attach = "{'name': 'Nvme0', " + address(port) + ", 'subnqn': '" + NQN
                    + "', 'ctrlr_loss_timeout_sec': 2, 'reconnect_delay_sec': 1}";
            assertEquals(0, host.call("bdev_nvme_attach_controller", attach).size(), "there is no namespace yet");
            first.call("nvmf_subsystem_add_ns", "{'nqn': '" + NQN + "', 'namespace': {'bdev_name': 'Null0'}}");
            host.call("bdev_get_bdevs", "{'name': 'Nvme0n1', 'timeout': 30000}");

            CountDownLatch removed = new CountDownLatch(1);
            BdevEvents events = new BdevEvents() {
                @Override
                public void removed(BdevDescriptor descriptor) {
                    removed.countDown();
                }
            };
            MemoryRegion region = host.application().memory().allocate("test", 4096);
            IoVector data = new IoVector(1);
            data.set(region, 0, 4096);
            OpenBdev bdev = OpenBdev.open(host, "Nvme0n1", true, host.application().reactors().appThread(), events);
            assertEquals(BdevStatus.SUCCESS, bdev.run((channel, end) -> channel.read(data, 0, 8, end)));

            first.signal("KILL");
            first.status();
            try (TargetProcess second = target("second")) {
                listen(second, DISCOVERY, port);
                long status = BdevStatus.SUCCESS;
                while (status == BdevStatus.SUCCESS) {
                    status = bdev.run((channel, end) -> channel.read(data, 0, 8, end));
                }
                assertNotEquals(BdevStatus.SUCCESS, status);
                removed.await();
                bdev.close();
                host.application().memory().free(region);
                while (host.call("bdev_nvme_get_controllers").size() > 0) {
                    LockSupport.parkNanos(1_000_000); // the test's time-out ends what never comes
                }
                assertEquals(0, host.registry().bdevs().size());
                RpcException refused = host.refusal("bdev_nvme_attach_controller", attach);
                assertEquals(-Errno.EIO, refused.code());
                assertTrue(refused.getMessage().contains(NQN), refused::getMessage);
            }
        }
    }
}
