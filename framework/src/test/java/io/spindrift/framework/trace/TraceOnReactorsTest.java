package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Probes come and go while a reactor passes the tracepoint without pause.
@Timeout(60)
class TraceOnReactorsTest {
    @TempDir
    Path directory;

    private final Reactors reactors = Reactors.start(ReactorOptions.of("trace", CpuMask.of(0)));
    private final IoThread thread = reactors.appThread();
    private final Tracepoint done = TestGroups.ALL.tracepoint("BDEV_IO_DONE").orElseThrow();
    private Trace trace;
    private Poller poller;
    private long passes;

    @BeforeEach
    void start() {
        trace = new Trace(TraceOptions.of("app").withDirectory(directory).withEntries(256), TestGroups.ALL,
                reactors.reactors());
        poller = thread.call(() -> thread.addPoller("passing", new PollFunction() {
            @Override
            public int poll() {
                thread.probes().fire(TestGroups.IO_DONE, thread.now(), passes, 8, passes, 0, 1);
                passes++;
                return 1;
            }

            @Override
            public boolean readyToSleep() {
                return false;
            }
        }));
    }

    @AfterEach
    void stop() {
        thread.run(poller::unregister);
        reactors.close();
        trace.close();
    }

    private long passes() {
        return thread.call(() -> passes);
    }

    @Test
    void countsEachPassBetweenAttachAndDetach() {
        long before = passes();
        String name = trace.probes().attachCount(done, Optional.empty()).name();
        long attached = passes();
        while (trace.probes().read(name).count() < 1000) {
            Thread.onSpinWait();
        }
        long detaching = passes();
        long counted = trace.probes().detach(name).count();
        long after = passes();
        assertTrue(counted >= detaching - attached && counted <= after - before,
                counted + " outside " + (detaching - attached) + ".." + (after - before));
    }

    @Test
    void recordsWithoutGapsUntilSwitchedOff() throws IOException {
        TraceSelection selection = TraceSelection.parse("bdev:BDEV_IO_DONE", TestGroups.ALL);
        trace.enable(selection);
        try (TraceFileReader reader = TraceFileReader.open(trace.path())) {
            while (reader.snapshot(List.of(0)).getFirst().written() < 10_000) {
                Thread.onSpinWait();
            }
            trace.disable(selection);
            TraceRingSnapshot ring = reader.snapshot(List.of(0)).getFirst();
            assertEquals(256, ring.size());
            assertEquals(0, ring.lost());
            for (int i = 0; i < ring.size(); i++) {
                TraceRecord record = ring.record(i);
                assertEquals(ring.record(0).objectId() + i, record.objectId());
                assertEquals((int) thread.id(), record.threadId());
                assertTrue(i == 0 || record.tick() >= ring.tick(i - 1));
            }
            assertEquals(ring.written(), reader.snapshot(List.of(0)).getFirst().written());
        }
    }

    @Test
    void refusesToAttachOnceTheReactorsHaveStopped() {
        Reactors stopped = Reactors.start(ReactorOptions.of("stopped", CpuMask.of(0)));
        stopped.close();
        try (Trace late = new Trace(TraceOptions.of("late").withDirectory(directory), TestGroups.ALL,
                stopped.reactors())) {
            assertThrows(IllegalStateException.class, () -> late.probes().attachCount(done, Optional.empty()));
            assertEquals(List.of(), late.probes().list());
        }
    }
}
