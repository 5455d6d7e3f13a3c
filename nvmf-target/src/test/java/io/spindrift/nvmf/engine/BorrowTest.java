package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvmf.SubsystemOptions;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Reads that send from the memory of their device.
@Timeout(60)
class BorrowTest {
    private static final int BYTES = 4096;

    private EngineFixture engine;

    @AfterEach
    void stop() {
        engine.disk.holding = false;
        engine.close();
        assertEquals(0, engine.disk.lentNow, "all is given back");
        assertEquals(List.of(), engine.target.manual.reports());
    }

    /// A disk of this many pieces.
    private void start(int pieces) throws Exception {
        MemorySegment[] memory = new MemorySegment[pieces];
        for (int i = 0; i < pieces; i++) {
            memory[i] = EngineFixture.memory(BYTES);
        }
        engine = new EngineFixture(SubsystemOptions.DEFAULT, memory);
    }

    private static FakeRequest read(int cid, long block, int blocks) {
        FakeRequest request = EngineFixture.command(NvmOpcode.READ, cid, 1).borrowing(BYTES);
        LbaCommand.set(request.entry(), 0, block, blocks, 0);
        return request;
    }

    private static FakeRequest read(int cid) {
        return read(cid, 0, BYTES / 512);
    }

    private void free(FakeRequest request) {
        engine.target.manual.run(engine.target.thread(1), () -> {
            request.free();
            return null;
        });
    }

    @Test
    void sendsFromWhatTheDeviceLends() throws Exception {
        start(2);
        FakeRequest read = engine.execute(engine.io, read(1));
        assertEquals(0, read.status());
        assertEquals(BYTES, read.returned());
        assertEquals(engine.disk.pieces.stream().map(piece -> piece.asSlice(0, BYTES / 2)).toList(), read.sent());
        assertEquals(1, engine.disk.lentNow, "until all is sent");
        free(read);
        assertEquals(0, engine.disk.lentNow);
        assertEquals(0, engine.disk.copies);
    }

    @Test
    void copiesFromADeviceThatLendsNothing() throws Exception {
        start(0);
        assertCopied(engine.execute(engine.io, read(1)));
        assertEquals(0, engine.disk.lendings);
    }

    @Test
    void copiesIfTheDeviceLendsMorePiecesThanCanBeSent() throws Exception {
        start(3);
        assertCopied(engine.execute(engine.io, read(1)));
        assertEquals(1, engine.disk.lendings);
        assertEquals(0, engine.disk.lentNow);
    }

    private void assertCopied(FakeRequest read) {
        assertEquals(0, read.status());
        assertEquals(1, engine.disk.copies);
        assertEquals(List.of(read.buffer), read.sent());
        free(read);
    }

    @Test
    void aNamespaceIsRemovedWhenAllThatItsDeviceHasLentIsGivenBack() throws Exception {
        start(1);
        FakeRequest first = engine.execute(engine.io, read(1));
        FakeRequest second = engine.execute(engine.io, read(2));
        Future<Void> removal = engine.target.begin(() -> {
            engine.subsystem.removeNamespace(1);
            return null;
        });
        engine.target.driveUntil(() -> engine.target.manual.run(engine.target.thread(1),
                () -> engine.io.subsystem().isPaused(1)));
        FakeRequest late = engine.start(engine.io, read(3));
        free(first);
        assertFalse(removal.isDone());
        assertEquals(1, engine.disk.lentNow);
        assertFalse(late.ended, "it waits for the change");
        free(second);
        engine.target.end(removal);
        engine.target.driveUntil(() -> late.ended);
        assertEquals(GenericStatus.INVALID_NAMESPACE_OR_FORMAT, late.status() & 0x7ff);
        free(late);
    }

    @Test
    void aReadThatFailsHasBorrowedNothing() throws Exception {
        start(1);
        FakeRequest outside = engine.execute(engine.io, read(1, 996, BYTES / 512));
        assertEquals(GenericStatus.LBA_OUT_OF_RANGE, outside.status() & 0x7ff);
        free(outside);
        FakeRequest shorter = engine.execute(engine.io, read(2, 0, 1));
        assertEquals(GenericStatus.DATA_SGL_LENGTH_INVALID, shorter.status() & 0x7ff);
        free(shorter);
        assertEquals(0, engine.disk.lendings);
    }

    @Test
    void whatWasLentToAHostThatHasGoneIsGivenBack() throws Exception {
        start(1);
        engine.disk.holding = true;
        FakeRequest read = engine.start(engine.io, read(1));
        engine.target.manual.run(engine.target.thread(1), () -> {
            engine.io.disconnect();
            engine.disk.finishHeld();
            return null;
        });
        engine.target.driveUntil(() -> read.ended);
        assertEquals(1, engine.disk.lentNow);
        free(read);
        assertEquals(0, engine.disk.lentNow);
    }

    @Test
    void aReadThatWaitsForTheDeviceIsAborted() throws Exception {
        start(1);
        engine.disk.holding = true;
        FakeRequest read = engine.start(engine.io, read(1));
        engine.target.manual.run(engine.target.thread(1), () -> {
            read.abort(aborted -> assertTrue(aborted));
            return null;
        });
        engine.target.driveUntil(() -> read.ended);
        assertEquals(GenericStatus.ABORT_REQUESTED, read.status() & 0x7ff);
        free(read);
    }

    /// A fused Compare and Write has its buffers, and so has what is no read.
    @Test
    void onlyReadsByThemselvesBorrow() throws Exception {
        start(1);
        engine.target.manual.run(engine.target.thread(1), () -> {
            FakeRequest read = read(1);
            assertTrue(engine.io.mayBorrow(read));
            SubmissionQueueEntry.fuse(read.entry(), 0, SubmissionQueueEntry.FUSE_FIRST);
            assertFalse(engine.io.mayBorrow(read));
            assertFalse(engine.io.mayBorrow(EngineFixture.command(NvmOpcode.WRITE, 1, 1)));
            return null;
        });
        engine.target.manual.run(engine.target.thread(0), () -> {
            assertFalse(engine.admin.mayBorrow(read(1)));
            return null;
        });
    }
}
