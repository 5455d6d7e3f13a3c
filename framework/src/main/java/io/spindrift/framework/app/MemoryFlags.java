package io.spindrift.framework.app;

import io.spindrift.framework.memory.MemoryOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What the command line says about memory.
///
/// @param mebibytes `-s`: with `--no-huge`, how much may be used at most; 0 or nothing for what is needed
/// @param hugePages false after `--no-huge`
/// @param hugeDirectory `--huge-dir`: where hugetlbfs is mounted
/// @param unlinkHuge `-R`: hugepage files are unlinked as soon as they are mapped
/// @param singleFile `-g`: one file holds all segments
public record MemoryFlags(OptionalLong mebibytes, boolean hugePages, Optional<Path> hugeDirectory, boolean unlinkHuge,
        boolean singleFile) {
    /// Hugepages if there are any, as much memory as is needed.
    public static final MemoryFlags DEFAULT = new MemoryFlags(OptionalLong.empty(), true, Optional.empty(), false,
            false);

    /// These, with `size` as [#mebibytes].
    public MemoryFlags withMebibytes(long size) {
        return new MemoryFlags(OptionalLong.of(size), hugePages, hugeDirectory, unlinkHuge, singleFile);
    }

    /// These, without hugepages.
    public MemoryFlags withoutHugePages() {
        return new MemoryFlags(mebibytes, false, hugeDirectory, unlinkHuge, singleFile);
    }

    /// These, with hugetlbfs at `directory`.
    public MemoryFlags withHugeDirectory(Path directory) {
        return new MemoryFlags(mebibytes, hugePages, Optional.of(directory), unlinkHuge, singleFile);
    }

    /// These, with hugepage files unlinked.
    public MemoryFlags withUnlinkedHuge() {
        return new MemoryFlags(mebibytes, hugePages, hugeDirectory, true, singleFile);
    }

    /// These, with one file for all segments.
    public MemoryFlags withSingleFile() {
        return new MemoryFlags(mebibytes, hugePages, hugeDirectory, unlinkHuge, true);
    }

    /// The memory of an application that was started so.
    MemoryOptions options() {
        MemoryOptions options = new MemoryOptions(hugePages, MemoryOptions.DEFAULT.holdSlots());
        long limit = hugePages ? 0 : mebibytes.orElse(0);
        return limit == 0 ? options : options.withLimit(limit << 20);
    }

    /// One sentence for each flag that has no effect.
    List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (mebibytes.isPresent() && hugePages) {
            notices.add("-s/--mem-size " + mebibytes.getAsLong()
                    + " sets nothing aside: memory is taken as it is needed (with --no-huge it would be the limit)");
        }
        hugeDirectory.ifPresent(directory -> notices.add(without("--huge-dir " + directory)));
        if (unlinkHuge) {
            notices.add(without("-R/--huge-unlink"));
        }
        if (singleFile) {
            notices.add(without("-g/--single-file-segments"));
        }
        return notices;
    }

    private static String without(String flag) {
        return flag + " changes nothing: hugepages are mapped without files";
    }
}
