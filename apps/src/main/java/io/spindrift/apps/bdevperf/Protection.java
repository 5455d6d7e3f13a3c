package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
import io.spindrift.framework.memory.IoVector;
import java.util.Optional;

/// Makes and checks the protection information of one job's blocks, whose reference tags are their addresses. On the
/// job's thread; allocates nothing after it was made.
final class Protection {
    private final Dif dif;
    private final boolean interleaved;
    private final int checks;

    private Protection(DifFormat format, int checks) {
        this.dif = new Dif(format);
        this.interleaved = format.interleaved();
        this.checks = checks;
    }

    /// What blocks of `geometry` need; nothing if they are not protected, or their separate metadata is hidden.
    static Optional<Protection> of(BdevGeometry geometry, boolean hidden) {
        DifType type = DifType.ofCode(geometry.difType()).orElseThrow();
        if (type == DifType.NONE || hidden) {
            return Optional.empty();
        }
        DifFormat format = new DifFormat(geometry.dataBlockSize(), geometry.metadataSize(),
                geometry.metadataInterleaved(), type, PiFormat.ofCode(geometry.difPiFormat()).orElseThrow(),
                geometry.difHeadOfMetadata());
        return Optional.of(new Protection(format, geometry.difCheckFlags()));
    }

    /// Whether it lies between the blocks of data, else in a buffer of its own.
    boolean interleaved() {
        return interleaved;
    }

    /// Completes `blocks` blocks to be written from `firstBlock` on. `metadata` is used if it is separate.
    void generate(IoVector data, IoVector metadata, long firstBlock, int blocks) {
        dif.tags(firstBlock, 0, 0);
        if (interleaved) {
            dif.generate(data, blocks);
        } else {
            dif.generate(data, metadata, blocks);
        }
    }

    /// Checks what was read. Returns a [DifResult].
    long verify(IoVector data, IoVector metadata, long firstBlock, int blocks) {
        dif.tags(firstBlock, 0, 0);
        return interleaved ? dif.verify(checks, data, blocks) : dif.verify(checks, data, metadata, blocks);
    }

    /// Says what the last [#verify] found. Allocates.
    String explain(long result) {
        return DifResult.describe(result, dif.expected(), dif.actual());
    }
}
