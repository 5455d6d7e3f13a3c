package io.spindrift.bdev.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.PathStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A bdev with two paths: which one I/O takes, and what happens when one is lost.
class MultipathTest {
    private final NvmeBdevFixture nvme = new NvmeBdevFixture();
    private final FakePort a = nvme.transport.port("a");
    private final FakePort b = nvme.transport.port("b");

    @AfterEach
    void close() throws Exception {
        nvme.close();
    }

    private NvmeBdevFixture.Opened openBoth(String more) throws Exception {
        nvme.attach("a", more);
        nvme.attach("b", more);
        NvmeBdevFixture.Opened bdev = nvme.open();
        nvme.until(() -> connected() == 2);
        assertEquals(BdevStatus.SUCCESS, bdev.read());
        a.ioCommands = 0;
        b.ioCommands = 0;
        return bdev;
    }

    /// Paths that are connected.
    private int connected() {
        try {
            int count = 0;
            for (JsonNode group : nvme.call("bdev_nvme_get_io_paths", "{'name': 'Nn1'}").get("poll_groups")) {
                for (JsonNode path : group.get("io_paths")) {
                    count += path.get("connected").booleanValue() ? 1 : 0;
                }
            }
            return count;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void read(NvmeBdevFixture.Opened bdev, int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(BdevStatus.SUCCESS, bdev.read());
        }
    }

    @Test
    void makesOneBdevOfANamespaceThatTwoControllersHave() throws Exception {
        assertEquals("[\"Nn1\"]", nvme.attach("a", "").toString());
        assertEquals("[\"Nn1\"]", nvme.attach("b", "").toString());
        assertEquals(1, nvme.registry.bdevs().size());
        assertEquals(2, nvme.call("bdev_nvme_get_controllers", "").get(0).get("ctrlrs").size());
    }

    @Test
    void refusesAPathWhoseNamespaceIsAnother() throws Exception {
        b.eui64 = 99;
        nvme.attach("a", "");
        RpcException refused = assertThrows(RpcException.class, () -> nvme.attach("b", ""));
        assertTrue(refused.getMessage().contains("other identifiers"), refused::getMessage);
        assertEquals(1, nvme.call("bdev_nvme_get_controllers", "").get(0).get("ctrlrs").size());
    }

    @Test
    void refusesAPathThatTakesLessAtOnce() throws Exception {
        b.mdts = 4;
        nvme.attach("a", "");
        RpcException refused = assertThrows(RpcException.class, () -> nvme.attach("b", ""));
        assertTrue(refused.getMessage().contains("16 blocks at once are fewer than 32"), refused::getMessage);
        assertEquals(1, nvme.call("bdev_nvme_get_controllers", "").get(0).get("ctrlrs").size());
    }

    @Test
    void keepsThePathThatComesWhileTheOnlyOneIsDetached() throws Exception {
        nvme.attach("a", "");
        NvmeBdevFixture.Opened before = nvme.open();
        assertEquals(BdevStatus.SUCCESS, before.read());
        Future<?> detached = nvme.begin("bdev_nvme_detach_controller",
                "{'name': 'N', 'trtype': 'FAKE', 'traddr': 'a'}");
        nvme.atOnce(() -> before.bdev().removing());
        nvme.attach("b", "");
        before.close();
        nvme.atOnce(detached::isDone);
        assertEquals(1, nvme.call("bdev_nvme_get_controllers", "").get(0).get("ctrlrs").size());
        try (NvmeBdevFixture.Opened after = nvme.open()) {
            assertEquals(BdevStatus.SUCCESS, after.read());
            assertTrue(b.ioCommands > 0);
        }
    }

    @Test
    void refusesASecondControllerIfMultipathIsDisabled() throws Exception {
        nvme.attach("a", "");
        assertEquals(-114, assertThrows(RpcException.class, () -> nvme.attach("a", "")).code());
        assertEquals(-114,
                assertThrows(RpcException.class, () -> nvme.attach("b", ", 'multipath': 'disable'")).code());
    }

    @Test
    void usesTheFirstPathAsLongAsItWorks() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            read(bdev, 10);
            assertEquals(10, a.ioCommands);
            assertEquals(0, b.ioCommands);
        }
    }

    @Test
    void takesTurnsWithActiveActive() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            nvme.call("bdev_nvme_set_multipath_policy",
                    "{'name': 'Nn1', 'policy': 'active_active', 'selector': 'round_robin', 'rr_min_io': 3}");
            read(bdev, 12);
            assertEquals(6, a.ioCommands);
            assertEquals(6, b.ioCommands);
        }
    }

    @Test
    void takesThePathWithTheFewestCommandsWithQueueDepth() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            nvme.call("bdev_nvme_set_multipath_policy",
                    "{'name': 'Nn1', 'policy': 'active_active', 'selector': 'queue_depth'}");
            a.silent = true;
            NvmeBdevFixture.Outcome slow = bdev.begin();
            read(bdev, 10);
            assertEquals(10, b.ioCommands);
            a.silent = false;
            nvme.until(() -> slow.status != null);
        }
    }

    @Test
    void usesThePreferredPathFirst() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            nvme.call("bdev_nvme_set_preferred_path", "{'name': 'Nn1', 'cntlid': " + b.cntlid + "}");
            read(bdev, 5);
            assertEquals(5, b.ioCommands);
        }
    }

    @Test
    void prefersAnOptimizedPathAndLeavesOneThatBecomesInaccessible() throws Exception {
        a.anaState = AnaGroupDescriptor.STATE_NON_OPTIMIZED;
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            read(bdev, 5);
            assertEquals(5, b.ioCommands);
            b.anaState = AnaGroupDescriptor.STATE_INACCESSIBLE;
            b.tell(AsyncEvent.NOTICE_ANA_CHANGE);
            nvme.until(() -> accessible() == 1);
            read(bdev, 5);
            assertEquals(5, a.ioCommands);
        }
    }

    private int accessible() {
        try {
            int count = 0;
            for (JsonNode path : nvme.call("bdev_nvme_get_io_paths", "").get("poll_groups").get(0).get("io_paths")) {
                count += path.get("accessible").booleanValue() ? 1 : 0;
            }
            return count;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void repeatsOnTheOtherPathWhatAPathErrorEnded() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            a.anaState = AnaGroupDescriptor.STATE_INACCESSIBLE;
            a.statuses.add(PathStatus.ANA_INACCESSIBLE);
            read(bdev, 1);
            assertEquals(1, a.ioCommands);
            assertEquals(1, b.ioCommands);
            read(bdev, 3);
            assertEquals(4, b.ioCommands);
        }
    }

    @Test
    void goesOnOnTheOtherPathWhenAConnectionBreaks() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth(", 'ctrlr_loss_timeout_sec': -1, 'reconnect_delay_sec': 1")) {
            a.silent = true;
            NvmeBdevFixture.Outcome first = bdev.begin();
            a.reachable = false;
            a.cut();
            nvme.until(() -> first.status != null);
            assertEquals(BdevStatus.SUCCESS, first.status);
            assertEquals(1, b.ioCommands);
            read(bdev, 3);
            assertEquals(4, b.ioCommands);
            a.silent = false;
            a.reachable = true;
            nvme.pass(NvmeBdevFixture.SECOND);
            long before = a.ioCommands;
            nvme.until(() -> bdev.read() == BdevStatus.SUCCESS && a.ioCommands > before);
            long others = b.ioCommands;
            read(bdev, 3);
            assertEquals(others, b.ioCommands, "the first path is taken again");
        }
    }

    @Test
    void repeatsAnErrorAsOftenAsItIsTold() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            for (int i = 0; i < 3; i++) {
                a.statuses.add(GenericStatus.NAMESPACE_NOT_READY);
            }
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            assertEquals(4, a.ioCommands);
            for (int i = 0; i < 4; i++) {
                a.statuses.add(GenericStatus.NAMESPACE_NOT_READY);
            }
            assertEquals(BdevStatus.nvme(0, 0x82), bdev.read());
            assertEquals(8, a.ioCommands);
        }
    }

    @Test
    void repeatsNothingThatIsNotToBeRepeated() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            a.statuses.add(Status.withDnr(GenericStatus.INTERNAL_ERROR));
            assertEquals(BdevStatus.nvme(0, 6, true, 0), bdev.read());
            assertEquals(1, a.ioCommands);
        }
    }

    @Test
    void waitsAsLongAsTheControllerAsksForBeforeItRepeats() throws Exception {
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            a.statuses.add(Status.withCrd(GenericStatus.NAMESPACE_NOT_READY, 1)); // CRDT1 is 2: 200 ms
            long began = nvme.manual.clock().nanos();
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            long waited = nvme.manual.clock().nanos() - began;
            assertTrue(waited >= 200_000_000 && waited < 300_000_000, waited + " ns");
        }
    }

    @Test
    void countsWhatGoesThroughEachPath() throws Exception {
        nvme.call("bdev_nvme_set_options", "{'io_path_stat': true}");
        try (NvmeBdevFixture.Opened bdev = openBoth("")) {
            read(bdev, 3);
            JsonNode stats = nvme.call("bdev_nvme_get_path_iostat", "{'name': 'Nn1'}").get("stats");
            int first = stats.get(0).get("stat").get("num_read_ops").intValue();
            int other = stats.get(1).get("stat").get("num_read_ops").intValue();
            assertEquals(4, first + other); // one before both were connected
            assertTrue(first >= 3, first + " reads");
            assertEquals(first << FakePort.BLOCK_SHIFT, stats.get(0).get("stat").get("bytes_read").intValue());
        }
    }
}
