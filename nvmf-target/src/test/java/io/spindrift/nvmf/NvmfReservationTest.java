package io.spindrift.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvmf.reservation.ReservationChange;
import io.spindrift.nvmf.reservation.ReservationRules;
import io.spindrift.nvmf.reservation.ReservationType;
import io.spindrift.nvmf.reservation.Reservations;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NvmfReservationTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);

    private TargetFixture fixture;
    private NvmfSubsystem subsystem;

    @BeforeEach
    void start() throws Exception {
        fixture = new TargetFixture();
        subsystem = fixture.subsystem();
        fixture.disk("D0");
        fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D0")));
        fixture.engine.told.clear();
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
        assertEquals(List.of(), fixture.manual.reports());
    }

    private Future<Integer> begin(long nsid, ReservationChange change) {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        subsystem.changeReservations(List.of(nsid), change, status::complete);
        return status;
    }

    private int change(ReservationChange change) throws Exception {
        return fixture.end(begin(1, change));
    }

    private static ReservationChange register(UUID host, long key) {
        return (now, persists) -> ReservationRules.register(now, persists, host, 0, false, 0, 0, key);
    }

    private static ReservationChange acquire(UUID host, int action, long key, long preempted) {
        return (now, _) -> ReservationRules.acquire(now, host, action, false, 2, key, preempted);
    }

    private GroupNamespace namespace(int group) {
        return fixture.manual.run(fixture.thread(group), () -> fixture.group(group).subsystem(subsystem).namespace(1));
    }

    private boolean isPaused(int group) {
        return fixture.manual.run(fixture.thread(group), () -> fixture.group(group).subsystem(subsystem).isPaused(1));
    }

    @Test
    void everyPollGroupHeedsAReservationOnceItIsAnswered() throws Exception {
        GroupNamespace running = namespace(1);
        fixture.manual.run(fixture.thread(1), running::begin);
        assertEquals(0, change(register(A, 1)), "commands that have begun go on");
        assertEquals(0, change(register(B, 2)));
        assertEquals(0, change(acquire(A, 0, 1, 0)));
        for (int group = 0; group < 2; group++) {
            Reservations seen = namespace(group).namespace().reservations();
            assertEquals(ReservationType.EXCLUSIVE_ACCESS, seen.type());
            assertEquals(0, seen.barred(A));
            assertEquals(Reservations.READS | Reservations.WRITES, seen.barred(B));
        }
        fixture.manual.run(fixture.thread(1), running::end);
    }

    @Test
    void preemptAndAbortWaitsForCommandsThatHaveBegun() throws Exception {
        change(register(A, 1));
        change(register(B, 2));
        change(acquire(A, 0, 1, 0));
        GroupNamespace running = namespace(1);
        fixture.manual.run(fixture.thread(1), running::begin);
        Future<Integer> aborting = begin(1, acquire(B, 2, 2, 1));
        fixture.driveUntil(() -> isPaused(1));
        fixture.manual.settle();
        assertFalse(aborting.isDone());
        assertEquals(List.of(), fixture.engine.told);
        fixture.manual.run(fixture.thread(1), running::end);
        assertEquals(0, fixture.end(aborting));
        assertFalse(isPaused(1));
        assertEquals(List.of("reservation 1 1 1"), fixture.engine.told, "registration preempted");
        assertTrue(namespace(0).namespace().reservations().holds(B));
    }

    @Test
    void waitsForNoCommandOfANamespaceThatGoes() throws Exception {
        change(register(A, 1));
        GroupNamespace running = namespace(0);
        fixture.manual.run(fixture.thread(0), running::begin);
        Future<Void> removal = fixture.begin(() -> {
            subsystem.removeNamespace(1);
            return null;
        });
        fixture.driveUntil(() -> isPaused(0));
        Future<Integer> late = begin(1, register(B, 2));
        fixture.manual.run(fixture.thread(0), running::end);
        fixture.end(removal);
        assertEquals(0x0b, fixture.end(late) & 0x7ff, "Invalid Namespace or Format");
        assertEquals(0x0b, fixture.end(begin(7, register(B, 2))) & 0x7ff);
    }
}
