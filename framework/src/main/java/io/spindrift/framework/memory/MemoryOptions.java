package io.spindrift.framework.memory;

import io.spindrift.framework.Check;

/// How an application's [Memory] behaves.
///
/// @param hugePages whether hugepages are tried, reserved ones first; false for `--no-huge`
/// @param holdSlots how many threads count their holds of foreign regions for themselves, at 128 bytes a region; those
///        with a higher [io.spindrift.framework.thread.IoThread#slot] share one count, which costs them an atomic add
public record MemoryOptions(boolean hugePages, int holdSlots) {
    /// Hugepages where they exist, 64 threads.
    public static final MemoryOptions DEFAULT = new MemoryOptions(true, 64);

    public MemoryOptions {
        Check.range("hold_slots", holdSlots, 1, 4096);
    }
}
