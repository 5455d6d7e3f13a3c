package io.spindrift.sock;

import io.spindrift.sock.internal.ffi.DataCalls;
import java.lang.foreign.MemorySegment;

/// Memory for [KeptBytes] of one group's sockets. A few spare blocks are held, so that a steady to and fro of pausing and
/// resuming allocates nothing; all others are freed as soon as they are drained.
final class BlockPool {
    static final int BLOCK_BYTES = 65536;

    private static final int SPARE = 8;

    private KeptBytes.Block spare;
    private int spareCount;
    private int inUse;

    /// An empty block, or null if there is no memory.
    KeptBytes.Block take() {
        KeptBytes.Block block = spare;
        if (block != null) {
            spare = block.next;
            spareCount--;
        } else {
            MemorySegment memory = DataCalls.malloc(BLOCK_BYTES);
            if (memory == null) {
                return null;
            }
            block = new KeptBytes.Block(memory);
        }
        block.start = 0;
        block.end = 0;
        block.next = null;
        inUse++;
        return block;
    }

    void give(KeptBytes.Block block) {
        inUse--;
        if (spareCount < SPARE) {
            block.next = spare;
            spare = block;
            spareCount++;
        } else {
            DataCalls.free(block.memory);
        }
    }

    /// Blocks that hold bytes now.
    int inUse() {
        return inUse;
    }

    void close() {
        while (spare != null) {
            DataCalls.free(spare.memory);
            spare = spare.next;
        }
        spareCount = 0;
    }
}
