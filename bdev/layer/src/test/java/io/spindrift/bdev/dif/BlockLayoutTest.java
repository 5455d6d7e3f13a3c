package io.spindrift.bdev.dif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.framework.rpc.RpcException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockLayoutTest {
    @Test
    void tellsADevicesGeometryOfItsProtectionInformation() {
        BlockLayout layout = new BlockLayout(4096, 16, true, DifType.TYPE_2, PiFormat.GUARD_64, true);
        BdevGeometry geometry = layout.geometry();
        assertEquals(4112, geometry.blockSize());
        assertEquals(Dif.CHECK_GUARD | Dif.CHECK_REFERENCE_TAG, geometry.difCheckFlags());
        assertEquals(layout.dif(), DifFormat.of(geometry));
        assertEquals(Optional.empty(), DifFormat.of(BdevGeometry.of(512)));
    }

    /// The reference tag of type 3 belongs to the application.
    @Test
    void checksOnlyTheGuardOfType3() {
        assertEquals(Dif.CHECK_GUARD,
                new BlockLayout(512, 8, true, DifType.TYPE_3, PiFormat.GUARD_16, false).checks());
    }

    @Test
    void isNotInterleavedWithoutMetadata() {
        assertEquals(false, BlockLayout.of(512, 0, true, 0, 0, false).interleaved());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 511, 513, 1 << 20 | 512, 1L << 31, 1L << 32 | 512})
    void refusesSizesThatAreNoMultipleOfASectorOrTooLarge(long size) {
        assertEquals(-22, assertThrows(RpcException.class, () -> BlockLayout.of(size, 0, false, 0, 0, false)).code());
    }

    /// 2^63 - 1 bytes are 2^54 - 1 blocks of 512 bytes and a rest.
    @Test
    void countsTheBytesOfAllBlocks() {
        BlockLayout layout = BlockLayout.of(512, 0, false, 0, 0, false);
        assertEquals((1L << 54) - 1, layout.checkBlockCount((1L << 54) - 1));
        assertEquals(-22, assertThrows(RpcException.class, () -> layout.checkBlockCount(1L << 54)).code());
        assertEquals(-22, assertThrows(RpcException.class, () -> layout.checkBlockCount(0)).code());
    }
}
