package io.spindrift.bdev;

import io.spindrift.framework.Check;

/// The shape of a device: everything that does not change while it exists, but its size.
///
/// Sizes are in bytes where the name ends in `Size`, else in blocks.
///
/// @param blockSize          data block, with interleaved metadata included
/// @param physicalBlockSize  what the medium writes at once
/// @param bufferAlignment    a power of two that buffers' addresses must be multiples of; others are bounced
/// @param optimalIoBoundary  I/O does not cross multiples of this many blocks if `splitOnBoundary`; 0 for none
/// @param splitOnBoundary    whether the core splits there
/// @param maxTransferBlocks  longest I/O the module takes; longer ones are split; 0 for any
/// @param maxSegments        most vector ranges the module takes; others are split; 0 for any
/// @param maxSegmentSize     longest vector range the module takes; 0 for any
/// @param writeCache         whether a flush is needed for data to be safe
/// @param metadataSize       bytes of metadata for each block; 0 for none
/// @param metadataInterleaved whether they follow each block's data, else they are separate
/// @param difType            protection information type, 0 to 3
/// @param difPiFormat        its format: 0 16-bit guard, 1 32-bit, 2 64-bit
/// @param difHeadOfMetadata  whether it stands in the first bytes of the metadata, else in the last
/// @param difCheckFlags      what is checked: the `CHECK_` bits of [io.spindrift.bdev.dif.Dif]
/// @param hints              sizes that make I/O fast
public record BdevGeometry(int blockSize, int physicalBlockSize, int bufferAlignment, int optimalIoBoundary,
        boolean splitOnBoundary, int maxTransferBlocks, int maxSegments, int maxSegmentSize, boolean writeCache,
        int metadataSize, boolean metadataInterleaved, int difType, int difPiFormat, boolean difHeadOfMetadata,
        int difCheckFlags, IoHints hints) {
    /// Sizes in blocks that make I/O fast; 0 where there is none.
    public record IoHints(int preferredWriteAlignment, int preferredWriteGranularity, int optimalWriteSize,
            int preferredUnmapAlignment, int preferredUnmapGranularity) {
        public static final IoHints NONE = new IoHints(0, 0, 0, 0, 0);
    }

    public BdevGeometry {
        Check.positive("block_size", blockSize);
        Check.positive("buffer_alignment", bufferAlignment);
        if (Integer.bitCount(bufferAlignment) != 1) {
            throw new IllegalArgumentException("buffer_alignment=" + bufferAlignment + " is no power of two");
        }
        Check.range("physical_block_size", physicalBlockSize, 1, Integer.MAX_VALUE);
        Check.range("optimal_io_boundary", optimalIoBoundary, splitOnBoundary ? 1 : 0, Integer.MAX_VALUE);
        Check.range("max_transfer_blocks", maxTransferBlocks, 0, Integer.MAX_VALUE);
        Check.range("max_segments", maxSegments, 0, Integer.MAX_VALUE);
        Check.range("max_segment_size", maxSegmentSize, 0, Integer.MAX_VALUE);
        Check.range("md_size", metadataSize, 0, metadataInterleaved ? blockSize - 1 : Integer.MAX_VALUE);
        Check.range("dif_type", difType, 0, 3);
        Check.range("dif_pi_format", difPiFormat, 0, 2);
    }

    /// Blocks of `blockSize` bytes and nothing special.
    public static BdevGeometry of(int blockSize) {
        return new BdevGeometry(blockSize, blockSize, 1, 0, false, 0, 0, 0, false, 0, false, 0, 0, false, 0,
                IoHints.NONE);
    }

    public BdevGeometry withPhysicalBlockSize(int size) {
        return new BdevGeometry(blockSize, size, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, writeCache, metadataSize, metadataInterleaved, difType,
                difPiFormat, difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withBufferAlignment(int alignment) {
        return new BdevGeometry(blockSize, physicalBlockSize, alignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, writeCache, metadataSize, metadataInterleaved, difType,
                difPiFormat, difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withBoundary(int blocks, boolean split) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, blocks, split, maxTransferBlocks,
                maxSegments, maxSegmentSize, writeCache, metadataSize, metadataInterleaved, difType, difPiFormat,
                difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withLimits(int transferBlocks, int segments, int segmentSize) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                transferBlocks, segments, segmentSize, writeCache, metadataSize, metadataInterleaved, difType,
                difPiFormat, difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withWriteCache(boolean cache) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, cache, metadataSize, metadataInterleaved, difType,
                difPiFormat, difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withMetadata(int size, boolean interleaved) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, writeCache, size, interleaved, difType, difPiFormat,
                difHeadOfMetadata, difCheckFlags, hints);
    }

    public BdevGeometry withDif(int type, int piFormat, boolean headOfMetadata, int checkFlags) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, writeCache, metadataSize, metadataInterleaved, type,
                piFormat, headOfMetadata, checkFlags, hints);
    }

    public BdevGeometry withHints(IoHints newHints) {
        return new BdevGeometry(blockSize, physicalBlockSize, bufferAlignment, optimalIoBoundary, splitOnBoundary,
                maxTransferBlocks, maxSegments, maxSegmentSize, writeCache, metadataSize, metadataInterleaved, difType,
                difPiFormat, difHeadOfMetadata, difCheckFlags, newHints);
    }

    /// Bytes of data in a block, without interleaved metadata.
    public int dataBlockSize() {
        return metadataInterleaved ? blockSize - metadataSize : blockSize;
    }
}
