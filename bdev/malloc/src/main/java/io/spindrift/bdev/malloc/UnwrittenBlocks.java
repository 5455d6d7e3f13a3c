package io.spindrift.bdev.malloc;

import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What a protected block that holds nothing reads as: zeros, with protection information of all ones, whose tags
/// exempt it from every check (NVM Command Set specification, "Deallocating Logical Blocks").
///
/// A picture of some such blocks, made once, from which reads copy. Any thread; allocates nothing once made.
final class UnwrittenBlocks {
    private static final int PICTURE_BYTES = 64 * 1024;

    private final Memory memory;
    private final MemoryRegion region;
    private final MemorySegment picture;
    private final long blocks;
    private final long blockSize;
    private final long metadataSize;
    private final long metadataStart;

    UnwrittenBlocks(Memory memory, String owner, DifFormat format) {
        this.memory = memory;
        blockSize = format.blockBytes();
        metadataSize = format.metadataBytes();
        blocks = Math.max(1, PICTURE_BYTES / blockSize);
        metadataStart = blocks * blockSize;
        region = memory.allocate(owner, metadataStart + blocks * metadataSize);
        picture = region.segment();
        for (long block = 0; block < blocks; block++) {
            long tuple = format.piOffset() + (format.interleaved()
                    ? block * blockSize + format.dataBytes()
                    : metadataStart + block * metadataSize);
            for (long i = 0; i < format.piFormat().tupleBytes(); i++) {
                picture.set(ValueLayout.JAVA_BYTE, tuple + i, (byte) 0xFF);
            }
        }
    }

    void free() {
        memory.free(region);
    }

    /// Stores `count` such blocks into `vector` at its block `at`.
    void read(IoVector vector, long at, long count) {
        for (long done = 0; done < count; done += blocks) {
            vector.copyFrom(picture, 0, (at + done) * blockSize, Math.min(blocks, count - done) * blockSize);
        }
    }

    /// Stores the separate metadata of `count` such blocks into `vector` at its block `at`.
    void readMetadata(IoVector vector, long at, long count) {
        for (long done = 0; done < count; done += blocks) {
            vector.copyFrom(picture, metadataStart, (at + done) * metadataSize,
                    Math.min(blocks, count - done) * metadataSize);
        }
    }

    /// Whether `count` blocks of `vector` from its block `at` are such blocks.
    boolean matches(IoVector vector, long at, long count) {
        for (long done = 0; done < count; done += blocks) {
            if (vector.mismatch(picture, 0, (at + done) * blockSize, Math.min(blocks, count - done) * blockSize) >= 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether the separate metadata of `count` blocks in `vector`, from its block `at`, is that of such blocks.
    boolean metadataMatches(IoVector vector, long at, long count) {
        for (long done = 0; done < count; done += blocks) {
            if (vector.mismatch(picture, metadataStart, (at + done) * metadataSize,
                    Math.min(blocks, count - done) * metadataSize) >= 0) {
                return false;
            }
        }
        return true;
    }
}
