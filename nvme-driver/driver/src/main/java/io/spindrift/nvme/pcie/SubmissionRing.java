package io.spindrift.nvme.pcie;

import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A submission queue: a ring of commands of 64 bytes, in memory of the host or of the controller.
///
/// ```
///     head: the controller's        tail: the next free entry
///   ...|xxxxxxxxxxxxxxxxxxxxxxxxxxxx|.....
///                          ^ told: up to here the controller knows
/// ```
/// On the queue's thread. It is never full: its user has fewer commands outstanding than it has entries, and one that has
/// ended has left its entry.
final class SubmissionRing {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final MemorySegment entries;
    private final int count;
    private final Doorbell doorbell;
    private int tail;
    private int told;

    /// `entries` is `count` times 64 bytes.
    SubmissionRing(MemorySegment entries, int count, Doorbell doorbell) {
        if (entries.byteSize() != (long) count * SubmissionQueueEntry.SIZE) {
            throw new IllegalArgumentException("count=" + count + " entries do not take " + entries.byteSize()
                    + " bytes");
        }
        this.entries = entries;
        this.count = count;
        this.doorbell = doorbell;
    }

    /// Appends the command at `at` of `commands`; the controller learns of it by [#ring].
    void put(MemorySegment commands, long at) {
        long to = (long) tail * SubmissionQueueEntry.SIZE;
        for (int i = 0; i < SubmissionQueueEntry.SIZE; i += Long.BYTES) { // whole words: memory of a controller likes no others
            entries.set(LONG, to + i, commands.get(LONG, at + i));
        }
        tail = tail + 1 == count ? 0 : tail + 1;
    }

    /// Whether the controller does not yet know of all.
    boolean untold() {
        return tail != told;
    }

    /// Tells the controller of all that was put: one write, however many there are.
    void ring() {
        told = tail;
        doorbell.ring(tail);
    }
}
