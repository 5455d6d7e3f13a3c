package io.spindrift.nvmf.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevOptions;
import io.spindrift.nvme.spec.AdminOpcode;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.GenericStatus;
import io.spindrift.nvme.spec.LittleEndian;
import io.spindrift.nvme.spec.NvmOpcode;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import io.spindrift.nvme.spec.command.AbortCommand;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvmf.SubsystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Base specification 2.0, 5.1: dword 0 bit 0 of the completion is 0 if the command was aborted.
@Timeout(60)
class AbortTest {
    private EngineFixture engine;

    @BeforeEach
    void start() throws Exception {
        engine = new EngineFixture();
    }

    @AfterEach
    void stop() {
        engine.disk.holding = false;
        engine.close();
        assertEquals(List.of(), engine.target.manual.reports());
    }

    private static FakeRequest read(int cid) {
        FakeRequest request = EngineFixture.command(NvmOpcode.READ, cid, 1).data(EngineFixture.memory(512));
        LbaCommand.set(request.entry(), 0, 5, 1, 0);
        return request;
    }

    private static FakeRequest abort(int sqid, int cid) {
        FakeRequest request = EngineFixture.command(AdminOpcode.ABORT, 99, 0);
        AbortCommand.set(request.entry(), 0, sqid, cid);
        return request;
    }

    private long resultOf(int sqid, int cid) {
        FakeRequest abort = engine.execute(engine.admin, abort(sqid, cid));
        assertEquals(0, abort.status());
        return abort.result;
    }

    @Test
    void anIoThatTheDeviceHasIsAborted() {
        engine.disk.holding = true;
        FakeRequest other = engine.start(engine.io, read(41));
        FakeRequest victim = engine.start(engine.io, read(42));
        assertEquals(0, resultOf(1, 42));
        assertTrue(victim.ended);
        assertEquals(GenericStatus.ABORT_REQUESTED, victim.status() & 0x7ff);
        assertFalse(other.ended);
        assertEquals(0, resultOf(1, 41));
    }

    @Test
    void whatIsNotThereIsNotAborted() {
        assertEquals(1, resultOf(1, 42), "no such command");
        assertEquals(1, resultOf(2, 42), "no such queue");
        assertEquals(1, resultOf(0xffff, 0xffff), "no such queue");
        assertEquals(1, resultOf(0, 42), "no such event request");
    }

    @Test
    void anEventRequestIsAborted() {
        FakeRequest event = engine.start(engine.admin,
                EngineFixture.command(AdminOpcode.ASYNC_EVENT_REQUEST, 0x8001, 0));
        assertEquals(1, resultOf(0, 0x8002));
        assertFalse(event.ended);
        assertEquals(0, resultOf(0, 0x8001));
        assertEquals(GenericStatus.ABORT_REQUESTED, event.status() & 0x7ff);
    }

    /// An Abort is a management command and waits itself; but one that has begun finds what is parked.
    @Test
    void aCommandThatMeetsAPauseIsAborted() throws Exception {
        engine.disk.holding = true;
        engine.start(engine.io, read(41));
        Future<Void> removal = engine.target.begin(() -> {
            engine.subsystem.removeNamespace(1);
            return null;
        });
        engine.target.driveUntil(() -> engine.target.manual.run(engine.target.thread(1),
                () -> engine.io.subsystem().isPaused(1)));
        FakeRequest parked = engine.start(engine.io, read(42));
        boolean[] aborted = new boolean[1];
        engine.target.manual.run(engine.target.thread(1), () -> {
            parked.abort(yes -> aborted[0] = yes);
            engine.io.find(41).abort(_ -> {});
            return null;
        });
        assertTrue(aborted[0]);
        assertEquals(GenericStatus.ABORT_REQUESTED, parked.status() & 0x7ff);
        engine.target.end(removal);
    }

