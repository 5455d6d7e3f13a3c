package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import java.util.BitSet;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WrittenBlocksTest {
    @Property(tries = 200)
    void answersAsABitSetDoes(@ForAll long seed) {
        Random random = new Random(seed);
        int count = 1 + random.nextInt(400);
        BitSet model = new BitSet(count);
        try (Memory memory = new Memory(MemoryOptions.DEFAULT)) {
            WrittenBlocks written = new WrittenBlocks(memory, "test", count);
            for (int step = 0; step < 60; step++) {
                int first = random.nextInt(count);
                int length = 1 + random.nextInt(count - first);
                if (random.nextBoolean()) {
                    written.set(first, length);
                    model.set(first, first + length);
                } else {
                    written.clear(first, length);
                    model.clear(first, first + length);
                }
                int from = random.nextInt(count);
                int max = 1 + random.nextInt(count - from);
                assertEquals(run(model, from, max), written.runLength(from, max));
            }
        }
    }

    private static int run(BitSet model, int from, int max) {
        boolean first = model.get(from);
        int length = 1;
        while (length < max && model.get(from + length) == first) {
            length++;
        }
        return first ? length : -length;
    }

    /// Two threads whose blocks share every word.
    @Test
    void losesNoBitToAnotherThread() throws InterruptedException {
        int count = 100_000;
        try (Memory memory = new Memory(MemoryOptions.DEFAULT)) {
            WrittenBlocks written = new WrittenBlocks(memory, "test", count);
            written.set(0, count);
            Thread setter = Thread.ofPlatform().start(() -> {
                for (int block = 0; block < count; block += 2) {
                    written.clear(block, 1);
                    written.set(block, 1);
                }
            });
            for (int block = 1; block < count; block += 2) {
                written.clear(block, 1);
                written.set(block, 1);
            }
            setter.join();
            assertEquals(count, written.runLength(0, count));
        }
    }

    @Test
    void hasNoneAtFirst() {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT)) {
            assertEquals(-1_000_000, new WrittenBlocks(memory, "test", 1_000_000).runLength(0, 1_000_000));
        }
    }
}
