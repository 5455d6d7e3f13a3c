package io.spindrift.test.bdev;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/// Vectors over byte arrays' contents.
final class Vectors {
    private static final int PAGE = 4096;

    private Vectors() {}

    /// A copy of `bytes` in one range that begins at a page.
    static IoVector of(byte[] bytes, Arena arena) {
        return pieces(bytes, 1, new Random(0), arena);
    }

    /// A copy of `bytes` in `count` ranges of random lengths at random addresses, none of them aligned to anything.
    static IoVector pieces(byte[] bytes, int count, Random random, Arena arena) {
        IoVector vector = new IoVector(count);
        int at = 0;
        for (int left = count; left > 0; left--) {
            int rest = bytes.length - at;
            int most = Math.max(1, 2 * rest / left - 1);
            int length = left == 1 ? rest : Math.min(rest - (left - 1), 1 + random.nextInt(most));
            int shift = count == 1 ? 0 : random.nextInt(64);
            MemorySegment segment = arena.allocate(length + shift, PAGE);
            MemorySegment.copy(bytes, at, segment, ValueLayout.JAVA_BYTE, shift, length);
            vector.add(segment, shift, length);
            at += length;
        }
        return vector;
    }

    static byte[] bytes(IoVector vector) {
        byte[] bytes = new byte[(int) vector.byteLength()];
        vector.copyTo(MemorySegment.ofArray(bytes), 0, 0, bytes.length);
        return bytes;
    }
}
