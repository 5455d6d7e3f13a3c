package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Reads a trace file, whether its writer runs, has ended or was killed.
///
/// Nothing in the file is trusted: what does not fit the file or the format is a [TraceFormatException]. One thread.
public final class TraceFileReader implements AutoCloseable {
    private static final int MAX_RINGS = 4096;
    /// Records may take this part of the heap; whoever follows objects through them needs more than as much again.
    private static final int HEAP_SHARE = 6;
    /// The kernel's boot time, from which start times are reckoned, moves a little with the clock.
    private static final int START_TOLERANCE_MILLIS = 2_000;

    private final Path path;
    private final Arena arena;
    private final MemorySegment file;
    private final TraceGroups groups;
    private final List<TraceRingReader> rings;

    private TraceFileReader(Path path, Arena arena, MemorySegment file) throws TraceFormatException {
        this.path = path;
        this.arena = arena;
        this.file = file;
        checkHeader();
        this.groups = new TraceTablesReader(file).groups();
        this.rings = openRings();
    }

    /// Opens and checks the file.
    public static TraceFileReader open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) { // opening a pipe would wait for its other end
            throw new TraceFormatException(path + " is no trace file: it is no regular file");
        }
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < HEADER_BYTES) {
                throw new TraceFormatException(path + " is no trace file: it has " + size + " bytes, a header has "
                        + HEADER_BYTES);
            }
            return new TraceFileReader(path, arena, channel.map(MapMode.READ_ONLY, 0, size, arena));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            arena.close();
            throw new TraceFormatException(path + " is a damaged trace file: " + e.getMessage(), e);
        } catch (InternalError e) {
            arena.close();
            throw shortened(path, e);
        } catch (NoSuchFileException e) {
            arena.close();
            throw new TraceFormatException("there is no trace file " + path, e);
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    private void checkHeader() throws TraceFormatException {
        // Pairs with the release in TraceFile.describe: whoever sees the magic sees the tables.
        if (longAcquire(file, HEADER_MAGIC) != MAGIC) {
            throw new TraceFormatException(path + " is no trace file: it does not begin with SPNDTRCE");
        }
        int version = file.get(INT, HEADER_VERSION);
        if (version != VERSION) {
            throw new TraceFormatException(path + " has format version " + Integer.toUnsignedString(version)
                    + ", this program reads version " + VERSION);
        }
        require(file.get(INT, HEADER_SIZE) == HEADER_BYTES, "header size", file.get(INT, HEADER_SIZE));
        require(file.get(LONG, HEADER_FILE_SIZE) <= file.byteSize(), "file size", file.get(LONG, HEADER_FILE_SIZE));
        require(ticksPerSecond() > 0, "tick rate", ticksPerSecond());
        int capacity = file.get(INT, HEADER_CAPACITY);
        require(capacity > 0 && capacity <= TraceOptions.MAX_ENTRIES && Integer.bitCount(capacity) == 1,
                "records in a ring", capacity);
    }

    private void require(boolean condition, String what, long value) throws TraceFormatException {
        if (!condition) {
            throw new TraceFormatException(path + " is a damaged trace file: " + what + " " + value);
        }
    }

    private List<TraceRingReader> openRings() throws TraceFormatException {
        int count = file.get(INT, HEADER_RINGS);
        require(count > 0 && count <= MAX_RINGS, "rings", count);
        MemorySegment table = file.asSlice(file.get(LONG, HEADER_RING_TABLE), (long) RING_BYTES * count, Long.BYTES);
        int capacity = file.get(INT, HEADER_CAPACITY);
        long end = 0;
        List<TraceRingReader> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment header = table.asSlice((long) RING_BYTES * i, RING_BYTES);
            int core = header.get(INT, RING_CORE);
            long offset = header.get(LONG, RING_OFFSET);
            require(core >= 0, "core", core);
            require(offset >= end, "offset of ring " + i, offset); // none overlaps another: reading costs at most the file
            MemorySegment records = file.asSlice(offset, (long) RECORD_BYTES * capacity, Long.BYTES);
            end = offset + records.byteSize();
            opened.add(new TraceRingReader(core, header, records, capacity));
        }
        opened.sort(Comparator.comparingInt(TraceRingReader::core));
        return List.copyOf(opened);
    }

    public Path path() {
        return path;
    }

    /// The program that wrote the file; printable ASCII, whatever the file holds.
    public String application() {
        return TraceNames.printable(text(file, HEADER_NAME, HEADER_NAME_BYTES));
    }

    public long ticksPerSecond() {
        return file.get(LONG, HEADER_TICK_RATE);
    }

    /// When `tick` was, by the wall clock at the time the file was made.
    public Instant time(long tick) {
        long nanos = Math.round((tick - file.get(LONG, HEADER_REFERENCE_TICK)) * (1e9 / ticksPerSecond()));
        return Instant.EPOCH.plusNanos(file.get(LONG, HEADER_REFERENCE_TIME)).plusNanos(nanos);
    }

    public TraceGroups groups() {
        return groups;
    }

    /// The tracepoints of the group of `number` that are on, now or when the writer ended.
    public long mask(TraceGroup group) {
        long at = file.get(LONG, HEADER_GROUP_TABLE);
        for (int i = 0; i < groups.all().size(); i++, at += GROUP_BYTES) {
            if (file.get(INT, at + GROUP_NUMBER) == group.number()) {
                return longAcquire(file, at + GROUP_MASK);
            }
        }
        return 0;
    }

    /// The records that each ring holds.
    public int capacity() {
        return file.get(INT, HEADER_CAPACITY);
    }

    /// Cores that have a ring, ascending.
    public List<Integer> cores() {
        return rings.stream().map(TraceRingReader::core).toList();
    }

    /// Copies what is in the rings of `cores` now.
    public List<TraceRingSnapshot> snapshot(List<Integer> cores) throws TraceFormatException {
        List<TraceRingReader> wanted = rings.stream().filter(ring -> cores.contains(ring.core())).toList();
        try {
            long bytes = wanted.stream().mapToLong(TraceRingReader::snapshotBytes).sum();
            long limit = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
            if (bytes > limit) {
                throw new TraceFormatException(
                        path + " holds " + (bytes >> 20) + " MiB of records and this program may copy "
                                + (limit >> 20) + " MiB: read one core at a time");
            }
            return wanted.stream().map(TraceRingReader::snapshot).toList();
        } catch (InternalError e) {
            throw shortened(path, e);
        }
    }

    /// `fault` is how the JVM reports SIGBUS on a mapped page.
    private static TraceFormatException shortened(Path path, InternalError fault) {
        return new TraceFormatException(path + " became shorter while it was read", fault);
    }

    @Override
    public void close() {
        arena.close();
    }

    /// Whether `path` is a trace file whose writer still runs.
    static boolean writerLives(Path path) throws IOException {
        try (TraceFileReader reader = open(path)) {
            long start = reader.file.get(LONG, HEADER_PROCESS_START);
            return ProcessHandle.of(reader.file.get(LONG, HEADER_PID)).filter(ProcessHandle::isAlive)
                    .filter(process -> Math.abs(startMillis(process) - start) < START_TOLERANCE_MILLIS).isPresent();
        } catch (TraceFormatException e) {
            return false;
        }
    }

    /// When `process` started, ms since 1970: tells it from a later one of the same pid. 0 if the system does not say.
    static long startMillis(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
