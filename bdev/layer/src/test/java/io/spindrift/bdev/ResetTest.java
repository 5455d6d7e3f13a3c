package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Resets that race with I/O, step by step.
class ResetTest {
    private final BdevFixture fixture = new BdevFixture();
    private final FakeDisk disk = fixture.disk("d", 1024, BdevGeometry.of(512), BdevFixture.READ_WRITE);
    private final BdevDescriptor descriptor = fixture.open("d");
    private final BdevChannel onA = fixture.channel(descriptor, fixture.a);
    private final BdevChannel onB = fixture.channel(descriptor, fixture.b);
    private final IoVector data = new IoVector(1);

    ResetTest() {
        data.add(Arena.ofAuto().allocate(512, 4096), 0, 512);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void abortsWhatTheModuleHasAndWhatWaitsOnEveryThread() {
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome held = fixture.begin(onB, o -> onB.write(data, 0, 1, o));
        disk.behaviour = FakeDisk.Behaviour.NO_ROOM;
        Outcome queued = fixture.begin(onB, o -> onB.write(data, 1, 1, o));
        Outcome reset = fixture.begin(onA, onA::reset);
        fixture.manual.stepUntil(() -> queued.status != null);
        assertEquals(BdevStatus.ABORTED, queued.status);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.manual.stepUntil(() -> disk.held.size() == 2);
        assertNull(reset.status);
        fixture.manual.run(fixture.a, () -> disk.finish(disk.held.removeLast()));
        fixture.manual.stepUntil(() -> reset.status != null);
        assertEquals(0L, reset.status);
        fixture.manual.stepUntil(() -> held.status != null);
        assertEquals(BdevStatus.ABORTED, held.status);
    }

    @Test
    void ioSubmittedDuringTheResetIsAbortedAndIoAfterItIsDone() {
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome reset = fixture.begin(onA, onA::reset);
        fixture.manual.stepUntil(() -> disk.held.size() == 1);
        assertEquals(BdevStatus.ABORTED, fixture.complete(onA, o -> onA.write(data, 0, 1, o)));
        assertEquals(BdevStatus.ABORTED, fixture.complete(onB, o -> onB.write(data, 0, 1, o)));
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> reset.status != null);
        assertEquals(0L, fixture.complete(onA, o -> onA.write(data, 0, 1, o)));
        assertEquals(0L, fixture.complete(onB, o -> onB.write(data, 0, 1, o)));
        assertEquals(List.of("reset 0+0", "write 0+1 x1", "write 0+1 x1"), disk.submits);
    }

    @Test
    void resetsOfTwoThreadsRunOneAfterTheOther() {
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome first = fixture.begin(onA, onA::reset);
        Outcome second = fixture.begin(onB, onB::reset);
        fixture.manual.settle();
        assertEquals(1, disk.held.size());
        fixture.manual.run(disk.held.getFirst().channel().thread(), disk::finishOldest);
        fixture.manual.settle();
        assertEquals(0L, first.status);
        assertNull(second.status);
        assertEquals(1, disk.held.size());
        fixture.manual.run(disk.held.getFirst().channel().thread(), disk::finishOldest);
        fixture.manual.settle();
        assertEquals(0L, second.status);
    }

    @Test
    void anIoThatCompletesWhileTheFreezeIsOnItsWayKeepsItsStatus() {
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome write = fixture.begin(onB, o -> onB.write(data, 0, 1, o));
        Outcome reset = fixture.begin(onA, onA::reset);
        fixture.manual.step(0); // the freeze is with thread b now, which has not run
        fixture.manual.run(fixture.b, disk::finishOldest);
        fixture.manual.stepUntil(() -> disk.held.size() == 1 && write.status != null);
        assertEquals(0L, write.status);
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> reset.status != null);
        assertEquals(0L, reset.status);
    }

    @Test
    void aChannelMadeDuringTheResetIsFrozenAndThawed() {
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        Outcome reset = fixture.begin(onA, onA::reset);
        fixture.manual.stepUntil(() -> disk.held.size() == 1);
        BdevChannel late = fixture.channel(fixture.open("d"), fixture.b);
        assertEquals(BdevStatus.ABORTED, fixture.complete(late, o -> late.write(data, 0, 1, o)));
        disk.behaviour = FakeDisk.Behaviour.COMPLETE;
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> reset.status != null);
        assertEquals(0L, fixture.complete(late, o -> late.write(data, 0, 1, o)));
    }
}
