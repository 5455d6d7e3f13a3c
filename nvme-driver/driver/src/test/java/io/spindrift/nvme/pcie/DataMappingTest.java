package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data of all shapes, written to the fake device and read back: it follows pages and ranges as the specification has it.
class DataMappingTest {
    private static final int BLOCK = FakeNvmeDevice.BLOCK;

    @TempDir
    Path folder;
    private PcieRig rig;
    private QueuePair queue;

    @BeforeEach
    void build() throws Exception {
        rig = new PcieRig(folder);
        rig.device.identify.namespaces.put(1L, new byte[8192 * BLOCK]);
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private void connect(long sgls) throws Exception {
        rig.device.identify.sgls = sgls;
        NvmeController controller = rig.connect();
        queue = rig.queuePair(controller);
    }

    /// Writes `data` and checks what the device has got, then has other blocks read into it and checks those.
    private SubmissionQueueEntryView roundTrip(IoVector data) {
        int blocks = (int) (data.byteLength() / BLOCK);
        byte[] device = rig.device.identify.namespaces.get(1L);
        byte[] pattern = new byte[(int) data.byteLength()];
        new Random(blocks).nextBytes(pattern);
        MemorySegment native1 = Arena.ofAuto().allocate(pattern.length);
        native1.copyFrom(MemorySegment.ofArray(pattern));
        data.copyFrom(native1, 0, 0, pattern.length);

        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.write(1, 3, blocks, 0, data)));
        assertEquals(-1, MemorySegment.mismatch(MemorySegment.ofArray(device), 3L * BLOCK, 3L * BLOCK + pattern.length,
                MemorySegment.ofArray(pattern), 0, pattern.length));

