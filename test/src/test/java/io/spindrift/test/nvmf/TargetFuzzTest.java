package io.spindrift.test.nvmf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.test.nvmf.FuzzHost.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/// Whatever hosts send to a target: nothing throws, nothing of it is left, what the target answers is well formed, and a good host beside them keeps its data. A failure names the seed, and the smallest plan that fails.
class TargetFuzzTest {
    private static final String FUZZED = "nqn.2016-06.io.spdk:fuzzed";
    private static final int QUEUES = 100;

    @Provide
    Arbitrary<List<Plan>> connections() {
        return FuzzPlans.plans().list().ofMinSize(1).ofMaxSize(4);
    }

    private LiveTarget target;
    private TcpHost admin;
    private TcpHost io;
    /// Owns the controller whose I/O queues are fuzzed.
    private TcpHost victim;
    private final int[] cntlid = new int[1];
    private final AtomicInteger queues = new AtomicInteger();
    private final Random random = new Random(11);
    private ExecutorService hosts;

    @BeforeProperty
    void start() throws Exception {
        target = LiveTarget.start();
        target.addSubsystem(FUZZED);
        target.program.call("bdev_malloc_create", "{'name': 'Malloc1', 'num_blocks': 2048, 'block_size': 512}");
        target.program.call("nvmf_subsystem_add_ns",
                "{'nqn': '" + FUZZED + "', 'namespace': {'bdev_name': 'Malloc1'}}");
        target.addListener(FUZZED, "127.0.0.1", target.port);
        admin = target.admin(false, false, cntlid);
        io = target.io(1, cntlid[0], true, true);
        victim = LiveTarget.enable(target.connected(), FUZZED, cntlid);
        hosts = Executors.newFixedThreadPool(4);
    }

    @AfterProperty
    void stop() throws Exception {
        hosts.shutdown();
        victim.close();
        admin.close();
        io.close();
        LiveTarget.await("controllers", 0, () -> target.controllers(FUZZED));
        target.assertNothingIsLeft();
        target.stop();
    }

    /// I/O queues in turn: by the time that one comes again, its last connection has gone.
    private Void run(Plan plan) throws Exception {
        int qid = 1 + queues.getAndIncrement() % QUEUES;
        try (FuzzHost host = new FuzzHost(target.port, plan, FUZZED, qid, cntlid[0])) {
            host.run();
            return null;
        }
    }

    private void survives(List<Plan> plans) throws Exception {
        List<Future<?>> running = new ArrayList<>();
        plans.forEach(plan -> running.add(hosts.submit(() -> run(plan))));
        for (Future<?> host : running) {
            try {
                host.get();
            } catch (ExecutionException e) {
                throw new AssertionError("a connection of " + plans, e.getCause());
            }
        }
        byte[] data = new byte[4096];
        random.nextBytes(data);
        assertEquals(0, LiveTarget.write(io, 512, data, random.nextBoolean()).status());
        assertArrayEquals(data, LiveTarget.read(io, 512, data.length).data());
        target.assertNothingWasThrown();
    }

    @Property(tries = 300)
    void aTargetSurvives(@ForAll("connections") List<Plan> plans) throws Exception {
        survives(plans);
    }

    /// About 25 PDUs a try.
    @Property(tries = 40_000)
    @Tag("long")
    void aTargetSurvivesAMillion(@ForAll("connections") List<Plan> plans) throws Exception {
        survives(plans);
    }
}
