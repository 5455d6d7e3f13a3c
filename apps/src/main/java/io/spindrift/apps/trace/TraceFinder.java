package io.spindrift.apps.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the trace file that the arguments mean.
final class TraceFinder {
    private final Path directory;

    /// `directory` is where programs make their trace files: `/dev/shm`.
    TraceFinder(Path directory) {
        this.directory = directory;
    }

    /// The file; the newest if several fit. `NoSuchFileException` says what was looked for.
    Path find(TraceArguments arguments) throws IOException {
        if (arguments.file().isPresent()) {
            return arguments.file().get();
        }
        String name = arguments.name().map(Pattern::quote).orElse(".+");
        String owner = "(pid)?\\d+(\\.\\d+)?";
        String wanted = arguments.name().orElse("*") + "_trace.*";
        if (arguments.pid().isPresent()) {
            owner = "pid" + arguments.pid().getAsLong() + "(\\.\\d+)?";
            wanted = arguments.name().orElse("*") + "_trace.pid" + arguments.pid().getAsLong();
        } else if (arguments.shmId().isPresent()) {
            owner = "" + arguments.shmId().getAsInt();
            wanted = arguments.name().orElse("*") + "_trace." + owner;
        }
        String missing = "there is no trace file " + directory.resolve(wanted)
                + ": was the program started with -e, or trace_enable_tpoint_group called?";
        return newest(Pattern.compile(name + "_trace\\." + owner))
                .orElseThrow(() -> new NoSuchFileException(missing));
    }

    private Optional<Path> newest(Pattern pattern) throws IOException {
        Path newest = null;
        FileTime time = null;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (!pattern.matcher(file.getFileName().toString()).matches()
                        || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !Files.isReadable(file)) {
                    continue;
                }
                FileTime modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
                if (time == null || modified.compareTo(time) > 0) {
                    newest = file;
                    time = modified;
                }
            }
        }
        return Optional.ofNullable(newest);
    }
}
