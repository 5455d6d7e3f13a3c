package io.spindrift.bdev.malloc;

import io.spindrift.bdev.dif.BlockLayout;
import io.spindrift.framework.memory.Memory;

/// The memory of one malloc bdev. Made and freed on control threads; used by all its channels.
final class MallocStorage {
    private final BlockLayout layout;
    private final LazyMemory data;
    private final LazyMemory metadata;
    private final WrittenBlocks written;
    private final UnwrittenBlocks unwritten;

    /// Reserves, but does not yet occupy, memory for `numBlocks` blocks.
    ///
    /// @throws io.spindrift.framework.ErrnoException if there is not enough; nothing is kept then
    MallocStorage(Memory memory, String owner, BlockLayout layout, long numBlocks) {
        this.layout = layout;
        boolean separateMetadata = layout.metadataSize() > 0 && !layout.interleaved();
        LazyMemory someData = null;
        LazyMemory someMetadata = null;
        WrittenBlocks someWritten = null;
        UnwrittenBlocks someUnwritten = null;
        try {
            someData = new LazyMemory(memory, owner, numBlocks, layout.blockSize());
            someMetadata = separateMetadata ? new LazyMemory(memory, owner, numBlocks, layout.metadataSize()) : null;
            if (layout.dif().isPresent()) {
                someWritten = new WrittenBlocks(memory, owner, numBlocks);
                someUnwritten = new UnwrittenBlocks(memory, owner, layout.dif().get());
            }
        } catch (RuntimeException e) {
            free(someData, someMetadata, someWritten, someUnwritten);
            throw e;
        }
        data = someData;
        metadata = someMetadata;
        written = someWritten;
        unwritten = someUnwritten;
    }

    /// Gives all memory back; no I/O uses it any more.
    void free() {
        free(data, metadata, written, unwritten);
    }

    private static void free(LazyMemory data, LazyMemory metadata, WrittenBlocks written, UnwrittenBlocks unwritten) {
        if (data != null) {
            data.free();
        }
        if (metadata != null) {
            metadata.free();
        }
        if (written != null) {
            written.free();
        }
        if (unwritten != null) {
            unwritten.free();
        }
    }

    BlockLayout layout() {
        return layout;
    }

    /// Size of a block with its metadata, wherever that is.
    long blockBytes() {
        return layout.dataSize() + layout.metadataSize();
    }

    /// The blocks, with their metadata if that is interleaved.
    LazyMemory data() {
        return data;
    }

    /// The separate metadata; null if there is none.
    LazyMemory metadata() {
        return metadata;
    }

    /// Which blocks are written; null unless the device has protection information.
    WrittenBlocks written() {
        return written;
    }

    /// What the others read as; null unless the device has protection information.
    UnwrittenBlocks unwritten() {
        return unwritten;
    }
}
