package io.spindrift.bdev.dif;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.framework.Errno;
import io.spindrift.framework.rpc.RpcException;
import java.util.List;
import java.util.Optional;

/// The blocks of a device that is made by an RPC, as its parameters describe them.
///
/// Every value outside its limits is an [RpcException] with code `-EINVAL`, as from the peer, that names the parameter,
/// the value and the limit.
///
/// @param dataSize       `block_size`: data of one block, in bytes, without metadata
/// @param metadataSize   `md_size`: metadata of one block, in bytes; 0 for none
/// @param interleaved    `md_interleave`: whether the metadata follows each block's data
/// @param difType        `dif_type`
/// @param piFormat       `dif_pi_format`
/// @param headOfMetadata `dif_is_head_of_md`
public record BlockLayout(int dataSize, int metadataSize, boolean interleaved, DifType difType, PiFormat piFormat,
        boolean headOfMetadata) {
    /// Sizes of blocks are multiples of this many bytes.
    public static final int SECTOR_SIZE = 512;
    /// The largest block, in bytes of data.
    public static final int MAX_DATA_SIZE = 1 << 20;
    /// The sizes that metadata can have, in bytes.
    public static final List<Integer> METADATA_SIZES = List.of(0, 8, 16, 32, 64, 128);

    public BlockLayout {
        checkSectors("block_size", dataSize, MAX_DATA_SIZE);
        if (!METADATA_SIZES.contains(metadataSize)) {
            throw refused("md_size=" + metadataSize + " is none of " + METADATA_SIZES);
        }
        if (difType != DifType.NONE && metadataSize < piFormat.tupleBytes()) {
            throw refused("dif_type=" + difType.code() + " with dif_pi_format=" + piFormat.code()
                    + " needs md_size of at least " + piFormat.tupleBytes() + ", md_size=" + metadataSize);
        }
    }

    /// The layout that an RPC's numbers mean.
    public static BlockLayout of(long blockSize, long metadataSize, boolean interleaved, int difType, long piFormat,
            boolean headOfMetadata) {
        checkSectors("block_size", blockSize, MAX_DATA_SIZE);
        DifType type = DifType.ofCode(difType)
                .orElseThrow(() -> refused("dif_type=" + difType + " is outside 0..3"));
        PiFormat format = PiFormat.ofCode((int) Math.min(piFormat, Integer.MAX_VALUE))
                .orElseThrow(() -> refused("dif_pi_format=" + piFormat + " is outside 0..2"));
        return new BlockLayout((int) blockSize, (int) Math.min(metadataSize, Integer.MAX_VALUE),
                interleaved && metadataSize > 0, type, format, headOfMetadata);
    }

    /// Requires a size in bytes of one sector up to `max`, in whole sectors.
    private static void checkSectors(String name, long size, long max) {
        if (size < SECTOR_SIZE || size > max || size % SECTOR_SIZE != 0) {
            throw refused(name + "=" + size + " must be a multiple of " + SECTOR_SIZE + " in " + SECTOR_SIZE + ".."
                    + max);
        }
    }

    /// The physical block size for the value of `physical_block_size`, where 0 stands for `block_size`.
    public int physicalSize(long physicalBlockSize) {
        if (physicalBlockSize == 0) {
            return dataSize;
        }
        checkSectors("physical_block_size", physicalBlockSize, Integer.MAX_VALUE / SECTOR_SIZE * SECTOR_SIZE);
        return (int) physicalBlockSize;
    }

    /// Requires at least one block, and a device of less than 2^63 bytes; returns `numBlocks`.
    public long checkBlockCount(long numBlocks) {
        long max = Long.MAX_VALUE / (dataSize + metadataSize);
        if (numBlocks < 1 || numBlocks > max) {
            throw refused("num_blocks=" + numBlocks + " is outside 1.." + max);
        }
        return numBlocks;
    }

    /// Size of a block with its interleaved metadata, as the device reports it.
    public int blockSize() {
        return interleaved ? dataSize + metadataSize : dataSize;
    }

    /// The protection information's format, if there is any.
    public Optional<DifFormat> dif() {
        return difType == DifType.NONE
                ? Optional.empty()
                : Optional.of(new DifFormat(dataSize, metadataSize, interleaved, difType, piFormat, headOfMetadata));
    }

    /// The checks that such a device makes: the guard, and the reference tag where its type gives it a meaning.
    public int checks() {
        return switch (difType) {
            case NONE -> 0;
            case TYPE_1, TYPE_2 -> Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG;
            case TYPE_3 -> Dif.CHECK_GUARD;
        };
    }

    /// The device's geometry, as far as its blocks decide it.
    public BdevGeometry geometry() {
        return BdevGeometry.of(blockSize()).withMetadata(metadataSize, interleaved)
                .withDif(difType.code(), piFormat.code(), headOfMetadata, checks());
    }

    private static RpcException refused(String message) {
        return RpcException.errno(Errno.EINVAL, message);
    }
}
