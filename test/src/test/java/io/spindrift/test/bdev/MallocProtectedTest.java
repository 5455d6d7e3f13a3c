package io.spindrift.test.bdev;

import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifType;
import io.spindrift.bdev.dif.PiFormat;
import io.spindrift.framework.memory.IoVector;
import java.util.Arrays;

/// With interleaved metadata: callers write protection information of type 1, and the device checks it.
class MallocProtectedTest extends MallocBdevTest {
    private static final int DATA_BYTES = 512;
    private static final int METADATA_BYTES = 8;

    private final Dif dif = new Dif(
            new DifFormat(DATA_BYTES, METADATA_BYTES, true, DifType.TYPE_1, PiFormat.GUARD_16, false));

    @Override
    String more() {
        return ", 'md_size': 8, 'md_interleave': true, 'dif_type': 1";
    }

    @Override
    int blockSize() {
        return DATA_BYTES + METADATA_BYTES;
    }

    /// All bits of the protection information are set where nothing was written: it is not to be checked (NVM Command
    /// Set specification, application tag FFFFh).
    @Override
    byte[] emptyBlock() {
        byte[] block = new byte[blockSize()];
        Arrays.fill(block, DATA_BYTES, blockSize(), (byte) 0xff);
        return block;
    }

    @Override
    void protect(byte[] blocks, long firstBlock) {
        synchronized (dif) {
            IoVector vector = Vectors.of(blocks, arena);
            dif.tags(firstBlock, 0, 0);
            dif.generate(vector, blocks.length / blockSize());
            System.arraycopy(Vectors.bytes(vector), 0, blocks, 0, blocks.length);
        }
    }
}
