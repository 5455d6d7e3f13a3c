package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.log.LogLevel;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.thread.CpuMask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Start and stop.
@Timeout(30)
class ApplicationTest extends ApplicationFixture {
    @Test
    void startsSubsystemsInOrderAndStopsThemInTheOppositeOne() throws Exception {
        components.add("nvmf", "bdev");
        components.add("bdev");
        components.job = application -> application.stop(0);
        Application application = start(options());

        assertEquals(0, application.join());
        assertEquals(List.of("rpcs bdev", "rpcs nvmf", "init bdev", "init nvmf", "job", "end", "shutdown nvmf",
                "shutdown bdev"), components.journal);
    }

    @Test
    void returnsTheHighestStatusThatItWasStoppedWith() throws Exception {
        components.job = application -> {
            application.stop(3);
            application.stop(0);
        };

        assertEquals(3, start(options()).join());
    }

    @Test
    void endsWithStatusOneWhenItsJobFails() throws Exception {
        components.job = _ -> {
            throw new IllegalStateException("no bdev to use");
        };

        assertEquals(1, start(options()).join());
        assertTrue(log.contains("tgt ends, because its job failed"), log.toString());
        assertTrue(log.contains("no bdev to use"), log.toString());
    }

    @Test
    void endsWithStatusOneWhenAnErrorEndsItsJob() throws Exception {
        components.job = _ -> {
            throw new OutOfMemoryError("no room for a channel");
        };

        assertEquals(1, start(options()).join());
        assertTrue(log.contains("no room for a channel"), log.toString());
    }

    @Test
    void endsWithStatusOneWhenAShutdownFailsAndShutsTheRestDown() throws Exception {
        components.add("bdev");
        components.add("nvmf", "bdev").shutdown = _ -> {
            throw new IllegalStateException("stuck qpair");
        };
        components.job = application -> application.stop(0);

        assertEquals(1, start(options()).join());
        assertEquals("shutdown bdev", components.journal.getLast());
        assertTrue(log.contains("the stop of subsystem nvmf failed"), log.toString());
    }

    @Test
    void shutsTheRestDownWhenAnErrorEndsAShutdown() throws Exception {
        components.add("bdev");
        components.add("nvmf", "bdev").shutdown = _ -> {
            throw new NoClassDefFoundError("a plug-in's");
        };
        components.job = application -> application.stop(0);

        assertEquals(1, start(options()).join());
        assertEquals("shutdown bdev", components.journal.getLast());
        assertTrue(log.contains("the stop of subsystem nvmf failed"), log.toString());
    }

    @Test
    void namesTheSubsystemThatDoesNotStartAndStopsTheOthers() throws Exception {
        components.add("bdev");
        components.add("nvmf", "bdev").init = _ -> {
            throw new IllegalStateException("no transport");
        };
        components.add("late", "nvmf");

        assertEquals("subsystem nvmf does not start: no transport", startRefusal(options()));
        assertEquals(List.of("init bdev", "init nvmf", "shutdown bdev"),
                components.journal.stream().filter(entry -> !entry.startsWith("rpcs")).toList());
    }

    @Test
    void stopsWhatHadStartedWhenAnErrorEndsTheStart() throws Exception {
        components.add("a");
        components.add("b", "a").init = _ -> {
            throw new AssertionError("a bug");
        };
        Application application = create(options());
        assertEquals("a bug", assertThrows(AssertionError.class, application::start).getMessage());
        assertEquals(List.of("rpcs a", "rpcs b", "init a", "init b", "shutdown a"), components.journal);
        assertEquals(1, application.join());
    }

    @Test
    void refusesSubsystemsThatDoNotFitTogether() {
        components.add("bdev", "accel");

        assertEquals("subsystem bdev depends on accel, which this program does not have", startRefusal(options()));
    }

    @Test
    void startsNoFurtherSubsystemAfterAStop() throws Exception {
        components.add("bdev").init = application -> application.stop(0);
        components.add("nvmf", "bdev");

        assertEquals(0, start(options()).join());
        assertFalse(components.journal.contains("init nvmf"), components.journal.toString());
        assertFalse(components.journal.contains("job"), components.journal.toString());
        assertFalse(components.journal.contains("end"), components.journal.toString());
    }

    @Test
    void namesWhatHoldsAStopThatTakesTooLong() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        components.add("stuck").shutdown = _ -> never.await();
        Application application = Application.create(options().build(), components, log.log(), Optional.empty(),
                Duration.ofMillis(100).toNanos());
        application.start();
        application.stop(0);

        assertEquals(1, application.join());
        assertTrue(log.contains("did not stop within 100 ms: it still waits for subsystem stuck; threads left: "
                + "[app_thread]"), log.toString());

        never.countDown();
        awaitEndWithStatusZero(application);
    }

    /// The limit, which is short here, may pass again before the rest has stopped; the test's own limit ends what never
    /// comes.
    private static void awaitEndWithStatusZero(Application application) throws InterruptedException {
        int status;
        do {
            status = application.join();
        } while (status != 0);
    }

    @Test
    void namesTheStartThatHoldsAStop() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        components.add("stuck").init = _ -> {
            reached.countDown();
            never.await();
        };
        Application application = Application.create(options().build(), components, log.log(), Optional.empty(),
                Duration.ofMillis(100).toNanos());
        FutureTask<Void> starter = new FutureTask<>(() -> {
            application.start();
            return null;
        });
        Thread.ofPlatform().start(starter);
        reached.await();
        application.stop(0);

        assertEquals(1, application.join());
        assertTrue(log.contains("it still waits for the start of subsystem stuck"), log.toString());
        never.countDown();
        starter.get();
        awaitEndWithStatusZero(application);
    }

    @Test
    void containsAndLogsAnExceptionOnAReactor() throws Exception {
        Application application = start(options());
        application.reactors().appThread().send(() -> {
            throw new IllegalStateException("a bug in a message");
        });
        application.reactors().appThread().run(() -> {});

        assertTrue(log.contains("an exception was contained"), log.toString());
        assertTrue(log.contains("a bug in a message"), log.toString());
        application.close();
    }

    @Test
    void livesBesideAnotherInOneJvm() throws Exception {
        FakeComponents others = new FakeComponents();
        others.add("nvmf");
        components.add("bdev");
        try (RecordedLog otherLog = new RecordedLog()) {
            Application one = start(serving());
            Application two = Application.create(
                    ApplicationOptions.builder("other").cpuLocks(false)
                            .rpcAddress(folder.resolve("other.sock").toString()).cpuMask(CpuMask.of(0)).build(),
                    others, otherLog.log());
            two.start();
            one.log().printLevel(LogLevel.ERROR);
            one.notifications().registerType("bdev_register");

            assertEquals("NOTICE", two.log().printLevel().name());
            assertEquals(List.of(), two.notifications().types());
            assertEquals("[\"scheduler\",\"iobuf\",\"bdev\"]",
                    Json.compact(names(call(one, "framework_get_subsystems"))));
            assertEquals("[\"scheduler\",\"iobuf\",\"nvmf\"]",
                    Json.compact(names(call(two, "framework_get_subsystems"))));

            one.close();
            assertTrue(request(folder.resolve("other.sock"),
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"framework_wait_init\"}").contains("\"result\":true"));
            assertEquals("tgt", one.options().name());
            two.close();
        }
    }

    private static JsonNode names(JsonNode subsystems) {
        return Json.tree(subsystems.valueStream().map(subsystem -> subsystem.get("subsystem")).toList());
    }
}
