package io.spindrift.bdev.nvme;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.NvmeRequest;
import java.lang.foreign.MemorySegment;

/// Memory for the ranges of Dataset Management and Copy, a piece for each request of a queue pair. Made and freed on the
/// control path.
final class RangeBuffers {
    /// Room for the largest, a descriptor of Copy in format 1.
    private static final int PIECE = 64;

    private final Memory memory;
    private final MemoryRegion region;

    RangeBuffers(Memory memory, int requests) {
        this.memory = memory;
        this.region = memory.allocate("nvme ranges", (long) requests * PIECE);
    }

    /// Where the piece of `request` is, at [#at].
    MemorySegment segment() {
        return region.segment();
    }

    long at(NvmeRequest request) {
        return (long) request.index() * PIECE;
    }

    /// Has `vector` be the first `bytes` of the piece of `request`.
    void describe(NvmeRequest request, IoVector vector, int bytes) {
        vector.set(region, at(request), bytes);
    }

    void free() {
        memory.free(region);
    }
}
