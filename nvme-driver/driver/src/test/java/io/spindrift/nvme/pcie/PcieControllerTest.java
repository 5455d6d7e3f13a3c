package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.internal.ffi.VfioCalls;
import io.spindrift.nvme.spec.AsyncEvent;
import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.log.Lid;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcieControllerTest {
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

    @Test
    void writesAndReadsBackThroughARealPairOfRings() throws Exception {
        NvmeController controller = rig.connect();
        assertEquals("FAKE0001", controller.data().serialNumber());
        QueuePair queue = rig.queuePair(controller);
        MemoryRegion region = rig.memory.allocate("test", 8192);
        region.segment().asSlice(0, 4096).fill((byte) 0x5a);
        IoVector out = new IoVector(1);
        IoVector in = new IoVector(1);
        out.set(region, 0, 4096);
        in.set(region, 4096, 4096);

        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.write(1, 16, 8, 0, out)));
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.read(1, 16, 8, 0, in)));

        assertEquals(-1, in.mismatch(out, 0, 0, 4096));
        assertEquals(0x5a, rig.device.identify.namespaces.get(1L)[16 * 512]);
        assertTrue(rig.device.vfio.busMaster());
    }

    @Test
    void tellsTheDeviceOncePollOfAllCommandsAndCountsIt() throws Exception {
        QueuePair queue = rig.queuePair(rig.connect());
        long before = counted("sq_mmio_doorbell_updates");
        long submitted = counted("submitted_requests");
        int[] status = {-1};
        rig.reactor.run(rig.thread(), () -> {
            for (int i = 0; i < 32; i++) {
                queue.acquire().begin(NvmOpcode.FLUSH, 1).submit(ended -> {
                    status[0] = ended.status();
                    ended.release();
                });
            }
        });
        rig.until(() -> queue.outstanding() == 0);

        assertEquals(before + 1, counted("sq_mmio_doorbell_updates"));
        assertEquals(submitted + 32, counted("submitted_requests"));
        assertEquals(Status.SUCCESS, status[0]);
    }

    private long counted(String name) {
        return (Long) rig.driver.transports().getFirst().statistics().getFirst().get(name);
    }

    @Test
    void deletesTheQueuesOfAQueuePairThatIsDisconnected() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        assertEquals(Set.of(0, 1), rig.device.submissionQueues.keySet());
        assertEquals(Set.of(0, 1), rig.device.completionQueues.keySet());

        rig.control(() -> {
            controller.disconnectQueuePair(queue);
            return null;
        });

        assertEquals(Set.of(0), rig.device.submissionQueues.keySet());
        assertEquals(Set.of(0), rig.device.completionQueues.keySet());
    }

    @Test
    void abortsWhatIsOutstandingInAResetAndGoesOnAfterIt() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        MemoryRegion region = rig.memory.allocate("test", 4096);
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        rig.device.hold(command -> command.sqid() != 0);
        int[] status = {-1};
        rig.submit(queue, request -> request.read(1, 0, 8, 0, data), status);
        rig.until(() -> rig.device.held.size() == 1);

        rig.device.hold(command -> false);
        rig.control(() -> {
            controller.reset();
            return null;
        });

        assertEquals(GenericStatus.ABORTED_SQ_DELETION, status[0]);
        assertEquals(2, rig.device.enables);
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.read(1, 0, 8, 0, data)));
        assertEquals(List.of(), rig.failures);
    }

    @Test
    void takesADeviceWhoseRegistersReadAllOnesForGone() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        MemoryRegion region = rig.memory.allocate("test", 4096);
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        int[] status = {-1};
        rig.device.hold(command -> command.sqid() != 0);
        rig.submit(queue, request -> request.read(1, 0, 8, 0, data), status);
        rig.until(() -> rig.device.held.size() == 1);

        rig.device.pull();
        rig.reactor.clock().advance(1_000_000_000);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(
                List.of("the admin queue of 0000:01:00.0 has failed: its registers read all ones: the device is gone"),
                rig.failures);
        assertEquals(-1, status[0]); // not before the device has been let go of
        NvmeException refused = assertThrows(NvmeException.class, () -> rig.control(() -> {
            controller.reset();
            return null;
        }));
        assertEquals(Errno.ENODEV, refused.errno());
        assertEquals(GenericStatus.ABORTED_SQ_DELETION, status[0]);
        assertEquals(Optional.of("its registers read all ones: the device is gone"), controller.transport().gone());
    }

    @Test
    void letsGoOfADeviceThatTheKernelAsksBack() throws Exception {
        NvmeController controller = rig.connect();
        rig.queuePair(controller);

        rig.device.vfio.request();
        rig.until(() -> !rig.failures.isEmpty());
        rig.control(() -> {
            controller.close();
            return null;
        });

        assertEquals(
                List.of("the admin queue of 0000:01:00.0 has failed: the kernel asks for the device back: it is being "
                        + "removed, or unbound"),
                rig.failures);
        assertTrue(rig.device.vfio.allClosed());
        assertEquals(Map.of(), rig.device.vfio.mappings());
        assertFalse(rig.device.vfio.busMaster());
    }

    @Test
    void tellsOfAFatalError() throws Exception {
        rig.connect();

        rig.device.fatal();
        rig.reactor.clock().advance(1_000_000_000);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(List.of("the admin queue of 0000:01:00.0 has failed: it reports a fatal error (CSTS.CFS)"),
                rig.failures);
    }

    @Test
    void seesNamespacesComeGrowAndGo() throws Exception {
        NvmeController controller = rig.connect();
        int changed = AsyncEvent.dw0(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_NAMESPACE_CHANGED,
                Lid.CHANGED_NAMESPACES);
        assertEquals(2048, controller.namespace(1).orElseThrow().blocks());

        rig.device.identify.namespaces.put(1L, new byte[4096 * FakeNvmeDevice.BLOCK]);
        rig.until(() -> rig.device.event(changed));
        rig.until(() -> rig.changes.size() == 1);
        assertEquals(4096, controller.namespace(1).orElseThrow().blocks());

        rig.device.identify.namespaces.put(5L, new byte[8 * FakeNvmeDevice.BLOCK]);
        rig.until(() -> rig.device.event(changed));
        rig.until(() -> rig.changes.size() == 2);

        rig.device.identify.namespaces.remove(1L);
        rig.until(() -> rig.device.event(changed));
        rig.until(() -> rig.changes.size() == 3);

        assertEquals(List.of(Set.of(1L), Set.of(5L), Set.of(1L)), rig.changes);
        assertEquals(List.of(5L), controller.namespaces().stream().map(NvmeNamespace::nsid).toList());
    }

    @Test
    void endsItsUseOfAControllerThatCompletesWhatItWasNotGiven() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);

        rig.device.post(1, 1, 0x1234, Status.SUCCESS, 0);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(List.of("the I/O queue 1 of 0000:01:00.0 has failed: the controller has completed command 4660 of "
                + "submission queue 1, which it does not have"), rig.failures);
        assertFalse(queue.connected());
    }

    @Test
    void endsItsUseOfAControllerThatCompletesACommandOfAnotherQueue() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        int[] status = {-1};
        rig.device.hold(command -> command.sqid() != 0);
        rig.submit(queue, request -> request.begin(NvmOpcode.FLUSH, 1), status);
        rig.until(() -> rig.device.held.size() == 1);

        rig.device.post(1, 2, rig.device.held.getFirst().cid(), Status.SUCCESS, 0);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(-1, status[0]);
    }

    @Test
    void completesACommandOnceThoughTheControllerDoesTwice() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        int[] status = {-1};
        rig.device.hold(command -> command.sqid() != 0);
        rig.submit(queue, request -> request.begin(NvmOpcode.FLUSH, 1), status);
        rig.until(() -> rig.device.held.size() == 1);

        int cid = rig.device.held.getFirst().cid();
        rig.device.post(1, 1, cid, GenericStatus.INTERNAL_ERROR, 0);
        rig.device.post(1, 1, cid, Status.SUCCESS, 0);
        rig.until(() -> !rig.failures.isEmpty());

        assertEquals(GenericStatus.INTERNAL_ERROR, status[0]);
    }

    @Test
    void resetsAControllerByTheBusThatIsNotDisabledInTime() throws Exception {
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        int[] status = {-1};
        rig.device.hold(command -> command.sqid() != 0);
        rig.submit(queue, request -> request.begin(NvmOpcode.FLUSH, 1), status);
        rig.until(() -> rig.device.held.size() == 1);
        assertEquals(-1, status[0]);

        rig.device.stick(); // CAP.TO gives it 2 seconds
        rig.control(() -> {
            controller.disconnect("test");
            return null;
        });

        assertEquals(1, rig.device.vfio.resets);
        assertEquals(GenericStatus.ABORTED_SQ_DELETION, status[0]);
    }

    @Test
    void learnsOfCommandsByMemoryWhereTheControllerOffersIt() throws Exception {
        rig.device.identify.oacs = ControllerBits.OACS_DOORBELL_BUFFER_CONFIG;
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);

        for (int i = 0; i < 300; i++) { // once around the ring of 256 entries
            assertEquals(Status.SUCCESS, rig.run(queue, request -> request.begin(NvmOpcode.FLUSH, 1)));
        }

        assertEquals(300, rig.device.executed.stream().filter(command -> command.sqid() == 1).count());
        Map<String, Object> counted = rig.driver.transports().getFirst().statistics().getFirst();
        assertEquals(300L, counted.get("sq_shadow_doorbell_updates"));
        assertEquals(300L, counted.get("cq_shadow_doorbell_updates"));
    }

    @Test
    void keepsSubmissionQueuesInMemoryOfTheControllerWhereItOffersSome() throws Exception {
        rig.device.offerMemory();
        NvmeController controller = rig.connect();
        QueuePair queue = rig.queuePair(controller);
        QueuePair another = rig.queuePair(controller);
        long base = rig.device.vfio.cmbBase;

        assertEquals(base, rig.device.submissionQueues.get(1).iova);
        assertEquals(base + 256 * 64, rig.device.submissionQueues.get(2).iova);
        assertTrue(rig.device.vfio.mappings().floorKey(base) == null
                || rig.device.vfio.mappings().floorEntry(base).getValue().byteSize()
                        + rig.device.vfio.mappings().floorKey(base) <= base);
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.begin(NvmOpcode.FLUSH, 1)));
        rig.control(() -> {
            controller.disconnectQueuePair(another);
            controller.reset();
            return null;
        });
        assertEquals(base, rig.device.submissionQueues.get(1).iova);
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.begin(NvmOpcode.FLUSH, 1)));
    }

    @Test
    void leavesMemoryOfTheControllerAloneThatIsOutsideOfItsBar() throws Exception {
        rig.device.offerMemory();
        rig.device.registers(ControllerProperty.CMBLOC, 17 << 12 | 2);
        QueuePair queue = rig.queuePair(rig.connect());

        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.begin(NvmOpcode.FLUSH, 1)));
        assertEquals(-1, rig.device.vfio.cmbBase);
    }

    @Test
    void unmasksTheInterruptOfAQueueOnlyWhenItsReactorSleeps() throws Exception {
        NvmeController controller = rig.connect();
        PcieController transport = (PcieController) controller.transport();
        rig.until(() -> rig.reactor.stepAll() == 0); // events are asked for
        assertTrue(rig.device.vfio.masked(0));

        assertTrue(rig.reactor.run(rig.thread(), () -> transport.adminQueue().readyToSleep()));
        assertFalse(rig.device.vfio.masked(0));

        rig.device.event(AsyncEvent.dw0(AsyncEvent.TYPE_NOTICE, AsyncEvent.NOTICE_NAMESPACE_CHANGED, 4));
        rig.until(() -> rig.device.vfio.masked(0));
    }

    @Test
    void pollsAQueueForWhichThereIsNoVector() throws Exception {
        NvmeController controller = rig.connect(ControllerOptions.defaults());
        PcieController transport = (PcieController) controller.transport();

        assertEquals(0, transport.vector(0));
        assertEquals(FakeVfio.MSIX_VECTORS - 1, transport.vector(FakeVfio.MSIX_VECTORS - 1));
        assertEquals(-1, transport.vector(FakeVfio.MSIX_VECTORS));
    }

    @Test
    void refusesADeviceWithoutRegistersAndLeavesNothingOpen() {
        rig.device.pull();

        NvmeException refused = assertThrows(NvmeException.class, () -> rig.connect());

        assertEquals(Errno.ENODEV, refused.errno());
        assertEquals("0000:01:00.0: its capabilities (CAP) read all ones: there is no controller",
                refused.getMessage());
        assertTrue(rig.device.vfio.allClosed());
        assertEquals(Map.of(), rig.device.vfio.mappings());
    }

    @Test
    void refusesAControllerWithLargerPages() {
        rig.device.registers64(ControllerProperty.CAP, Cap.of(255, 4, 0, 1, 4) | Cap.CSS_NVM);

        NvmeException refused = assertThrows(NvmeException.class, () -> rig.connect());

        assertEquals("0000:01:00.0: its smallest memory page (CAP.MPSMIN) has 8192 bytes, the host's 4096",
                refused.getMessage());
    }

    @Test
    void refusesADoorbellOutsideOfItsRegisters() {
        rig.device.registers64(ControllerProperty.CAP, Cap.of(255, 4, 12, 0, 4) | Cap.CSS_NVM);

        ErrnoException refused = assertThrows(ErrnoException.class, () -> rig.connect());

        assertEquals("doorbell 1 with CAP.DSTRD=12 is at byte 20480 of BAR0, of which 16384 bytes can be mapped",
                refused.getMessage());
    }

    @Test
    void namesTheDeviceThatIsNotThere() {
        NvmeException refused = assertThrows(NvmeException.class,
                () -> rig.control(() -> rig.driver.connect(TransportId.pcie("0000:02:00.0"),
                        ControllerOptions.defaults(), ControllerListener.IGNORE)));

        assertEquals("traddr=0000:02:00.0: there is no such PCI device", refused.getMessage());
    }

    @Test
    void namesWhatIsMissingOfTheLimitOfLockedMemory() {
        MemoryRegion region = rig.memory.allocate("test", 4096);
        rig.device.vfio.refuse(VfioCalls.IOMMU_MAP_DMA, Errno.ENOMEM);

        NvmeException refused = assertThrows(NvmeException.class, () -> rig.connect());

        assertEquals(Errno.ENOMEM, refused.errno());
        assertTrue(refused.getMessage().endsWith("locked in memory, and the limit of locked memory (RLIMIT_MEMLOCK, "
                + "ulimit -l) is 8388608 bytes: raise it, or take less memory (-s/--mem-size)"), refused.getMessage());
        assertTrue(rig.device.vfio.allClosed());
        rig.memory.free(region);
    }

    @Test
    void listsTheDevicesThatCanBeUsed() throws Exception {
        rig.sysfs.device("0000:02:00.0", PciDevice.NVME_CLASS, "nvme", 7);

        assertEquals(List.of(TransportId.pcie(PcieRig.ADDRESS)), rig.driver.enumerate());
    }
}
