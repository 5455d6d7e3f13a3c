package io.spindrift.framework.trace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Which file a writer takes, when others have left theirs.
///
/// A file whose writer lives is never touched: a second application of one name in one process takes `.pidPID.2`, and a
/// shared-memory id in use is refused. A file left by a process that is gone is replaced.
final class TraceFileName {
    private static final int MAX_PER_PROCESS = 64;

    private TraceFileName() {}

    /// The file that `options` ask for, when nobody else has it.
    static Path preferred(TraceOptions options) {
        String suffix = options.shmId().isPresent()
                ? "" + options.shmId().getAsInt()
                : "pid" + ProcessHandle.current().pid();
        return options.directory().resolve(options.application() + "_trace." + suffix);
    }

    /// A path at which no file exists any more; the caller creates it exclusively.
    static Path free(TraceOptions options) throws IOException {
        Path preferred = preferred(options);
        if (makeFree(preferred)) {
            return preferred;
        }
        if (options.shmId().isPresent()) {
            throw new FileAlreadyExistsException(preferred + " is the trace of another running " + options.application()
                    + ": shared memory id " + options.shmId().getAsInt() + " is in use");
        }
        for (int i = 2; i <= MAX_PER_PROCESS; i++) {
            Path other = preferred.resolveSibling(preferred.getFileName() + "." + i);
            if (makeFree(other)) {
                return other;
            }
        }
        throw new FileAlreadyExistsException(preferred + " and " + MAX_PER_PROCESS + " more are in use");
    }

    private static boolean makeFree(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (TraceFileReader.writerLives(path)) {
            return false;
        }
        Files.delete(path);
        return true;
    }
}
