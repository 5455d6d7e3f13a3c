package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.app.LoadBalance.Load;
import io.spindrift.framework.thread.CpuMask;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadBalanceTest {
    private static final CpuMask ALL = CpuMask.of(0, 1, 2);
    private final LoadBalance balance = new LoadBalance(ALL, 0, SchedulerLimits.DEFAULT);

    private static Load load(long thread, int core, int load) {
        return new Load(thread, core, load, ALL);
    }

    @Test
    void gathersIdleThreadsOnTheSchedulingCore() {
        assertEquals(Map.of(2L, 0, 3L, 0), balance.moves(List.of(load(1, 0, 0), load(2, 1, 5), load(3, 2, 19))));
    }

    @Test
    void leavesABusyThreadWhereItFits() {
        assertEquals(Map.of(), balance.moves(List.of(load(1, 1, 20), load(2, 2, 100))));
    }

    @Test
    void movesTheLighterThreadOffACrowdedCoreToTheOneThatDoesLeast() {
        assertEquals(Map.of(2L, 1), balance.moves(List.of(load(1, 0, 60), load(2, 0, 40), load(3, 2, 30))));
    }

    @Test
    void doesNotMoveAThreadToACoreThatItWouldOverfill() {
        assertEquals(Map.of(), new LoadBalance(CpuMask.of(0, 1), 0, SchedulerLimits.DEFAULT)
                .moves(List.of(load(1, 0, 90), load(2, 1, 90), load(3, 0, 50))));
    }

    @Test
    void respectsTheCoresThatAThreadMayUse() {
        assertEquals(Map.of(), balance.moves(List.of(new Load(1, 1, 0, CpuMask.of(1)), load(2, 1, 60),
                new Load(3, 1, 30, CpuMask.of(1)))));
    }

    @Test
    void leavesTwoThreadsThatShareACoreWithinItsLimit() {
        assertEquals(Map.of(), balance.moves(List.of(load(1, 1, 50), load(2, 1, 30))));
    }
}
