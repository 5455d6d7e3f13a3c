package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.dif.BlockLayout;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.UUID;

/// Parameters of `bdev_null_create`, in the order in which `save_config` writes them.
record NullCreateParams(
        @Description("name of the bdev") String name,
        @Unsigned(64) @Description("size in blocks") long numBlocks,
        @Unsigned(32) @Description("data of a block, in bytes, without metadata") long blockSize,
        @Unsigned(32) @Default("0")
        @Description("size of a physical block in bytes; 0: as block_size") long physicalBlockSize,
        @Unsigned(32) @Default("0") @Description("metadata that follows each block's data, in bytes") long mdSize,
        @Default("0") @Description("type of protection information, 1 to 3; 0: none") int difType,
        @Default("false")
        @Description("protection information is at the head of the metadata, not at its tail") boolean difIsHeadOfMd,
        @Unsigned(32) @Default("0")
        @Description("format of protection information: 16, 32 or 64 bits of guard") long difPiFormat,
        @Description("UUID of the bdev; a new one if it is left out") Optional<UUID> uuid,
        @Unsigned(32) @Default("0") @Description("granularity of fast writes, in blocks") int preferredWriteGranularity,
        @Unsigned(32) @Default("0") @Description("alignment of fast writes, in blocks") int preferredWriteAlignment,
        @Unsigned(32) @Default("0") @Description("size of fast writes, in blocks") int optimalWriteSize,
        @Unsigned(32) @Default("0") @Description("granularity of fast unmaps, in blocks") int preferredUnmapGranularity,
        @Unsigned(32) @Default("0") @Description("alignment of fast unmaps, in blocks") int preferredUnmapAlignment) {
    NullCreateParams {
        BlockLayout layout = BlockLayout.of(blockSize, mdSize, true, difType, difPiFormat, difIsHeadOfMd);
        layout.checkBlockCount(numBlocks);
        layout.physicalSize(physicalBlockSize);
    }

    /// The blocks; metadata is always interleaved.
    BlockLayout layout() {
        return BlockLayout.of(blockSize, mdSize, true, difType, difPiFormat, difIsHeadOfMd);
    }

    BdevGeometry geometry() {
        BlockLayout layout = layout();
        return layout.geometry().withPhysicalBlockSize(layout.physicalSize(physicalBlockSize))
                .withHints(new BdevGeometry.IoHints(preferredWriteAlignment, preferredWriteGranularity,
                        optimalWriteSize, preferredUnmapAlignment, preferredUnmapGranularity));
    }
}
