package io.spindrift.test.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.test.nvmf.LiveTarget;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written through the driver to nvmf_tgt in the same JVM is read back as it was: all ways that data can go.
class DriverVerifyTest {
    private static final int DISK_BYTES = 32 << 20;

    @ParameterizedTest
    @CsvSource({"512, 0, false, false", "4096, 0, true, false", "512, 8, false, true", "4096, 64, true, true"})
    void readsBackWhatItWrote(int blockSize, int metadata, boolean headerDigest, boolean dataDigest) throws Exception {
        for (int inCapsule : new int[]{0, 4096, 16384}) {
            LiveTarget target = LiveTarget.start("'in_capsule_data_size': " + inCapsule);
            try (DriverFixture host = new DriverFixture()) {
                addDisk(target, blockSize, metadata);
                NvmeController controller = host.connect(target.port, ControllerOptions.defaults()
                        .withFabrics(ControllerOptions.Fabrics.DEFAULT.withDigests(headerDigest, dataDigest)),
                        ControllerListener.IGNORE);
                NvmeNamespace namespace = controller.namespace(2).orElseThrow();
                assertEquals(blockSize, namespace.format().dataSize());
                assertEquals(metadata, namespace.format().metadataSize());
                verify(host, controller, namespace);
            }
            target.assertNothingIsLeft();
            target.stop();
        }
    }

    private static void addDisk(LiveTarget target, int blockSize, int metadata) {
        target.program.call("bdev_malloc_create", "{'name': 'M', 'num_blocks': " + DISK_BYTES / blockSize
                + ", 'block_size': " + blockSize
                + (metadata == 0 ? "" : ", 'md_size': " + metadata + ", 'md_interleave': true") + "}");
        target.program.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + LiveTarget.NQN + "', 'namespace': {'bdev_name': 'M'}}");
    }

    private static void verify(DriverFixture host, NvmeController controller, NvmeNamespace namespace)
            throws Exception {
        QueuePair queue = controller.connectQueuePair(host.thread, QueuePairListener.IGNORE);
        int transfer = namespace.format().transferSize();
        for (int bytes : new int[]{transfer, 4 * transfer, 65536, 131_072}) {
            int blocks = Math.max(1, bytes / transfer);
            for (int ranges : new int[]{1, 5}) {
                VerifyLoad load = new VerifyLoad(queue, namespace, host.memory, 32, blocks, ranges);
                assertEquals("", load.run(8), blocks + " blocks in " + ranges + " ranges");
                load.close(host.memory);
            }
        }
        controller.disconnectQueuePair(queue);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 127, 128, 512, 1024})
    void verifiesAtEveryDepth(int depth) throws Exception {
        LiveTarget target = LiveTarget.start("'max_queue_depth': 1024");
        try (DriverFixture host = new DriverFixture()) {
            addDisk(target, 512, 0);
            NvmeController controller = host.connect(target.port, ControllerOptions.defaults()
                    .withQueues(ControllerOptions.Queues.DEFAULT.withIoEntries(1024, 1024)), ControllerListener.IGNORE);
            QueuePair queue = controller.connectQueuePair(host.thread, QueuePairListener.IGNORE);
            assertTrue(queue.requestCount() >= depth);
            VerifyLoad load = new VerifyLoad(queue, controller.namespace(2).orElseThrow(), host.memory, depth, 8, 1);
            assertEquals("", load.run(20));
            load.close(host.memory);
        }
        target.assertNothingIsLeft();
        target.stop();
    }
}
