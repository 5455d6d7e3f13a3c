package io.spindrift.framework.trace;

import io.spindrift.framework.Check;
import java.nio.file.Path;
import java.util.OptionalInt;

/// How an application traces.
///
/// @param application the program's name, part of the file's
/// @param shmId       `-i`: the file is `APP_trace.ID` instead of `APP_trace.pidPID`
/// @param entries     records each reactor keeps (`--num-trace-entries`): a power of two, or 0 for no records at all
/// @param directory   where the file is made: `/dev/shm`, unless a test says otherwise
public record TraceOptions(String application, OptionalInt shmId, int entries, Path directory) {
    /// What `--num-trace-entries` is when not given.
    public static final int DEFAULT_ENTRIES = 32768;

    /// 64 MiB for each reactor.
    public static final int MAX_ENTRIES = 1 << 20;

    /// Where shared memory lives.
    public static final Path SHARED_MEMORY = Path.of("/dev/shm");

    public TraceOptions {
        if (!application.matches("[A-Za-z0-9_.-]{1,63}")) {
            throw new IllegalArgumentException("application=" + application
                    + " must be 1 to 63 letters, digits, _, . and -, since it names the trace file");
        }
        if (shmId.isPresent()) {
            Check.range("shm_id", shmId.getAsInt(), 0, Integer.MAX_VALUE);
        }
        Check.range("num-trace-entries", entries, 0, MAX_ENTRIES);
        if (Integer.bitCount(entries) > 1) {
            throw new IllegalArgumentException(
                    "num-trace-entries=" + entries + " must be a power of two, or 0 for none");
        }
    }

    /// The defaults of a program.
    public static TraceOptions of(String application) {
        return new TraceOptions(application, OptionalInt.empty(), DEFAULT_ENTRIES, SHARED_MEMORY);
    }

    public TraceOptions withShmId(int id) {
        return new TraceOptions(application, OptionalInt.of(id), entries, directory);
    }

    public TraceOptions withEntries(int count) {
        return new TraceOptions(application, shmId, count, directory);
    }

    public TraceOptions withDirectory(Path folder) {
        return new TraceOptions(application, shmId, entries, folder);
    }
}
