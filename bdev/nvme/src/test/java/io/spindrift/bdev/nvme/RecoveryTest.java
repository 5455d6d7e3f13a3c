package io.spindrift.bdev.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevChannel;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.nvme.spec.AsyncEvent;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A controller that fails, on a clock that the test sets: attempts to connect, and what I/O does meanwhile.
class RecoveryTest {
    private static final String PATIENT = ", 'ctrlr_loss_timeout_sec': 10, 'reconnect_delay_sec': 2, "
            + "'fast_io_fail_timeout_sec': 5";

    private final NvmeBdevFixture nvme = new NvmeBdevFixture();
    private final FakePort a = nvme.transport.port("a");

    @AfterEach
    void close() throws Exception {
        nvme.close();
    }

    private NvmeBdevFixture.Opened opened(String more) throws Exception {
        nvme.attach("a", more);
        NvmeBdevFixture.Opened bdev = nvme.open();
        assertEquals(BdevStatus.SUCCESS, bdev.read());
        return bdev;
    }

    private String state() {
        try {
            JsonNode all = nvme.call("bdev_nvme_get_controllers", "");
            // the name goes a moment after its last controller
            return all.isEmpty() || all.get(0).get("ctrlrs").isEmpty()
                    ? ""
                    : all.get(0).get("ctrlrs").get(0).get("state").stringValue();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void lose() {
        a.reachable = false;
        a.cut();
        nvme.atOnce(() -> state().equals("reconnect_is_delayed"));
    }

    @Test
    void connectsAtOnceWhenAConnectionBreaks() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened("")) {
            int before = a.connections;
            a.cut();
            nvme.atOnce(() -> a.connections == before + 2 && state().equals("enabled"));
            assertEquals(BdevStatus.SUCCESS, bdev.read());
        }
    }

