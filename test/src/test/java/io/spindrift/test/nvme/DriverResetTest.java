package io.spindrift.test.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;
import io.spindrift.test.nvmf.LiveTarget;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A controller is reset under I/O, loses its target and finds it again, and tells what changes at the target.
@Timeout(120)
class DriverResetTest {
    private static final long WAIT_SECONDS = 60;

    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<Set<Long>> changes = new LinkedBlockingQueue<>();
    private final ControllerListener listener = new ControllerListener() {
        @Override
        public void failed(NvmeController controller, String reason) {
            failures.add(reason);
        }

        @Override
        public void namespacesChanged(NvmeController controller, Set<Long> nsids) {
            changes.add(nsids);
        }
    };
    private LiveTarget target;
    private DriverFixture host;

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start();
        host = new DriverFixture();
    }

    @AfterEach
    void stop() throws Exception {
        host.close();
        assertEquals(0, host.reactors.exceptionCount());
        target.assertNothingIsLeft();
        target.stop();
    }

    private String verify(QueuePair queue, int rounds) {
        VerifyLoad load = new VerifyLoad(queue, queue.controller().namespace(1).orElseThrow(), host.memory, 32, 8, 1);
        try {
            return load.run(rounds);
        } finally {
            load.close(host.memory);
        }
    }

    @Test
    void resetsUnderIo() throws Exception {
        NvmeController controller = host.connect(target.port, ControllerOptions.defaults(), listener);
        BlockingQueue<String> queueEvents = new LinkedBlockingQueue<>();
        QueuePair queue = controller.connectQueuePair(host.thread, new QueuePairListener() {
            @Override
            public void connected(QueuePair queuePair) {
                queueEvents.add("connected");
            }

            @Override
            public void disconnected(QueuePair queuePair, String reason) {
                queueEvents.add(reason);
            }
        });
        assertEquals("connected", queueEvents.take());
        CompletableFuture<String> load = CompletableFuture.supplyAsync(() -> verify(queue, Integer.MAX_VALUE));
        for (int i = 0; i < 5; i++) {
            controller.reset();
            assertEquals("the controller is reset", queueEvents.poll(WAIT_SECONDS, TimeUnit.SECONDS));
            assertEquals("connected", queueEvents.poll(WAIT_SECONDS, TimeUnit.SECONDS));
            String problem = load.get(WAIT_SECONDS, TimeUnit.SECONDS);
            assertTrue(problem.contains("SQ Deletion") || problem.contains("not connected"), problem);
            assertEquals(0, queue.thread().<Integer, RuntimeException>call(queue::outstanding));
            load = CompletableFuture.supplyAsync(() -> verify(queue, Integer.MAX_VALUE));
        }
        controller.reset();
        load.get(WAIT_SECONDS, TimeUnit.SECONDS);
        assertEquals("", verify(queue, 10));
        assertTrue(failures.isEmpty(), "a reset that was asked for is no failure");
    }

    @Test
    void findsItsTargetAgain() throws Exception {
        NvmeController controller = host.connect(target.port, ControllerOptions.defaults(), listener);
        QueuePair queue = controller.connectQueuePair(host.thread, QueuePairListener.IGNORE);
        target.removeListener(LiveTarget.NQN, "127.0.0.1", target.port);
        String failure = failures.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        assertTrue(failure.contains("the controller has closed the connection"), failure);
        assertEquals(NvmeController.State.FAILED, controller.state());
        String refused = assertThrows(NvmeException.class, controller::reset).getMessage();
        assertTrue(refused.contains("127.0.0.1:" + target.port) && refused.contains("refused"), refused);
        String down = assertThrows(NvmeException.class, () -> controller.admin().identify(1, 0)).getMessage();
        assertTrue(down.contains("is not connected"), down);
        target.addListener(LiveTarget.NQN, "127.0.0.1", target.port);
        controller.reset();
        assertEquals("", verify(queue, 10));
    }

    @Test
    void noticesATargetThatStandsStill() throws Exception {
        NvmeController controller = host.connect(target.port, ControllerOptions.defaults()
                .withTimeouts(ControllerOptions.Timeouts.DEFAULT.withKeepAlive(500)), listener);
        target.standStill(2000);
        String failure = failures.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        assertTrue(failure.contains("Keep Alive was not answered within"), failure);
        controller.reset();
        assertEquals(NvmeController.State.READY, controller.state());
    }

    @Test
    void tellsWhichNamespacesHaveChanged() throws Exception {
        NvmeController controller = host.connect(target.port, ControllerOptions.defaults(), listener);
        target.program.call("bdev_null_create", "{'name': 'N', 'num_blocks': 1000, 'block_size': 4096}");
        target.program.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + LiveTarget.NQN + "', 'namespace': {'bdev_name': 'N', 'nsid': 7}}");
        assertEquals(Set.of(7L), changes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
        assertEquals(1000, controller.namespace(7).orElseThrow().blocks());
        target.program.call("bdev_null_resize", "{'name': 'N', 'new_size': 8}");
        assertEquals(Set.of(7L), changes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
        assertEquals(2048, controller.namespace(7).orElseThrow().blocks());
        target.program.call("nvmf_subsystem_remove_ns", "{'nqn': '" + LiveTarget.NQN + "', 'nsid': 7}");
        assertEquals(Set.of(7L), changes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
        assertFalse(controller.namespace(7).isPresent());
    }

    @Test
    void givesNoMoreQueuesThanThereAre() throws Exception {
        NvmeController controller = host.connect(target.port, ControllerOptions.defaults()
                .withQueues(ControllerOptions.Queues.DEFAULT.withIoQueues(1)), listener);
        QueuePair only = controller.connectQueuePair(host.thread, QueuePairListener.IGNORE);
        String sentence = assertThrows(NvmeException.class,
                () -> controller.connectQueuePair(host.thread, QueuePairListener.IGNORE)).getMessage();
        assertTrue(sentence.endsWith("gives 1 I/O queues, and all are in use"), sentence);
        controller.disconnectQueuePair(only);
        assertEquals("", verify(controller.connectQueuePair(host.thread, QueuePairListener.IGNORE), 2));
    }

    @Test
    void saysWhichNameIsNotThere() {
        String sentence = assertThrows(NvmeException.class, () -> host.driver.connect(
                TransportId.tcp("127.0.0.1", Integer.toString(target.port), "nqn.2016-06.io.spdk:none"),
                ControllerOptions.defaults(), listener)).getMessage();
        assertTrue(sentence.contains("subnqn nqn.2016-06.io.spdk:none"), sentence);
        assertEquals(0, host.driver.controllers().size());
    }
}
