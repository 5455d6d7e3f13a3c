package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TestGroups.IO_DONE;
import static io.spindrift.framework.trace.TestGroups.IO_START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
    @TempDir
    Path directory;

    private final TestReactor core0 = new TestReactor(0);
    private final TestReactor core1 = new TestReactor(1);
    private TraceOptions options;
    private Trace trace;

    @BeforeEach
    void open() {
        options = TraceOptions.of("app").withDirectory(directory).withEntries(64);
        trace = new Trace(options, TestGroups.ALL, List.of(core0, core1));
    }

    @AfterEach
    void close() {
        trace.close();
    }

    private TraceSelection select(String text) {
        return TraceSelection.parse(text, TestGroups.ALL);
    }

    private List<TraceRecord> records(int core) throws IOException {
        try (TraceFileReader reader = TraceFileReader.open(trace.path())) {
            TraceRingSnapshot ring = reader.snapshot(List.of(core)).getFirst();
            return java.util.stream.IntStream.range(0, ring.size()).mapToObj(ring::record).toList();
        }
    }

    @Test
    void makesNoFileBeforeItIsNeeded() throws IOException {
        trace.disable(select("all"));
        trace.clear();
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
        assertTrue(Files.exists(trace.path()));
    }

    @Test
    void recordsWhatIsOnAndNothingElse() throws IOException {
        core0.probes().enterThread(17);
        core0.probes().fire(IO_START, 1, 2, 3, 4, 5, 6);
        trace.enable(select("bdev:BDEV_IO_DONE"));
        long before = System.nanoTime();
        core0.probes().fire(IO_START, 1, 2, 3, 4, 5, 6);
        core0.probes().fire(IO_DONE, 1, 2, 3, 4, 5, 6);
        long after = System.nanoTime();

        TraceRecord record = records(0).getFirst();
        assertEquals(new TraceRecord(0, 0, record.tick(), IO_DONE, 17, 2, 3, 4, 5, 6), record);
        assertTrue(record.tick() - before >= 0 && after - record.tick() >= 0,
                "the record's clock is read at the place");
        assertEquals(1, records(0).size());
        assertEquals(0, records(1).size());
    }

    @Test
    void stopsRecordingWhenSwitchedOff() throws IOException {
        trace.enable(select("bdev"));
        trace.disable(select("bdev:BDEV_IO_DONE"));
        core1.probes().fire(IO_DONE, 0, 0, 0, 0, 0, 0);
        core1.probes().fire(IO_START, 0, 0, 0, 0, 0, 0);
        assertEquals(List.of(IO_START), records(1).stream().map(TraceRecord::tracepoint).toList());
        trace.disable(select("all"));
        assertFalse(core1.probes().isOn(IO_START));
    }

    @Test
    void keepsMasksAsThePeerDoes() throws IOException {
        TraceGroup bdev = TestGroups.ALL.group("bdev").orElseThrow();
        trace.enable(select("bdev"));
        assertEquals(-1, trace.mask(bdev));
        assertEquals(8, trace.groupMask());
        trace.disable(select("bdev:F"));
        assertEquals(~0xFL, trace.mask(bdev));
        assertEquals(8, trace.groupMask());
        trace.disable(select("bdev"));
        assertEquals(0, trace.groupMask());
        trace.enable(select("all"));
        assertEquals(8 | 0x400 | Long.MIN_VALUE, trace.groupMask());
    }

    @Test
    void showsReadersWhatIsOn() throws IOException {
        trace.enable(select("thread:1"));
        try (TraceFileReader reader = TraceFileReader.open(trace.path())) {
            assertEquals(1, reader.mask(reader.groups().group("thread").orElseThrow()));
        }
    }

    @Test
    void forgetsRecordsOnAllCores() throws IOException {
        trace.enable(select("bdev"));
        core0.probes().fire(IO_DONE, 0, 0, 0, 0, 0, 0);
        core1.probes().fire(IO_DONE, 0, 0, 0, 0, 0, 0);
        trace.clear();
        assertEquals(0, records(0).size() + records(1).size());
        core1.probes().fire(IO_DONE, 0, 8, 0, 0, 0, 0);
        assertEquals(8, records(1).getFirst().objectId());
    }

    @Test
    void saysHowToCapture() throws IOException {
        assertEquals("spdk_trace -f " + trace.path(), trace.captureCommand());
        try (Trace shared = new Trace(options.withShmId(4), TestGroups.ALL, List.of(core0))) {
            assertEquals("spdk_trace -s app -i 4", shared.captureCommand());
        }
    }

    @Test
    void refusesRecordsWhenStartedWithoutRoomForAny() throws IOException {
        try (Trace none = new Trace(options.withEntries(0), TestGroups.ALL, List.of(core0))) {
            assertEquals("tracing is off: the application was started with --num-trace-entries 0",
                    assertThrows(IllegalStateException.class, () -> none.enable(select("bdev"))).getMessage());
            none.enable(TraceSelection.none());
        }
    }

    @Test
    void refusesToStartAgainAfterTheEnd() {
        trace.close();
        assertThrows(IllegalStateException.class, trace::path);
    }

    @Test
    void refusesEntriesThatAreNoPowerOfTwo() {
        assertThrows(IllegalArgumentException.class, () -> options.withEntries(100));
        assertThrows(IllegalArgumentException.class, () -> options.withEntries(1 << 21));
        assertThrows(IllegalArgumentException.class, () -> TraceOptions.of("a/b"));
    }

    @Test
    void warmsUp() {
        Trace.warmUp();
    }
}
