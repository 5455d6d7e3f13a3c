package io.spindrift.apps.bdevperf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.framework.thread.CpuMask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bdevs that go between the plan of a run and its start.
@Timeout(60)
class TestRunTest {
    private final PerfFixture fixture = new PerfFixture();
    private final List<String> complaints = new ArrayList<>();

    @BeforeEach
    void makeDisks() {
        fixture.disk("a", 64);
        fixture.disk("b", 64);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /// Runs `task` on a control thread while the reactors are driven here.
    private <T> T control(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        Thread.ofVirtual().start(future);
        while (!future.isDone()) {
            fixture.manual.stepAll();
        }
        return future.get();
    }

    private void remove(String name) throws Exception {
        control(() -> {
            fixture.registry.unregister(fixture.registry.get(name));
            return null;
        });
    }

    private Plan plan(String bdev) throws PerfException {
        BdevperfOptions options = new BdevperfOptions();
        if (!bdev.isEmpty()) {
            options.bdev(bdev);
        }
        Load load = Load.NONE.withDepth(1).withIoSize(512).withWorkload(Workload.READ).withSeconds(1);
        return Planner.plan(fixture.registry, CpuMask.of(0), options, load, 1);
    }

    private List<String> opened(Plan plan) throws Exception {
        return control(() -> {
            try (TestRun run = TestRun.open(plan, fixture.registry, fixture.memory, complaints::add)) {
                return run.specs().stream().map(JobSpec::name).toList();
            }
        });
    }

    @Test
    void leavesOutOneOfAllThatThereAre() throws Exception {
        Plan plan = plan("");
        remove("a");
        assertEquals(List.of("b"), opened(plan));
        assertEquals(List.of("job a is left out: there is no bdev 'a'"), complaints);
    }

    @Test
    void refusesToRunOnNoneThatIsLeft() throws Exception {
        Plan plan = plan("");
        remove("a");
        remove("b");
        ExecutionException refused = assertThrows(ExecutionException.class, () -> opened(plan));
        assertEquals("there is no bdev to run on any more", refused.getCause().getMessage());
    }

    @Test
    void refusesToRunWithoutTheOneThatWasNamed() throws Exception {
        Plan plan = plan("a");
        remove("a");
        ExecutionException refused = assertThrows(ExecutionException.class, () -> opened(plan));
        assertEquals("job a: there is no bdev 'a'", refused.getCause().getMessage());
    }
}