        new Random(~blocks).nextBytes(pattern);
        System.arraycopy(pattern, 0, device, 3 * BLOCK, pattern.length);
        native1.copyFrom(MemorySegment.ofArray(pattern));
        assertEquals(Status.SUCCESS, rig.run(queue, request -> request.read(1, 3, blocks, 0, data)));
        assertEquals(-1, data.mismatch(native1, 0, 0, pattern.length));
        return new SubmissionQueueEntryView(rig.device.executed.getLast().sqe());
    }

    private record SubmissionQueueEntryView(MemorySegment sqe) {
        int psdt() {
            return SubmissionQueueEntry.psdt(sqe, 0);
        }

        long prp1() {
            return SubmissionQueueEntry.prp1(sqe, 0);
        }

        long prp2() {
            return SubmissionQueueEntry.prp2(sqe, 0);
        }
    }

    private long iova(MemoryRegion region) {
        return rig.device.vfio.mappings().entrySet().stream()
                .filter(mapping -> mapping.getValue().address() == region.address())
                .findFirst().orElseThrow().getKey();
    }

    @Test
    void tellsOnePageByTheFirstEntryAlone() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 4096);
        IoVector data = new IoVector(1);
        data.set(region, 512, 1024);

        SubmissionQueueEntryView sent = roundTrip(data);

        assertEquals(iova(region) + 512, sent.prp1());
        assertEquals(0, sent.prp2());
    }

    @Test
    void tellsTwoPagesByBothEntries() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 8192);
        IoVector data = new IoVector(1);
        data.set(region, 512, 4096);

        SubmissionQueueEntryView sent = roundTrip(data);

        assertEquals(iova(region) + 512, sent.prp1());
        assertEquals(iova(region) + 4096, sent.prp2());
    }

    @Test
    void tellsTheLargestTransferThatBeginsWithinAPageByAList() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", (2 << 20) + 4096);
        IoVector data = new IoVector(1);
        data.set(region, 1024, 2 << 20);

        SubmissionQueueEntryView sent = roundTrip(data);

        assertEquals(iova(region) + 1024, sent.prp1());
        assertEquals(SubmissionQueueEntry.PSDT_PRP, sent.psdt());
    }

    @Test
    void tellsRangesThatMeetAtPagesByAList() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(3);
        data.add(region, 3072, 1024);
        data.add(region, 16384, 8192);
        data.add(region, 4096, 512);

        assertEquals(iova(region) + 3072, roundTrip(data).prp1());
    }

    @Test
    void tellsRangesThatFollowEachOtherWithinAPageAsOne() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(4);
        data.add(region, 100, 412);
        data.add(region, 512, 5000);
        data.add(region, 5512, 4096);
        data.add(region, 9608, 2780);

        assertEquals(iova(region) + 100, roundTrip(data).prp1());
    }

    @Test
    void tellsRangesThatMeetWithinPagesByTheirAddressesWhereTheControllerTakesThem() throws Exception {
        connect(1);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(3);
        data.add(region, 1, 511);
        data.add(region, 8193, 513);
        data.add(region, 20_000, 512);

        assertEquals(SubmissionQueueEntry.PSDT_SGL, roundTrip(data).psdt());
    }

    @Test
    void tellsOneOddRangeByTheOnlyDescriptor() throws Exception {
        connect(1);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(1);
        data.set(region, 4097, 8192);

        SubmissionQueueEntryView sent = roundTrip(data);

        assertEquals(SubmissionQueueEntry.PSDT_SGL, sent.psdt());
        assertEquals(iova(region) + 4097, sent.prp1());
    }

    @Test
    void copiesRangesThatAreNoDwordsForAControllerThatTakesOnlyThose() throws Exception {
        connect(2);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(2);
        data.add(region, 2, 510);
        data.add(region, 8192, 514);

        assertEquals(SubmissionQueueEntry.PSDT_PRP, roundTrip(data).psdt());
    }

    @Test
    void copiesWhatPagesCannotTell() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 65536);
        IoVector data = new IoVector(3);
        data.add(region, 4, 512);
        data.add(region, 8192, 1024);
        data.add(region, 1000, 512);

        roundTrip(data);
    }

    @Test
    void copiesWhatTheDeviceCannotReach() throws Exception {
        connect(0);
        IoVector data = new IoVector(2);
        data.add(Arena.ofAuto().allocate(4096), 0, 4096);
        data.add(Arena.ofAuto().allocate(4096), 0, 1536);

        roundTrip(data);
    }

    @Test
    void findsMemoryOfTheApplicationThatCameWithoutItsRegion() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 8192);
        IoVector data = new IoVector(1);
        data.add(region.segment(), 4096, 4096);

        assertEquals(iova(region) + 4096, roundTrip(data).prp1());
    }

    @Test
    void copiesForeignMemoryThatNobodyHolds() throws Exception {
        connect(0);
        MemorySegment foreign = Arena.ofAuto().allocate(8192, 4096);
        MemoryRegion region = rig.memory.register(foreign);
        IoVector data = new IoVector(1);
        data.add(foreign, 0, 4096);
        try {
            assertTrue(roundTrip(data).prp1() != iova(region));
        } finally {
            rig.control(() -> {
                rig.memory.unregister(region);
                return null;
            });
        }
    }

    @Test
    void keepsCommandsThatWaitForACopyInOrder() throws Exception {
        connect(0);
        int most = (int) PcieQueuePair.MAX_TRANSFER_BYTES;
        IoVector large = new IoVector(1);
        large.add(Arena.ofAuto().allocate(most), 0, most);
        IoVector small = new IoVector(1);
        small.add(Arena.ofAuto().allocate(BLOCK), 0, BLOCK);
        rig.device.hold(command -> command.sqid() != 0);
        int[] first = {-1};
        int[] second = {-1};
        rig.submit(queue, request -> request.write(1, 0, most / BLOCK, 0, large), first);
        rig.submit(queue, request -> request.write(1, 5000, 1, 0, small), second);
        rig.until(() -> rig.device.held.size() == 1);
        for (int i = 0; i < 10; i++) {
            rig.step();
        }
        assertEquals(1, rig.device.held.size());

        rig.device.releaseHeld();
        rig.until(() -> second[0] >= 0);

        assertEquals(Status.SUCCESS, first[0]);
        assertEquals(Status.SUCCESS, second[0]);
    }

    @Test
    void refusesMoreDataThanItCanCopy() throws Exception {
        connect(0);
        int bytes = (int) PcieQueuePair.MAX_TRANSFER_BYTES + BLOCK;
        IoVector data = new IoVector(1);
        data.add(Arena.ofAuto().allocate(bytes), 0, bytes);

        assertEquals(Status.withDnr(GenericStatus.INVALID_FIELD),
                rig.run(queue, request -> request.write(1, 0, bytes / BLOCK, 0, data)));
    }

    @Test
    void tellsWhereSeparateMetadataAreOrCopiesThem() throws Exception {
        connect(0);
        MemoryRegion region = rig.memory.allocate("test", 8192);
        IoVector data = new IoVector(1);
        data.set(region, 0, 4096);
        IoVector reached = new IoVector(1);
        reached.set(region, 4096, 64);
        IoVector unreached = new IoVector(1);
        MemorySegment odd = Arena.ofAuto().allocate(64);
        odd.fill((byte) 0x77);
        unreached.add(odd, 0, 64);

        rig.run(queue, request -> request.write(1, 0, 8, 0, data).metadata(reached));
        assertEquals(iova(region) + 4096, SubmissionQueueEntry.mptr(rig.device.executed.getLast().sqe(), 0));

        rig.run(queue, request -> request.write(1, 0, 8, 0, data).metadata(unreached));
        long mptr = SubmissionQueueEntry.mptr(rig.device.executed.getLast().sqe(), 0);
        assertEquals(0x77, rig.device.vfio.at(mptr, 64).get(ValueLayout.JAVA_BYTE, 63));
    }
}
