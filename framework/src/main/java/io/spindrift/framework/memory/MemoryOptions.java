package io.spindrift.framework.memory;

import io.spindrift.framework.Check;

/// How an application's [Memory] behaves.
///
/// @param hugePages whether hugepages are tried, reserved ones first; false for `--no-huge`
/// @param holdSlots how many threads count their holds of foreign regions for themselves, at 128 bytes a region; those
///        with a higher [io.spindrift.framework.thread.IoThread#slot] share one count, which costs them an atomic add
/// @param limitBytes how much of its own memory is allocated at most; foreign memory does not count
public record MemoryOptions(boolean hugePages, int holdSlots, long limitBytes) {
    /// Hugepages where they exist, 64 threads, no limit.
    public static final MemoryOptions DEFAULT = new MemoryOptions(true, 64);

    public MemoryOptions {
        Check.range("hold_slots", holdSlots, 1, 4096);
        Check.range("limit_bytes", limitBytes, 1, Long.MAX_VALUE);
    }

    /// Without a limit.
    public MemoryOptions(boolean hugePages, int holdSlots) {
        this(hugePages, holdSlots, Long.MAX_VALUE);
    }

    /// These, with at most `bytes` allocated.
    public MemoryOptions withLimit(long bytes) {
        return new MemoryOptions(hugePages, holdSlots, bytes);
    }
}
