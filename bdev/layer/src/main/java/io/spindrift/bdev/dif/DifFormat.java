package io.spindrift.bdev.dif;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.framework.Check;
import java.util.Optional;

/// Where the data, the metadata and the protection information of a block are.
///
/// The protection information is the first (`headOfMetadata`) or the last bytes of the metadata. The guard covers the
/// data and whatever metadata precedes the protection information: nothing at the head, all the rest at the tail.
///
/// @param dataBytes      data of one block, without metadata, in bytes
/// @param metadataBytes  metadata of one block, protection information included, in bytes
/// @param interleaved    true: each block's metadata follows its data (extended logical block); false: it is in a
///                       buffer of its own
/// @param type           the meaning of the tags; not [DifType#NONE]
/// @param piFormat       the layout of the protection information
/// @param headOfMetadata whether the protection information is at the head of the metadata
public record DifFormat(int dataBytes, int metadataBytes, boolean interleaved, DifType type, PiFormat piFormat,
        boolean headOfMetadata) {
    public DifFormat {
        Check.positive("data block size", dataBytes);
        if (type == DifType.NONE) {
            throw new IllegalArgumentException("dif_type=0 has no protection information to lay out");
        }
        if (metadataBytes < piFormat.tupleBytes()) {
            throw new IllegalArgumentException("md_size=" + metadataBytes + " must be at least " + piFormat.tupleBytes()
                    + ", the protection information of dif_pi_format=" + piFormat.code());
        }
    }

    /// The format of a device's protection information, if it has any. Its [BdevGeometry#difCheckFlags()] are checks of
    /// [Dif].
    public static Optional<DifFormat> of(BdevGeometry geometry) {
        DifType type = DifType.ofCode(geometry.difType()).orElseThrow();
        return type == DifType.NONE
                ? Optional.empty()
                : Optional.of(new DifFormat(geometry.dataBlockSize(), geometry.metadataSize(),
                        geometry.metadataInterleaved(), type, PiFormat.ofCode(geometry.difPiFormat()).orElseThrow(),
                        geometry.difHeadOfMetadata()));
    }

    /// Bytes of metadata before the protection information, which the guard covers.
    public int piOffset() {
        return headOfMetadata ? 0 : metadataBytes - piFormat.tupleBytes();
    }

    /// Distance of two blocks in the data buffer, in bytes.
    public int blockBytes() {
        return interleaved ? dataBytes + metadataBytes : dataBytes;
    }
}
