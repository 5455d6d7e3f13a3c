package io.spindrift.bdev;

import io.spindrift.framework.memory.IoVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/// A scripted bdev, and buffers for its I/O.
abstract class BdevChannelFixture {
    static final int BLOCKS = 1024;

    BdevFixture fixture = new BdevFixture();
    final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        fixture.close();
        arena.close();
    }

    MemorySegment random(long bytes) {
        MemorySegment segment = arena.allocate(bytes, 4096);
        Random random = new Random(7);
        for (long i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        return segment;
    }

    static byte[] bytes(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    IoVector vector(MemorySegment segment, long offset, long length) {
        IoVector vector = new IoVector(1);
        vector.add(segment, offset, length);
        return vector;
    }
}
