package io.spindrift.bdev.uring;

import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.uring.IoUring;
import io.spindrift.framework.uring.IoUringException;
import io.spindrift.framework.uring.RegisteredBuffers;
import java.util.IdentityHashMap;
import java.util.Map;

/// Which parts of the application's memory a ring has registered: chunks of 2 MiB, each at its first I/O.
///
/// Direct I/O into registered memory saves the kernel the pinning of its pages: with registered files a
/// tenth of the processor time of a 4 KiB read. Chunks and
/// not whole regions, because registering touches every page: what no I/O uses costs neither memory nor time. Foreign
/// memory is left alone, since it would stay pinned when its owner wants it back.
final class PinnedMemory {
    static final int NONE = -1;

    private static final int CHUNK_SHIFT = 21;
    private static final int CHUNKS = 1024;
    private static final int UNTRIED = 0;
    private static final int REFUSED = -1;

    /// Null if the kernel has no such table.
    private final RegisteredBuffers buffers;
    /// For each chunk of a region: its index in the table plus one, [#UNTRIED] or [#REFUSED].
    private final Map<MemoryRegion, int[]> regions = new IdentityHashMap<>();
    private MemoryRegion lastRegion;
    private int[] lastChunks;

    PinnedMemory(IoUring ring) {
        buffers = buffersOf(ring);
    }

    private static RegisteredBuffers buffersOf(IoUring ring) {
        try {
            return ring.registerBuffers(CHUNKS);
        } catch (IoUringException e) {
            return null; // Linux before 5.19: requests do without
        }
    }

    /// The registered buffer that contains `length` bytes at `address`, which are in `region`; or [#NONE].
    int indexOf(MemoryRegion region, long address, int length) {
        if (region == null || region.counted() || buffers == null) {
            return NONE;
        }
        long from = address - region.address();
        int chunk = (int) (from >>> CHUNK_SHIFT);
        if (from + length - 1 >>> CHUNK_SHIFT != chunk) {
            return NONE;
        }
        int[] chunks = region == lastRegion ? lastChunks : chunksOf(region);
        int index = chunks[chunk];
        if (index > 0) {
            return index - 1;
        }
        return index == UNTRIED ? register(region, chunks, chunk) : NONE;
    }

    private int[] chunksOf(MemoryRegion region) {
        int[] chunks = regions.get(region);
        if (chunks == null) {
            chunks = new int[(int) (region.byteLength() - 1 >>> CHUNK_SHIFT) + 1];
            regions.put(region, chunks);
        }
        lastRegion = region;
        lastChunks = chunks;
        return chunks;
    }

    private int register(MemoryRegion region, int[] chunks, int chunk) {
        long offset = (long) chunk << CHUNK_SHIFT;
        int index = buffers.add(region.address() + offset, Math.min(1L << CHUNK_SHIFT, region.byteLength() - offset));
        chunks[chunk] = index < 0 ? REFUSED : index + 1; // the table is full, or so is the limit of locked memory
        return index < 0 ? NONE : index;
    }

    /// Lets go of a region that is about to be freed; no I/O uses it any more.
    void forget(MemoryRegion region) {
        int[] chunks = regions.remove(region);
        if (region == lastRegion) {
            lastRegion = null;
            lastChunks = null;
        }
        if (chunks != null) {
            for (int index : chunks) {
                if (index > 0) {
                    buffers.remove(index - 1);
                }
            }
        }
    }
}
