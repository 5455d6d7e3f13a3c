package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    @TempDir
    Path directory;

    private TraceOptions options;

    @BeforeEach
    void options() {
        options = TraceOptions.of("nvmf").withDirectory(directory).withEntries(16);
    }

    private TraceFile create() throws IOException {
        return TraceFile.create(options, TestGroups.ALL, List.of(2, 0));
    }

    private static void write(TraceFile file) {
        file.ring(0).write(1, TestGroups.IO_DONE, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void isNamedAsThePeersFile() throws IOException {
        try (TraceFile file = create()) {
            assertEquals("nvmf_trace.pid" + ProcessHandle.current().pid(), file.path().getFileName().toString());
        }
        options = options.withShmId(3);
        try (TraceFile file = create()) {
            assertEquals("nvmf_trace.3", file.path().getFileName().toString());
        }
    }

    @Test
    void isNoPipeWhoseOtherEndTheReaderWouldWaitFor() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        TraceFormatException refused = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> assertThrows(TraceFormatException.class, () -> TraceFileReader.open(pipe).close()));
        assertEquals(pipe + " is no trace file: it is no regular file", refused.getMessage());
    }

    @Test
    void isForItsOwnerOnly() throws IOException {
        try (TraceFile file = create()) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
        }
    }

    @Test
    void tellsAReaderEverythingThatItNeeds() throws IOException {
        try (TraceFile file = create()) {
            file.mask(TestGroups.ALL.group("bdev").orElseThrow(), 3);
            write(file);
            try (TraceFileReader reader = TraceFileReader.open(file.path())) {
                assertEquals("nvmf", reader.application());
                assertEquals(1_000_000_000, reader.ticksPerSecond());
                assertEquals(TestGroups.ALL.all(), reader.groups().all());
                assertEquals(List.of(0, 2), reader.cores());
                assertEquals(3, reader.mask(reader.groups().group("bdev").orElseThrow()));
                assertEquals(0, reader.mask(reader.groups().group("last").orElseThrow()));
                List<TraceRingSnapshot> rings = reader.snapshot(reader.cores());
                assertEquals(0, rings.get(0).size());
                assertEquals(new TraceRecord(2, 0, 1, TestGroups.IO_DONE, 1, 2, 3, 4, 5, 6), rings.get(1).record(0));
                Duration off = Duration.between(reader.time(System.nanoTime()), Instant.now()).abs();
                assertTrue(off.toSeconds() < 5, "the reference time is off by " + off);
            }
        }
    }

    @Test
    void isRemovedAtTheEndIfItNeverHeldARecord() throws IOException {
        TraceFile file = create();
        assertTrue(Files.exists(file.path()));
        file.close();
        assertFalse(Files.exists(file.path()));
    }

    @Test
    void staysAtTheEndIfItHoldsRecords() throws IOException {
        TraceFile file = create();
        write(file);
        file.close();
        try (TraceFileReader reader = TraceFileReader.open(file.path())) {
            assertEquals(1, reader.snapshot(List.of(2)).getFirst().size());
        }
    }

    @Test
    void givesASecondApplicationOfTheSameNameAFileOfItsOwn() throws IOException {
        try (TraceFile first = create(); TraceFile second = create()) {
            assertEquals(first.path() + ".2", second.path().toString());
            write(second);
            try (TraceFileReader reader = TraceFileReader.open(first.path())) {
                assertEquals(0, reader.snapshot(List.of(2)).getFirst().size());
            }
        }
    }

    @Test
    void refusesASharedMemoryIdInUse() throws IOException {
        options = options.withShmId(9);
        try (TraceFile first = create()) {
            String message = assertThrows(FileAlreadyExistsException.class, this::create).getMessage();
            assertEquals(first.path() + " is the trace of another running nvmf: shared memory id 9 is in use", message);
        }
    }

    @Test
    void replacesWhatAnEndedApplicationLeft() throws IOException {
        TraceFile file = create();
        write(file);
        file.close();
        try (TraceFile next = create()) {
            assertEquals(file.path(), next.path());
        }
    }

    /// Pids come back: a file of this pid whose process started at another time is nobody's.
    @Test
    void replacesWhatACrashedProcessOfTheSamePidLeft() throws IOException {
        try (TraceFile crashed = create()) {
            try (FileChannel channel = FileChannel.open(crashed.path(), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 1_000_000_000_000L),
                        HEADER_PROCESS_START);
            }
            try (TraceFile next = create()) {
                assertEquals(crashed.path(), next.path());
            }
        }
    }

    @Test
    void replacesASymbolicLinkInsteadOfFollowingIt() throws IOException {
        Path precious = Files.writeString(directory.resolve("precious"), "data");
        Files.createSymbolicLink(TraceFileName.preferred(options), precious);
        try (TraceFile file = create()) {
            assertFalse(Files.isSymbolicLink(file.path()));
        }
        assertEquals("data", Files.readString(precious));
    }

    @Test
    void leavesNothingWhenItCannotBeMade() {
        options = options.withDirectory(directory.resolve("missing"));
        assertThrows(IOException.class, this::create);
    }
}
