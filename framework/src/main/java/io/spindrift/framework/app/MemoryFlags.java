package io.spindrift.framework.app;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// What the command line says about memory.
///
/// @param mebibytes `-s`: how much to set aside, or nothing for what is needed
/// @param hugePages false after `--no-huge`
/// @param hugeDirectory `--huge-dir`: where hugetlbfs is mounted
/// @param unlinkHuge `-R`: hugepage files are unlinked as soon as they are mapped
/// @param singleFile `-g`: one file holds all segments
public record MemoryFlags(OptionalLong mebibytes, boolean hugePages, Optional<Path> hugeDirectory, boolean unlinkHuge,
        boolean singleFile) {
    /// Hugepages if there are any, as much memory as is needed.
    public static final MemoryFlags DEFAULT = new MemoryFlags(OptionalLong.empty(), true, Optional.empty(), false,
            false);

    /// These, with `mebibytes` set aside.
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
}
