package io.spindrift.bdev.malloc;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/// Vectors for tests, filled and read as byte arrays.
final class Vectors {
    private Vectors() {}

    /// `bytes` in one range.
    static IoVector of(byte[] bytes, Arena arena) {
        return scatter(bytes, Math.max(1, bytes.length), new Random(0), arena);
    }

    /// `bytes` in ranges of random lengths in `maxRange / 2 + 1 .. maxRange`, each in a segment of its own.
    static IoVector scatter(byte[] bytes, int maxRange, Random random, Arena arena) {
        IoVector vector = new IoVector(8);
        for (int at = 0; at < bytes.length;) {
            int shortest = maxRange / 2 + 1;
            int length = Math.min(bytes.length - at, shortest + random.nextInt(maxRange - shortest + 1));
            MemorySegment segment = arena.allocate(length, 8);
            MemorySegment.copy(bytes, at, segment, ValueLayout.JAVA_BYTE, 0, length);
            vector.add(segment, 0, length);
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