    @Test
    void theRangesThatHaveNotBegunAreNotBegun() {
        engine.disk.holding = true;
        FakeRequest unmap = EngineFixture.command(NvmOpcode.DATASET_MANAGEMENT, 7, 1)
                .data(EngineFixture.memory(4096));
        DatasetManagement.set(unmap.entry(), 0, 256, DatasetManagement.AD);
        for (int i = 0; i < 256; i++) {
            LittleEndian.u32(unmap.buffer, i * 16L + 4, 1);
            LittleEndian.u64(unmap.buffer, i * 16L + 8, i);
        }
        engine.start(engine.io, unmap);
        int begun = engine.disk.held.size();
        assertTrue(begun > 0 && begun < 256, () -> begun + " of 256");
        assertEquals(0, resultOf(1, 7));
        assertEquals(GenericStatus.ABORT_REQUESTED, unmap.status() & 0x7ff);
        assertEquals(0, engine.disk.held.size());
    }

    @Test
    void commandsThatWaitForAPooledIoAreAborted() throws Exception {
        engine.close();
        engine = new EngineFixture(new BdevOptions(2, 0, false, 0, 0), SubsystemOptions.DEFAULT);
        engine.disk.holding = true;
        engine.start(engine.io, read(1));
        engine.start(engine.io, read(2));
        FakeRequest waiting = engine.start(engine.io, read(3));
        FakeRequest unmap = EngineFixture.command(NvmOpcode.DATASET_MANAGEMENT, 4, 1).data(EngineFixture.memory(16));
        DatasetManagement.set(unmap.entry(), 0, 1, DatasetManagement.AD);
        LittleEndian.u32(unmap.buffer, 4, 1);
        engine.start(engine.io, unmap);
        assertEquals(2, pending());
        assertEquals(0, resultOf(1, 3));
        assertEquals(0, resultOf(1, 4));
        for (FakeRequest aborted : List.of(waiting, unmap)) {
            assertEquals(GenericStatus.ABORT_REQUESTED, aborted.status() & 0x7ff);
        }
        assertEquals(0, pending());
        assertEquals(2, engine.disk.held.size());
        engine.target.manual.run(engine.target.thread(1), () -> {
            engine.disk.finishHeld();
            return null;
        });
        assertEquals(0, engine.execute(engine.io, read(5)).status(), "and goes on");
    }

    private long pending() {
        return engine.target.manual.run(engine.target.thread(1),
                () -> engine.target.group(1).counters().pendingBdevIo);
    }

    /// The limit is ACL of Identify Controller plus 1.
    @Test
    void moreAbortsThanTheLimitAreRefused() {
        List<FakeRequest> aborts = new ArrayList<>();
        engine.target.manual.run(engine.target.thread(0), () -> {
            for (int i = 0; i < Aborts.LIMIT + 1; i++) {
                FakeRequest abort = abort(1, i);
                abort.start(engine.admin);
                engine.admin.execute(abort);
                aborts.add(abort);
            }
            return null;
        });
        FakeRequest last = aborts.removeLast();
        assertEquals(CommandSpecificStatus.ABORT_COMMAND_LIMIT_EXCEEDED, last.status() & 0x7ff);
        engine.target.driveUntil(() -> aborts.stream().allMatch(abort -> abort.ended));
        assertTrue(aborts.stream().allMatch(abort -> abort.result == 1));
        assertEquals(1, resultOf(1, 7), "and goes on");
    }

    @Test
    void aFirstFusedCommandWithoutItsSecondIsAborted() {
        FakeRequest first = EngineFixture.command(NvmOpcode.COMPARE, 3, 1).data(EngineFixture.memory(512));
        SubmissionQueueEntry.fuse(first.entry(), 0, SubmissionQueueEntry.FUSE_FIRST);
        engine.start(engine.io, first);
        assertFalse(first.ended);
        assertEquals(0, resultOf(1, 3));
        assertEquals(GenericStatus.ABORT_REQUESTED, first.status() & 0x7ff);
    }
}
