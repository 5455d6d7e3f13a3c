package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryMapException;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.identify.ControllerBits;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Devices that are silent, lie, vanish or do not obey: nobody waits for ever, and nothing is left behind.
class PcieFailureTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    @TempDir
    Path folder;
    private PcieRig rig;

    @BeforeEach
    void build() throws Exception {
        rig = new PcieRig(folder);
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private void holdAdmin(int opcode) {
        rig.device.hold(command -> command.sqid() == 0 && command.opcode() == opcode);
    }

    private void assertNothingLeft() {
        assertTrue(rig.device.vfio.allClosed());
        assertEquals(Map.of(), rig.device.vfio.mappings());
        assertEquals(rig.device.vfio.barMaps, rig.device.vfio.barUnmaps);
    }

    // ---- silence ----------------------------------------------------------------------------------------------

    @Test
    void givesUpAControllerThatBecomesReadyAndNeverAnswersIdentify() {
        holdAdmin(AdminOpcode.IDENTIFY);
        Future<NvmeController> connecting = rig.begin(rig::connectHere);
        rig.until(() -> rig.device.held.size() == 1);

        rig.reactor.clock().advance(11 * SECOND_NANOS); // 10 are what a command may take that sets up

        NvmeException failed = assertThrows(NvmeException.class, () -> rig.end(connecting));
        assertEquals(Errno.ECONNRESET, failed.errno());
        assertTrue(failed.getMessage().contains("was not answered within 11000 ms"), failed.getMessage());
        assertFalse(Cc.enabled(rig.device.registers(ControllerProperty.CC)));
        assertNothingLeft();
    }

    @Test
    void closesAControllerThatWasPulledOutBeforeAnybodyNoticed() throws Exception {
        NvmeController controller = rig.connect();
        rig.queuePair(controller);
        rig.device.pull();
        Future<?> closing = rig.begin(() -> {
            controller.close();
            return null;
        });

        rig.reactor.clock().advance(SECOND_NANOS);
        rig.end(closing);

        assertEquals(Optional.of("its registers read all ones: the device is gone"), controller.transport().gone());
        assertNothingLeft();
    }

    @Test
    void endsAnAdminCommandWhenTheControllerReportsAFatalErrorAndGoesOnAfterAReset() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        holdAdmin(AdminOpcode.IDENTIFY);
        Future<?> rescanning = rig.begin(() -> {
            controller.rescan();
            return null;
        });
        rig.until(() -> rig.device.held.size() == 1);

        rig.device.fatal();
        rig.reactor.clock().advance(SECOND_NANOS);

        assertEquals("the admin queue of 0000:01:00.0 has failed: it reports a fatal error (CSTS.CFS)",
                assertThrows(NvmeException.class, () -> rig.end(rescanning)).getMessage());
        rig.device.hold(command -> false);
        rig.control(() -> {
            controller.reset();
            return null;
        });
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.begin(NvmOpcode.FLUSH, 1)));
        assertEquals(2, rig.device.enables);
    }

    @Test
    void tellsThatAControllerWasStoppedThatDidNotDeleteAQueue() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        rig.device.submissionQueues.remove(1); // it answers that it has no such queue

        rig.control(() -> {
            controller.disconnectQueuePair(queue);
            return null;
        });
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(List.of("the admin queue of 0000:01:00.0 has failed: it was stopped, since queue 1 could not be "
                + "deleted: 0000:01:00.0: Delete I/O Submission Queue 1 ended with Invalid Queue Identifier (SCT 1h, "
                + "SC 01h), do not retry"), rig.failures);
        assertFalse(Cc.enabled(rig.device.registers(ControllerProperty.CC)));
    }

    @Test
    void learnsOfCommandsByMemoryOfAQueueWhoseNumberWasInUseBefore() throws Exception {
        rig.device.identify.oacs = ControllerBits.OACS_DOORBELL_BUFFER_CONFIG;
        NvmeController controller = rig.connect();
        QueuePair first = rig.queuePair(controller);
        for (int i = 0; i < 57; i++) {
            assertEquals(Status.SUCCESS, rig.run(first, request -> request.begin(NvmOpcode.FLUSH, 1)));
        }
        rig.control(() -> {
            controller.disconnectQueuePair(first);
            return null;
        });

        QueuePair second = rig.queuePair(controller);

        assertEquals(1, second.qid());
        assertEquals(Status.SUCCESS, rig.run(second, request -> request.begin(NvmOpcode.FLUSH, 1)));
        assertEquals(58, rig.device.executed.stream().filter(command -> command.sqid() == 1).count());
    }

    // ---- lies -------------------------------------------------------------------------------------------------

    @Test
    void endsItsUseOfAControllerThatCompletesACommandWhichItIsNotYetGiven() throws Exception {
        QueuePair queue = rig.queuePair(rig.connect());
        int most = (int) PcieQueuePair.MAX_TRANSFER_BYTES;
        rig.device.identify.namespaces.put(1L, new byte[most]);
        IoVector large = new IoVector(1);
        large.add(Arena.ofAuto().allocate(most), 0, most);
        IoVector small = new IoVector(1);
        small.add(Arena.ofAuto().allocate(FakeNvmeDevice.BLOCK), 0, FakeNvmeDevice.BLOCK);
        rig.device.hold(command -> command.sqid() != 0);
        int[] status = {-1};
        rig.submit(queue, request -> request.write(1, 0, most / FakeNvmeDevice.BLOCK, 0, large), status);
        NvmeRequest[] waiting = new NvmeRequest[1];
        rig.submit(queue, request -> {
            waiting[0] = request;
            request.read(1, 0, 1, 0, small);
        }, status);
        rig.until(() -> rig.device.held.size() == 1);

        int cid = waiting[0].cid();
        rig.device.post(1, 1, cid, Status.SUCCESS, 0);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(List.of("the I/O queue 1 of 0000:01:00.0 has failed: the controller has completed command " + cid
                + " of submission queue 1, which it does not have"), rig.failures);
        assertEquals(-1, status[0]);
    }

    // ---- what cannot be told -----------------------------------------------------------------------------------

    @Test
    void refusesACommandWhoseCopyTheDeviceCannotReachEither() throws Exception {
        QueuePair queue = rig.queuePair(rig.connect());
        VfioContainer container = ((PcieTransport) rig.driver.transports().getFirst()).container();
        MemoryRegion region = rig.memory.allocate("test", 4096);
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        rig.control(() -> {
            rig.memory.removeConsumer(container.consumerIndex()); // as if nothing were mapped
            return null;
        });

        assertEquals(Status.withDnr(GenericStatus.INVALID_FIELD),
                rig.run(queue, request -> request.write(1, 0, 8, 0, data)));

        rig.device.pull();
        assertEquals(container.consumerIndex(), rig.control(() -> rig.memory.addConsumer(container)));
        rig.reactor.clock().advance(SECOND_NANOS);
        rig.until(() -> !rig.failures.isEmpty());
    }

    // ---- the end ----------------------------------------------------------------------------------------------

    @Test
    void resetsAControllerByTheBusThatNeverBecomesReadyInsteadOfDisablingIt() {
        rig.device.registers64(ControllerProperty.CAP, Cap.of(255, 1, 0, 0, 4) | Cap.CSS_NVM); // half a second
        rig.device.stick();

        NvmeException failed = assertThrows(NvmeException.class, () -> rig.connect());

        assertEquals("0000:01:00.0: CSTS.RDY did not become 1 within 500 ms, the limit of CAP.TO",
                failed.getMessage());
        assertTrue(Cc.enabled(rig.device.registers(ControllerProperty.CC)));
        assertEquals(1, rig.device.vfio.resets);
        assertNothingLeft();
    }

    @Test
    void closesAllThoughTheThreadThatClosesIsInterrupted() throws Exception {
        NvmeController controller = rig.connect();
        rig.queuePair(controller);

        boolean interrupted = rig.control(() -> {
            Thread.currentThread().interrupt();
            controller.close();
            return Thread.interrupted();
        });

        assertTrue(interrupted);
        assertNothingLeft();
    }

    @Test
    void leavesNothingMappedOfADeviceWhoseConfigurationSpaceCannotBeRead() {
        rig.device.vfio.configReadable = false;

        NvmeException failed = assertThrows(NvmeException.class, () -> rig.connect());

        assertEquals(Errno.EIO, failed.errno());
        assertEquals(1, rig.device.vfio.barMaps);
        assertNothingLeft();
    }

    @Test
    void freesTheRingsOfAQueuePairWhosePagesForCopiesCannotBeMapped() throws Exception {
        NvmeController controller = rig.connect();
        int before = rig.device.vfio.mappings().size();
        rig.device.vfio.mapsLeft = 1;

        assertThrows(MemoryMapException.class, () -> rig.queuePair(controller));

        assertEquals(0, rig.device.vfio.mapsLeft);
        assertEquals(before, rig.device.vfio.mappings().size());
        rig.device.vfio.mapsLeft = Integer.MAX_VALUE;
        assertEquals(1, rig.queuePair(controller).qid());
    }

    @Test
    void mapsMemoryOfTheControllerOnceHoweverOftenItRefusesItsAddress() throws Exception {
        rig.device.offerMemory();
        rig.device.registers(ControllerProperty.CMBSTS, 1);
        NvmeController controller = rig.connect();
        rig.control(() -> {
            controller.reset();
            return null;
        });

        assertEquals(2, rig.device.vfio.barMaps); // BAR0 and BAR2
        rig.control(() -> {
            controller.close();
            return null;
        });
        assertNothingLeft();
    }
}
