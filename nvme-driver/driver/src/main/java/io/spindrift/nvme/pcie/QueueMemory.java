package io.spindrift.nvme.pcie;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;

/// The memory of a queue pair, in one region: both rings, and for each request its command and its list of pages.
///
/// ```
///   | submission ring | completion ring | commands, 64 bytes each | lists, 4,096 bytes each |
/// ```
/// Each part begins at a page. The device reads and writes the first two, and reads the lists.
final class QueueMemory {
    private final Memory memory;
    private final MemoryRegion region;
    private final MemorySegment submissions;
    private final MemorySegment completions;
    private final MemorySegment commands;
    private final MemorySegment lists;

    /// On the control path.
    QueueMemory(Memory memory, int entries, int requests) {
        this.memory = memory;
        long submissionBytes = (long) entries * SubmissionQueueEntry.SIZE;
        long completionBytes = (long) entries * CompletionQueueEntry.SIZE;
        long commandBytes = (long) requests * SubmissionQueueEntry.SIZE;
        long listBytes = (long) requests * DataPointer.LIST_BYTES;
        long completionsAt = pages(submissionBytes);
        long commandsAt = completionsAt + pages(completionBytes);
        long listsAt = commandsAt + pages(commandBytes);
        region = memory.allocate("nvme pcie queue pair", listsAt + listBytes);
        submissions = region.segment().asSlice(0, submissionBytes);
        completions = region.segment().asSlice(completionsAt, completionBytes);
        commands = region.segment().asSlice(commandsAt, commandBytes);
        lists = region.segment().asSlice(listsAt, listBytes);
    }

    private static long pages(long bytes) {
        return (bytes + DataPointer.PAGE_BYTES - 1) / DataPointer.PAGE_BYTES * DataPointer.PAGE_BYTES;
    }

    MemorySegment submissions() {
        return submissions;
    }

    MemorySegment completions() {
        return completions;
    }

    MemorySegment commands() {
        return commands;
    }

    MemorySegment lists() {
        return lists;
    }

    /// Where the device finds a part, as the consumer with that index says.
    long iova(MemorySegment part, int consumerIndex) {
        return region.value(consumerIndex) + (part.address() - region.address());
    }

    /// The device does not use it any more.
    void free() {
        memory.free(region);
    }
}
