package io.spindrift.framework.uring;

import io.spindrift.framework.Check;

/// How a ring is made.
///
/// @param entries     requests that can be prepared between two submissions, rounded up to a power of two
/// @param completions completions that fit before the kernel must put more aside (which costs it memory, but loses
///                    none), rounded up to a power of two
/// @param threadBound true: only the opening thread ever uses the ring, which is faster where the kernel is 6.1 or
///                    newer. False: one thread at a time, any thread; for an owner that moves between reactors
public record IoUringOptions(int entries, int completions, boolean threadBound) {
    private static final int MAX_ENTRIES = 32768;

    public IoUringOptions {
        Check.range("entries", entries, 1, MAX_ENTRIES);
        Check.range("completions", completions, entries, 2L * MAX_ENTRIES);
    }

    /// A ring of `entries` requests and four times as many completions that stays on the opening thread.
    public static IoUringOptions ofEntries(int entries) {
        return new IoUringOptions(entries, Math.min(4 * entries, 2 * MAX_ENTRIES), true);
    }

    /// The same ring for an owner that moves between threads.
    public IoUringOptions movable() {
        return new IoUringOptions(entries, completions, false);
    }
}
