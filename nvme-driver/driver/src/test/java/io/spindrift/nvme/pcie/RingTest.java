package io.spindrift.nvme.pcie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.testing.AllocationProbe;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// The rings on plain memory. Doorbells are at 0x1000 and every 4 bytes from there (NVMe over PCIe transport
/// specification 1.0, "Submission Queue y Tail Doorbell", with CAP.DSTRD 0).
class RingTest {
    private static final PcieCounters.Doorbells COUNTERS = new PcieCounters.Doorbells();

    private final MemorySegment bar = Arena.ofAuto().allocate(0x2000, 4096);
    private final Registers registers = new Registers(bar);

    private int doorbell(int index) {
        return bar.get(ValueLayout.JAVA_INT, 0x1000 + 4L * index);
    }

    @Test
    void writesTheHighHalfFirstWhereTheLowOnePutsARegisterIntoEffect() {
        registers.write64HighFirst(0x50, 0x0000_0012_3456_7003L);
        assertEquals(0x0000_0012_3456_7003L, bar.get(ValueLayout.JAVA_LONG, 0x50));

        // of the last register only the low half is there: it is not come to
        assertThrows(IndexOutOfBoundsException.class, () -> registers.write64HighFirst(0x1ffc, 0x1_0000_0001L));
        assertEquals(0, bar.get(ValueLayout.JAVA_INT, 0x1ffc));
    }

    @Test
    void tellsTheDeviceOfManyCommandsAtOnceAndWrapsAround() {
        MemorySegment entries = Arena.ofAuto().allocate(4 * 64, 4096);
        MemorySegment commands = Arena.ofAuto().allocate(64, 64);
        SubmissionRing ring = new SubmissionRing(entries, 4,
                new Doorbell(registers, registers.submissionDoorbell(1, 0), COUNTERS));
        for (int cid = 1; cid <= 3; cid++) {
            SubmissionQueueEntry.cid(commands, 0, cid);
            ring.put(commands, 0);
        }
        assertEquals(0, doorbell(2));
        assertTrue(ring.untold());

        ring.ring();
        assertEquals(3, doorbell(2));
        assertFalse(ring.untold());
        assertEquals(3, SubmissionQueueEntry.cid(entries, 2 * 64));

        ring.put(commands, 0);
        ring.ring();
        assertEquals(0, doorbell(2));
    }

    @Test
    void takesEntriesByTheirPhaseTagsOverTwoRounds() {
        MemorySegment entries = Arena.ofAuto().allocate(2 * 16, 4096);
        CompletionRing ring = new CompletionRing(entries, 2,
                new Doorbell(registers, registers.completionDoorbell(1, 0), COUNTERS));
        assertFalse(ring.hasNext());

        for (int round = 0; round < 4; round++) {
            int phase = 1 - round % 2;
            for (int i = 0; i < 2; i++) {
                CompletionQueueEntry.write(entries, i * 16, 7, 8, 0, 1, 0xabcd, 0);
                entries.set(ValueLayout.JAVA_SHORT, i * 16 + 14, (short) (0x4002 << 1 | phase));
                assertTrue(ring.hasNext());
                assertEquals(0xabcd, ring.cid());
                assertEquals(0x4002, ring.status());
                assertEquals(8L << 32 | 7, ring.result());
                ring.advance();
            }
            assertFalse(ring.hasNext());
        }
        assertEquals(0, doorbell(3));
    }

    @Test
    void tellsTheDeviceOnceHowFarEntriesWereTaken() {
        MemorySegment entries = Arena.ofAuto().allocate(4 * 16, 4096);
        CompletionRing ring = new CompletionRing(entries, 4,
                new Doorbell(registers, registers.completionDoorbell(0, 0), COUNTERS));
        ring.advance();
        ring.advance();
        assertEquals(0, doorbell(1));

        ring.ring();

        assertEquals(2, doorbell(1));
    }

    @Test
    void putsDoorbellsAsFarApartAsTheDeviceSays() {
        assertEquals(0x1000, registers.submissionDoorbell(0, 0));
        assertEquals(0x1000 + 7 * 4, registers.completionDoorbell(3, 0));
        assertEquals(0x1000 + 6 * 64, registers.submissionDoorbell(3, 4));
    }

    @Test
    void writesTheRegisterOnlyWhenTheDeviceLooksForIt() {
        MemorySegment shadow = Arena.ofAuto().allocate(4096, 4096);
        MemorySegment events = Arena.ofAuto().allocate(4096, 4096);
        Doorbell doorbell = new Doorbell(registers, 0x1008, COUNTERS, shadow, events, 8);
        events.set(ValueLayout.JAVA_INT, 8, 5);

        doorbell.ring(3);
        assertEquals(3, shadow.get(ValueLayout.JAVA_INT, 8));
        assertEquals(0, doorbell(2));

        doorbell.ring(6);
        assertEquals(6, doorbell(2));

        doorbell.ring(7);
        assertEquals(6, doorbell(2));
        assertEquals(7, shadow.get(ValueLayout.JAVA_INT, 8));
    }

    @Test
    void comparesIndexesThatWrap() {
        assertTrue(Doorbell.isPassed(0, 1, 0));
        assertFalse(Doorbell.isPassed(1, 1, 0));
        assertTrue(Doorbell.isPassed(65535, 2, 65530));
        assertFalse(Doorbell.isPassed(3, 2, 65530));
    }

    @Test
    void takesRowsOfPagesThatAreFree() {
        PageRows pages = new PageRows(Arena.ofAuto().allocate(8 * 4096L, 4096));
        assertEquals(0, pages.take(3));
        assertEquals(3, pages.take(2));
        assertEquals(-1, pages.take(4));
        pages.free(0, 3);
        assertEquals(5, pages.take(3) == 0 ? pages.take(3) : -2);
        assertFalse(pages.canHave(9));
    }

    @Test
    void refusesABarWithoutTheDoorbellsOfTheAdminQueue() {
        assertThrows(IllegalArgumentException.class, () -> new Registers(Arena.ofAuto().allocate(0x1000, 4096)));
    }

    @Test
    void aCommandAndItsCompletionAllocateNothing() {
        assertEquals(0, AllocationProbe.allocatedBytes(OneCommand.class));
    }

    /// A command into the ring, its doorbell, its completion by the device, and the doorbell of that.
    private static final class OneCommand implements Runnable {
        private final MemorySegment bar = Arena.global().allocate(0x2000, 4096);
        private final MemorySegment completionEntries = Arena.global().allocate(64 * 16, 4096);
        private final MemorySegment commands = Arena.global().allocate(64, 64);
        private final Registers registers = new Registers(bar);
        private final SubmissionRing submissions = new SubmissionRing(Arena.global().allocate(64 * 64, 4096), 64,
                new Doorbell(registers, 0x1008, COUNTERS));
        private final CompletionRing completions = new CompletionRing(completionEntries, 64,
                new Doorbell(registers, 0x100c, COUNTERS));
        private final PageRows pages = new PageRows(Arena.global().allocate(64 * 4096, 4096));
        private int done;

        @Override
        public void run() {
            submissions.put(commands, 0);
            submissions.ring();
            int at = done % 64 * 16;
            completionEntries.set(ValueLayout.JAVA_INT, at + 12, (1 - done / 64 % 2) << 16 | done & 0xffff);
            if (!completions.hasNext() || completions.cid() != (done & 0xffff)) {
                throw new AssertionError("entry " + done);
            }
            completions.advance();
            completions.ring();
            pages.free(pages.take(3), 3);
            done++;
        }
    }
}
