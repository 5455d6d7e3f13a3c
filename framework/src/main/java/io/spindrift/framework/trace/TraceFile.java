package io.spindrift.framework.trace;

import static io.spindrift.framework.trace.TraceFileLayout.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The writing end of a trace file: made whole at creation, then written through its rings and masks only.
///
/// Its memory is reserved at creation, so that a full file system is an exception here and not a fault in a reactor.
final class TraceFile implements AutoCloseable {
    private static final long TICKS_PER_SECOND = 1_000_000_000;
    private static final int ZEROS = 1 << 16;

    private final Path path;
    private final Arena arena;
    private final MemorySegment file;
    private final TraceGroups groups;
    private final List<TraceRing> rings = new ArrayList<>();

    private TraceFile(Path path, Arena arena, MemorySegment file, TraceGroups groups) {
        this.path = path;
        this.arena = arena;
        this.file = file;
        this.groups = groups;
    }

    /// Creates the file, readable by its owner only, with a ring for each of `cores`.
    static TraceFile create(TraceOptions options, TraceGroups groups, List<Integer> cores) throws IOException {
        Path path = TraceFileName.free(options);
        Sections sections = Sections.of(groups, cores.size(), options.entries());
        Arena arena = Arena.ofShared();
        boolean created = false;
        try (FileChannel channel = FileChannel.open(path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            created = true;
            reserve(channel, sections.fileSize);
            MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, sections.fileSize, arena);
            TraceFile file = new TraceFile(path, arena, mapped, groups);
            file.describe(options, sections, cores);
            return file;
        } catch (IOException | RuntimeException e) {
            arena.close();
            if (created) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    private static void reserve(FileChannel channel, long size) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(ZEROS);
        for (long done = 0; done < size; done += zeros.limit()) {
            zeros.clear().limit((int) Math.min(ZEROS, size - done));
            while (zeros.hasRemaining()) {
                channel.write(zeros);
            }
        }
    }

    /// Where the parts of a file begin.
    private record Sections(long groupTable, long tracepointTable, long ringTable, long records, long ringBytes,
            long fileSize) {
        static Sections of(TraceGroups groups, int rings, int entries) {
            long tracepoints = groups.all().stream().mapToLong(group -> group.tracepoints().size()).sum();
            long groupTable = HEADER_BYTES;
            long tracepointTable = groupTable + (long) GROUP_BYTES * groups.all().size();
            // On a page: the counters that reactors write share no cache line with the tables.
            long ringTable = alignToPage(tracepointTable + TRACEPOINT_BYTES * tracepoints);
            long records = alignToPage(ringTable + (long) RING_BYTES * rings);
            long ringBytes = alignToPage((long) RECORD_BYTES * entries);
            return new Sections(groupTable, tracepointTable, ringTable, records, ringBytes,
                    records + ringBytes * rings);
        }
    }

    private void describe(TraceOptions options, Sections sections, List<Integer> cores) {
        int tracepoints = writeTables(sections);
        for (int i = 0; i < cores.size(); i++) {
            long at = sections.ringTable + (long) RING_BYTES * i;
            long records = sections.records + sections.ringBytes * i;
            file.set(INT, at + RING_CORE, cores.get(i));
            file.set(LONG, at + RING_OFFSET, records);
            rings.add(new TraceRing(file.asSlice(at, RING_BYTES),
                    file.asSlice(records, (long) RECORD_BYTES * options.entries()), options.entries()));
        }
        ProcessHandle process = ProcessHandle.current();
        Instant now = Instant.now();
        file.set(INT, HEADER_VERSION, VERSION);
        file.set(INT, HEADER_SIZE, HEADER_BYTES);
        file.set(LONG, HEADER_FILE_SIZE, sections.fileSize);
        file.set(LONG, HEADER_TICK_RATE, TICKS_PER_SECOND);
        file.set(LONG, HEADER_PID, process.pid());
        file.set(LONG, HEADER_PROCESS_START, TraceFileReader.startMillis(process));
        file.set(LONG, HEADER_REFERENCE_TICK, System.nanoTime());
        file.set(LONG, HEADER_REFERENCE_TIME, now.getEpochSecond() * 1_000_000_000 + now.getNano());
        file.set(INT, HEADER_GROUPS, groups.all().size());
        file.set(INT, HEADER_TRACEPOINTS, tracepoints);
        file.set(INT, HEADER_RINGS, cores.size());
        file.set(INT, HEADER_CAPACITY, options.entries());
        file.set(LONG, HEADER_GROUP_TABLE, sections.groupTable);
        file.set(LONG, HEADER_TRACEPOINT_TABLE, sections.tracepointTable);
        file.set(LONG, HEADER_RING_TABLE, sections.ringTable);
        text(file, HEADER_NAME, HEADER_NAME_BYTES, options.application());
        longRelease(file, HEADER_MAGIC, MAGIC); // pairs with the acquire in TraceFileReader: the rest is there
    }

    private int writeTables(Sections sections) {
        long group = sections.groupTable;
        long tracepoint = sections.tracepointTable;
        int tracepoints = 0;
        for (TraceGroup each : groups.all()) {
            file.set(INT, group + GROUP_NUMBER, each.number());
            text(file, group + GROUP_NAME, GROUP_NAME_BYTES, each.name());
            group += GROUP_BYTES;
            for (Tracepoint declared : each.tracepoints()) {
                writeTracepoint(tracepoint, declared);
                tracepoint += TRACEPOINT_BYTES;
                tracepoints++;
            }
        }
        return tracepoints;
    }

    private void writeTracepoint(long at, Tracepoint tracepoint) {
        file.set(INT, at + TRACEPOINT_INDEX, tracepoint.index());
        file.set(INT, at + TRACEPOINT_FLAGS, tracepoint.startsObject() ? FLAG_STARTS_OBJECT : 0);
        file.set(INT, at + TRACEPOINT_PREFIX, tracepoint.object().prefix());
        file.set(INT, at + TRACEPOINT_ARGUMENTS, tracepoint.arguments().size());
        text(file, at + TRACEPOINT_NAME, TRACEPOINT_NAME_BYTES, tracepoint.name());
        text(file, at + TRACEPOINT_OBJECT, TRACEPOINT_OBJECT_BYTES, tracepoint.object().name());
        long argument = at + ARGUMENT_TABLE;
        for (TraceArgument each : tracepoint.arguments()) {
            file.set(INT, argument + ARGUMENT_KIND, each.kind().ordinal());
            text(file, argument + ARGUMENT_NAME, ARGUMENT_NAME_BYTES, each.name());
            argument += ARGUMENT_BYTES;
        }
    }

    Path path() {
        return path;
    }

    /// The ring of the n-th core given at creation.
    TraceRing ring(int n) {
        return rings.get(n);
    }

    /// Shows readers which tracepoints of `group` are on. Control path.
    void mask(TraceGroup group, long mask) {
        longRelease(file, HEADER_BYTES + (long) GROUP_BYTES * groups.all().indexOf(group) + GROUP_MASK, mask);
    }

    /// Unmaps the file, when no reactor writes any more. A file with records stays, for `spdk_trace -f`; one that never
    /// held any is removed.
    @Override
    public void close() {
        boolean empty = rings.stream().allMatch(ring -> ring.written() == 0);
        longRelease(file, HEADER_PID, 0);
        arena.close();
        if (empty) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new UncheckedIOException("removing " + path, e);
            }
        }
    }
}
