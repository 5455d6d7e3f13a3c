package io.spindrift.bdev.malloc;

import io.spindrift.bdev.dif.BlockLayout;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.UUID;

/// Parameters of `bdev_malloc_create`, in the order in which `save_config` writes them.
record MallocCreateParams(
        @Description("name of the bdev; MallocN if it is left out") Optional<String> name,
        @Unsigned(64) @Description("size in blocks") long numBlocks,
        @Unsigned(32) @Description("data of a block, in bytes, without metadata") long blockSize,
        @Unsigned(32) @Default("0")
        @Description("size of a physical block in bytes; 0: as block_size") long physicalBlockSize,
        @Description("UUID of the bdev; a new one if it is left out") Optional<UUID> uuid,
        @Unsigned(32) @Default("0")
        @Description("boundary, in blocks, at which I/O is split; 0: none") int optimalIoBoundary,
        @Unsigned(32) @Default("0") @Description("metadata of a block, in bytes") long mdSize,
        @Default("false")
        @Description("metadata follows each block's data, instead of having its own buffer") boolean mdInterleave,
        @Default("0") @Description("type of protection information, 1 to 3; 0: none") int difType,
        @Default("false")
        @Description("protection information is at the head of the metadata, not at its tail") boolean difIsHeadOfMd,
        @Unsigned(32) @Default("0")
        @Description("format of protection information: 16, 32 or 64 bits of guard") long difPiFormat,
        @Default("-1")
        @Description("memory node; -1: any. Accepted, memory is where it is first written from") int numaId) {
    MallocCreateParams {
        BlockLayout layout = BlockLayout.of(blockSize, mdSize, mdInterleave, difType, difPiFormat, difIsHeadOfMd);
        layout.checkBlockCount(numBlocks);
        layout.physicalSize(physicalBlockSize);
    }

    BlockLayout layout() {
        return BlockLayout.of(blockSize, mdSize, mdInterleave, difType, difPiFormat, difIsHeadOfMd);
    }
}