    @Test
    void triesAgainAfterEachDelayAndIoWaitsForIt() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened(PATIENT)) {
            lose();
            NvmeBdevFixture.Outcome waiting = bdev.begin();
            nvme.pass(NvmeBdevFixture.SECOND);
            nvme.manual.settle();
            assertNull(waiting.status);
            a.reachable = true;
            nvme.manual.settle();
            assertNull(waiting.status, "the delay is 2 s");
            nvme.pass(NvmeBdevFixture.SECOND);
            nvme.atOnce(() -> state().equals("enabled"));
            nvme.until(() -> waiting.status != null);
            assertEquals(BdevStatus.SUCCESS, waiting.status);
        }
    }

    @Test
    void failsWaitingIoAfterTheFastTimeoutAndTakesItAgainLater() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened(PATIENT)) {
            lose();
            NvmeBdevFixture.Outcome waiting = bdev.begin();
            for (int i = 0; i < 4; i++) { // 4 s
                nvme.pass(NvmeBdevFixture.SECOND);
                nvme.manual.settle();
                nvme.atOnce(() -> state().equals("reconnect_is_delayed"));
            }
            assertNull(waiting.status);
            nvme.until(() -> waiting.status != null);
            assertEquals(BdevStatus.nvme(3, 0x70), waiting.status);
            assertEquals(BdevStatus.nvme(3, 0x70), bdev.read());
            a.reachable = true;
            nvme.pass(NvmeBdevFixture.SECOND);
            nvme.atOnce(() -> state().equals("enabled"));
            assertEquals(BdevStatus.SUCCESS, bdev.read());
        }
    }

    @Test
    void givesTheControllerAndItsBdevUpAfterTheLossTimeout() throws Exception {
        NvmeBdevFixture.Opened bdev = opened(PATIENT);
        lose();
        NvmeBdevFixture.Outcome waiting = bdev.begin();
        nvme.until(() -> bdev.bdev().removing());
        nvme.until(() -> waiting.status != null);
        bdev.close();
        nvme.until(() -> state().isEmpty());
        assertEquals(0, nvme.registry.bdevs().size());
    }

    @Test
    void givesUpAfterOneAttemptWithoutALossTimeout() throws Exception {
        NvmeBdevFixture.Opened bdev = opened("");
        a.reachable = false;
        a.cut();
        nvme.atOnce(() -> bdev.bdev().removing());
        bdev.close();
        nvme.atOnce(() -> state().isEmpty());
    }

    @Test
    void connectsTheNextPlaceWithFailover() throws Exception {
        FakePort b = nvme.transport.port("b");
        nvme.attach("a", ", 'multipath': 'failover'");
        nvme.attach("b", ", 'multipath': 'failover'");
        assertEquals(0, b.connections);
        try (NvmeBdevFixture.Opened bdev = nvme.open()) {
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            a.reachable = false;
            a.cut();
            nvme.atOnce(() -> b.connections == 2);
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            JsonNode path = nvme.call("bdev_nvme_get_controllers", "").get(0).get("ctrlrs").get(0);
            assertEquals("b", path.get("trid").get("traddr").stringValue());
            assertEquals("a", path.get("alternate_trids").get(0).get("traddr").stringValue());
        }
    }

    @Test
    void isNotConnectedWhileItIsDisabled() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened("")) {
            nvme.call("bdev_nvme_disable_controller", "{'name': 'N'}");
            assertEquals("disabled", state());
            assertEquals(BdevStatus.nvme(3, 0x70), bdev.read());
            nvme.call("bdev_nvme_enable_controller", "{'name': 'N'}");
            assertEquals("enabled", state());
            assertEquals(BdevStatus.SUCCESS, bdev.read());
        }
    }

    @Test
    void resetsOnRequestAndLosesNothing() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened("")) {
            a.silent = true;
            NvmeBdevFixture.Outcome outcome = bdev.begin();
            nvme.call("bdev_nvme_reset_controller", "{'name': 'N'}");
            a.silent = false;
            nvme.until(() -> outcome.status != null);
            assertEquals(BdevStatus.SUCCESS, outcome.status);
        }
    }

    @Test
    void takesOverANamespaceThatComesGrowsAndGoes() throws Exception {
        a.blocks = 0;
        assertEquals(0, nvme.attach("a", "").size());
        a.blocks = 1000;
        a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
        nvme.atOnce(() -> nvme.registry.find("Nn1").isPresent());
        a.blocks = 2000;
        a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
        nvme.atOnce(() -> nvme.registry.get("Nn1").numBlocks() == 2000);
        try (NvmeBdevFixture.Opened bdev = nvme.open()) {
            a.blocks = 500;
            a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
            nvme.atOnce(() -> nvme.lines.stream().anyMatch(line -> line.contains("beyond 500 blocks")));
            assertEquals(BdevStatus.SUCCESS, bdev.read());
        }
        a.blocks = 0;
        a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
        nvme.atOnce(() -> nvme.registry.find("Nn1").isEmpty());
    }

    @Test
    void triesOnAfterAResetThatFailsMeanwhile() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened(PATIENT)) {
            lose();
            NvmeBdevFixture.Outcome waiting = bdev.begin();
            assertThrows(RpcException.class, () -> nvme.call("bdev_nvme_reset_controller", "{'name': 'N'}"));
            nvme.atOnce(() -> state().equals("reconnect_is_delayed"));
            a.reachable = true;
            nvme.pass(2 * NvmeBdevFixture.SECOND);
            nvme.atOnce(() -> state().equals("enabled"));
            nvme.until(() -> waiting.status != null);
            assertEquals(BdevStatus.SUCCESS, waiting.status);
        }
    }

    @Test
    void countsTheLossTimeoutFromTheFailureWhateverIsResetMeanwhile() throws Exception {
        NvmeBdevFixture.Opened bdev = opened(PATIENT);
        lose();
        for (int seconds = 1; seconds < 10; seconds++) {
            nvme.pass(NvmeBdevFixture.SECOND);
            nvme.manual.settle();
            assertThrows(RpcException.class, () -> nvme.call("bdev_nvme_reset_controller", "{'name': 'N'}"));
            assertFalse(bdev.bdev().removing(), "after " + seconds + " s");
        }
        nvme.pass(2 * NvmeBdevFixture.SECOND);
        nvme.atOnce(() -> bdev.bdev().removing());
        bdev.close();
        nvme.atOnce(() -> state().isEmpty());
    }

    @Test
    void isDetachedForGoodAndByAllWhoAskForItTogether() throws Exception {
        NvmeBdevFixture.Opened bdev = opened("");
        Future<?> first = nvme.begin("bdev_nvme_detach_controller", "{'name': 'N'}");
        nvme.atOnce(() -> state().equals("deleting"));
        Future<?> second = nvme.begin("bdev_nvme_detach_controller", "{'name': 'N'}");
        RpcException refused = assertThrows(RpcException.class,
                () -> nvme.call("bdev_nvme_reset_controller", "{'name': 'N'}"));
        assertTrue(refused.getMessage().contains("being detached"), refused::getMessage);
        assertEquals("deleting", state());
        assertEquals(BdevStatus.SUCCESS, bdev.read());
        assertFalse(first.isDone() || second.isDone(), "the bdev is open");
        bdev.close();
        nvme.atOnce(() -> first.isDone() && second.isDone());
        assertEquals("", state());
    }

    @Test
    void connectsAQueueThatFailedAgainWithoutAReset() throws Exception {
        nvme.attach("a", "");
        a.queuesToRefuse.set(2);
        try (NvmeBdevFixture.Opened bdev = nvme.open()) {
            nvme.atOnce(() -> nvme.lines.stream().anyMatch(line -> line.contains("it is tried again")));
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            assertEquals(0, a.queuesToRefuse.get());
            assertEquals(2, a.connections, "the admin queue, and the third attempt");
        }
    }

    @Test
    void givesAThreadItsQueueThatCameWhileTheConnectionWasDown() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened(PATIENT)) {
            lose();
            var other = nvme.manual.thread("other", 0);
            var descriptor = nvme.registry.open("Nn1", false, other, io.spindrift.bdev.BdevEvents.IGNORE);
            var channel = nvme.manual.run(other, descriptor::channel);
            nvme.manual.settle();
            NvmeBdevFixture.Outcome elsewhere = nvme.begin(other, channel);
            a.reachable = true;
            nvme.pass(2 * NvmeBdevFixture.SECOND);
            nvme.atOnce(() -> state().equals("enabled"));
            nvme.until(() -> elsewhere.status != null);
            assertEquals(BdevStatus.SUCCESS, elsewhere.status);
            assertEquals(BdevStatus.SUCCESS, bdev.read());
            end(other, channel, descriptor);
        }
    }

    private void end(IoThread thread, BdevChannel channel, BdevDescriptor descriptor) {
        nvme.manual.run(thread, channel::release);
        descriptor.close();
        nvme.manual.run(thread, () -> thread.exit());
        nvme.manual.settle();
    }

    @Test
    void givesAThreadTheQueueThatAnotherNeedsNoMore() throws Exception {
        a.queues = 1;
        nvme.attach("a", "");
        NvmeBdevFixture.Opened first = nvme.open();
        assertEquals(BdevStatus.SUCCESS, first.read());
        var other = nvme.manual.thread("other", 0);
        var descriptor = nvme.registry.open("Nn1", false, other, io.spindrift.bdev.BdevEvents.IGNORE);
        var channel = nvme.manual.run(other, descriptor::channel);
        nvme.atOnce(() -> nvme.lines.stream().anyMatch(line -> line.contains("gives 1 I/O queues")));
        first.close();
        nvme.atOnce(() -> {
            NvmeBdevFixture.Outcome outcome = nvme.begin(other, channel);
            nvme.atOnce(() -> outcome.status != null);
            return outcome.status == BdevStatus.SUCCESS;
        });
        end(other, channel, descriptor);
    }

    @Test
    void sendsNothingToAnotherNamespaceThatIsInItsPlaceAfterwards() throws Exception {
        NvmeBdevFixture.Opened bdev = opened(PATIENT);
        lose();
        NvmeBdevFixture.Outcome waiting = bdev.begin();
        long before = a.ioCommands;
        a.eui64 = 99;
        a.reachable = true;
        nvme.pass(2 * NvmeBdevFixture.SECOND);
        nvme.atOnce(() -> bdev.bdev().removing());
        nvme.until(() -> waiting.status != null);
        assertEquals(BdevStatus.nvme(3, 0x70), waiting.status);
        assertEquals(before, a.ioCommands);
        bdev.close();
        nvme.atOnce(() -> nvme.registry.find("Nn1").filter(other -> other != bdev.bdev()).isPresent());
        try (NvmeBdevFixture.Opened other = nvme.open()) {
            assertEquals(BdevStatus.SUCCESS, other.read());
        }
    }

    @Test
    void makesTheBdevAnewIfTheControllerTakesLessAtOnceAfterwards() throws Exception {
        try (NvmeBdevFixture.Opened bdev = opened("")) {
            a.mdts = 4;
            a.cut();
            nvme.atOnce(() -> bdev.bdev().removing());
        }
        nvme.atOnce(() -> nvme.registry.find("Nn1").filter(bdev -> !bdev.removing()).isPresent());
        assertEquals(16, nvme.registry.get("Nn1").geometry().maxTransferBlocks());
    }

    @Test
    void removesTheBdevOfANamespaceThatIsGoneOnceWhateverHappensMeanwhile() throws Exception {
        NvmeBdevFixture.Opened bdev = opened("");
        a.blocks = 0;
        a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
        nvme.atOnce(() -> bdev.bdev().removing());
        int before = a.connections;
        a.cut();
        nvme.atOnce(() -> a.connections == before + 2 && state().equals("enabled"));
        a.blocks = 1000;
        a.tell(AsyncEvent.NOTICE_NAMESPACE_CHANGED);
        nvme.manual.settle();
        bdev.close();
        nvme.atOnce(() -> nvme.registry.find("Nn1").filter(other -> other != bdev.bdev()).isPresent());
        assertTrue(nvme.lines.stream().noneMatch(line -> line.contains("being removed")), nvme.lines::toString);
    }

    @Test
    void doesNotUseAPathOnAThreadThatGetsNoQueue() throws Exception {
        a.queues = 1;
        nvme.attach("a", "");
        try (NvmeBdevFixture.Opened first = nvme.open()) {
            assertEquals(BdevStatus.SUCCESS, first.read());
            var other = nvme.manual.thread("other", 0);
            var descriptor = nvme.registry.open("Nn1", false, other, io.spindrift.bdev.BdevEvents.IGNORE);
            var channel = nvme.manual.run(other, descriptor::channel);
            nvme.atOnce(() -> nvme.lines.stream().anyMatch(line -> line.contains("gives 1 I/O queues")));
            assertTrue(a.reachable);
            nvme.manual.run(other, channel::release);
            descriptor.close();
            nvme.manual.run(other, () -> other.exit());
            nvme.manual.settle();
        }
    }
}
