package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TestGroups.IO_DONE;
import static io.spindrift.framework.trace.TestGroups.IO_START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceProbesTest {
    @TempDir
    Path directory;

    private final TestReactor core0 = new TestReactor(0);
    private final TestReactor core4 = new TestReactor(4);
    private Trace trace;
    private TraceProbes probes;
    private final Tracepoint start = tracepoint("BDEV_IO_START");
    private final Tracepoint done = tracepoint("BDEV_IO_DONE");

    private static Tracepoint tracepoint(String name) {
        return TestGroups.ALL.tracepoint(name).orElseThrow();
    }

    @BeforeEach
    void open() {
        trace = new Trace(TraceOptions.of("app").withDirectory(directory), TestGroups.ALL, List.of(core0, core4));
        probes = trace.probes();
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private static void done(TestReactor reactor, long tick, long id, long latency) {
        reactor.probes().fire(IO_DONE, tick, id, 8, latency, 0, 1);
    }

    private String attachHistogram(Tracepoint at, Optional<String> argument, Optional<String> since) {
        return probes.attachHistogram(at, probes.measure(at, argument, since), Optional.empty()).name();
    }

    private static int code(Runnable call) {
        return assertThrows(RpcException.class, call::run).code();
    }

    @Test
    void countsOnEveryCore() {
        String name = probes.attachCount(done, Optional.empty()).name();
        for (int i = 0; i < 5; i++) {
            done(core0, 0, i, 1);
        }
        done(core4, 0, 9, 1);
        core4.probes().fire(IO_START, 0, 9, 8, 1, 2, 3);

        ProbeReading reading = probes.read(name);
        assertEquals(6, reading.count());
        assertEquals(List.of(new ProbeReading.CoreCount(0, 5), new ProbeReading.CoreCount(4, 1)), reading.cores());
        assertTrue(reading.histogram().isEmpty());
    }

    @Test
    void stopsCountingWhenDetachedAndSaysWhatItSaw() {
        String name = probes.attachCount(done, Optional.of("mine")).name();
        done(core0, 0, 0, 1);
        assertEquals(1, probes.detach(name).count());
        assertFalse(core0.probes().isOn(IO_DONE));
        assertEquals(List.of(), probes.list());
        assertEquals(-2, code(() -> probes.read("mine"))); // ENOENT
    }

    @Test
    void collectsTheDurationThatTheTracepointCarries() {
        String name = attachHistogram(done, Optional.empty(), Optional.empty());
        done(core0, 0, 0, 100);
        done(core4, 0, 0, 300);
        LogLinearHistogram histogram = probes.read(name).histogram().orElseThrow();
        assertEquals(2, histogram.count());
        assertEquals(100, histogram.min());
        assertEquals(300, histogram.max());
        assertEquals(200.0, histogram.mean());
        assertEquals("argument latency", probes.list().getFirst().measure().orElseThrow().text());
    }

    @Test
    void collectsAnotherArgumentByName() {
        String name = attachHistogram(start, Optional.of("qd"), Optional.empty());
        core0.probes().fire(IO_START, 0, 0, 0, 1, 2, 16);
        assertEquals(16, probes.read(name).histogram().orElseThrow().max());
        assertEquals("argument=depth: BDEV_IO_START has type, offset, qd", assertThrows(IllegalArgumentException.class,
                () -> probes.measure(start, Optional.of("depth"), Optional.empty())).getMessage());
    }

    @Test
    void collectsTheTimeBetweenTwoTracepointsOfAnObject() {
        String name = attachHistogram(done, Optional.empty(), Optional.of("BDEV_IO_START"));
        core0.probes().fire(IO_START, 1000, 1, 8, 0, 0, 0);
        core0.probes().fire(IO_START, 1100, 2, 8, 0, 0, 0);
        done(core0, 1500, 2, 0);
        done(core0, 1700, 1, 0);
        done(core0, 1800, 3, 0); // began before the probe was there
        done(core4, 1800, 1, 0); // began nowhere
        ProbeReading reading = probes.read(name);
        assertEquals(400, reading.histogram().orElseThrow().min());
        assertEquals(700, reading.histogram().orElseThrow().max());
        assertEquals(2, reading.count());
        assertEquals(2, reading.unmatched());
        probes.detach(name);
        assertFalse(core0.probes().isOn(IO_START));
    }

    @Test
    void collectsTheTimeBetweenPassesWhereNothingBetterIsKnown() {
        String name = attachHistogram(start, Optional.empty(), Optional.empty());
        for (long tick : new long[]{50, 60, 90}) {
            core0.probes().fire(IO_START, tick, 1, 8, 0, 0, 0);
        }
        LogLinearHistogram histogram = probes.read(name).histogram().orElseThrow();
        assertEquals(2, histogram.count());
        assertEquals(10, histogram.min());
        assertEquals(30, histogram.max());
    }

    @Test
    void refusesAPairThatNeverMeets() {
        for (String since : List.of("BDEV_IO_DONE", "THREAD_IOCH_GET", "BDEV_IOCH_CREATE")) {
            assertThrows(IllegalArgumentException.class,
                    () -> probes.measure(done, Optional.empty(), Optional.of(since)));
        }
        assertThrows(IllegalArgumentException.class,
                () -> probes.measure(done, Optional.of("latency"), Optional.of("BDEV_IO_START")));
    }

    @Test
    void letsRecordsAndSeveralProbesShareATracepoint() throws IOException {
        trace.enable(TraceSelection.parse("bdev", TestGroups.ALL));
        String count = probes.attachCount(done, Optional.empty()).name();
        String histogram = attachHistogram(done, Optional.empty(), Optional.empty());
        done(core0, 0, 0, 7);
        probes.detach(count);
        done(core0, 0, 0, 9);
        trace.disable(TraceSelection.parse("bdev", TestGroups.ALL));
        done(core0, 0, 0, 11);
        assertEquals(3, probes.read(histogram).count());
        try (TraceFileReader reader = TraceFileReader.open(trace.path())) {
            assertEquals(2, reader.snapshot(List.of(0)).getFirst().size());
        }
        probes.detach(histogram);
        assertFalse(core0.probes().isOn(IO_DONE));
    }

    @Test
    void namesProbesAndRefusesANameTwice() {
        assertEquals("probe0", probes.attachCount(done, Optional.empty()).name());
        probes.attachCount(done, Optional.of("probe1"));
        assertEquals("probe2", probes.attachCount(done, Optional.empty()).name());
        assertEquals(-17, code(() -> probes.attachCount(start, Optional.of("probe1")))); // EEXIST
        assertFalse(core0.probes().isOn(IO_START));
        assertEquals(3, probes.list().size());
    }

    @Test
    void refusesMoreThanItsLimit() {
        for (int i = 0; i < TraceProbes.MAX_PROBES; i++) {
            probes.attachCount(done, Optional.empty());
        }
        assertEquals(-28, code(() -> probes.attachCount(done, Optional.empty()))); // ENOSPC
    }

    @Test
    void saysWhichTracepointsThereAre() {
        assertEquals("tracepoint=BDEV_IO does not exist; there are BDEV_IO_START, BDEV_IO_DONE, BDEV_IOCH_CREATE, "
                + "THREAD_IOCH_GET, LAST_OF_ALL",
                assertThrows(IllegalArgumentException.class, () -> probes.tracepoint("BDEV_IO")).getMessage());
    }
}
