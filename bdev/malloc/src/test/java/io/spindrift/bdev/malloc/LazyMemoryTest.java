package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LazyMemoryTest {
    private static final long MIB = 1 << 20;

    /// Anonymous memory that the process has, in bytes (proc_pid_status(5)).
    private static long anonymousBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024).findFirst().orElseThrow();
    }

    @Test
    void occupiesOnlyWhatIsWritten() throws IOException {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            long before = anonymousBytes();
            LazyMemory lazy = new LazyMemory(memory, "test", 512 * MIB / 4096, 4096);
            assertEquals(512 * MIB, lazy.zero(0, 512 * MIB, 512 * MIB, new IoVector(1)));
            IoVector blocks = Vectors.of(new byte[4096], arena);
            byte[] ones = new byte[4096];
            Arrays.fill(ones, (byte) 1);
            IoVector other = Vectors.of(ones, arena);
            for (long block = 0; block < 512 * MIB / 4096; block += 100) {
                lazy.read(block, 1, blocks, 0);
                assertTrue(lazy.matches(block, 1, blocks, 0));
                assertFalse(lazy.matches(block, 1, other, 0));
            }
            lazy.copy(0, 256 * MIB / 4096, 16 * MIB / 4096);
            // The rest of the JVM may have grown by a little meanwhile.
            assertTrue(anonymousBytes() - before < 64 * MIB, "grew by " + (anonymousBytes() - before) + " bytes");
        }
    }

    @Test
    void zeroesWhatWasWrittenWithinABudget() {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            LazyMemory lazy = new LazyMemory(memory, "test", 16 * MIB / 512, 512);
            byte[] ones = new byte[(int) (8 * MIB)];
            Arrays.fill(ones, (byte) 1);
            lazy.write(4 * MIB / 512, 8 * MIB / 512, Vectors.of(ones, arena), 0);
            IoVector scratch = new IoVector(1);
            // Two chunks of 2 MiB that were never written cost 256 bytes each; what follows uses the rest of the budget up.
            assertEquals(7 * MIB - 512, lazy.zero(0, 16 * MIB, 3 * MIB, scratch));
            assertEquals(16 * MIB, lazy.zero(7 * MIB - 512, 16 * MIB, 100 * MIB, scratch));
            IoVector all = Vectors.of(new byte[(int) (16 * MIB)], arena);
            lazy.read(0, 16 * MIB / 512, all, 0);
            assertArrayEquals(new byte[(int) (16 * MIB)], Vectors.bytes(all));
        }
    }

    /// Over the border of a chunk of 2 MiB that was written and one that was not, in both directions.
    @Test
    void readsComparesAndCopiesAcrossChunks() {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            LazyMemory lazy = new LazyMemory(memory, "test", 8 * MIB / 512, 512);
            byte[] ones = new byte[(int) (2 * MIB)];
            Arrays.fill(ones, (byte) 1);
            lazy.write(2 * MIB / 512, 2 * MIB / 512, Vectors.of(ones, arena), 0);
            byte[] expected = new byte[(int) (6 * MIB)];
            Arrays.fill(expected, (int) MIB, (int) (3 * MIB), (byte) 1);
            IoVector read = Vectors.of(new byte[(int) (6 * MIB)], arena);
            lazy.read(MIB / 512, 6 * MIB / 512, read, 0);
            assertArrayEquals(expected, Vectors.bytes(read));
            assertTrue(lazy.matches(MIB / 512, 6 * MIB / 512, read, 0));
            expected[(int) (5 * MIB)] = 1;
            assertFalse(lazy.matches(MIB / 512, 6 * MIB / 512, Vectors.of(expected, arena), 0));
            lazy.copy(4 * MIB / 512, 2 * MIB / 512, MIB / 512); // zeros over ones
            lazy.copy(3 * MIB / 512, 6 * MIB / 512 - 1, 3); // from a chunk that was written to one that was not
            lazy.read(2 * MIB / 512, MIB / 512, read, 0);
            assertTrue(lazy.matches(0, MIB / 512, read, 0));
            IoVector few = Vectors.of(new byte[5 * 512], arena);
            lazy.read(6 * MIB / 512 - 2, 5, few, 0);
            byte[] ends = new byte[5 * 512];
            Arrays.fill(ends, 512, 4 * 512, (byte) 1);
            assertArrayEquals(ends, Vectors.bytes(few));
        }
    }

    @Test
    void zeroesExactlyTheRange() {
        try (Memory memory = new Memory(MemoryOptions.DEFAULT); Arena arena = Arena.ofConfined()) {
            LazyMemory lazy = new LazyMemory(memory, "test", 4, 512);
            byte[] ones = new byte[2048];
            Arrays.fill(ones, (byte) 1);
            lazy.write(0, 4, Vectors.of(ones, arena), 0);
            assertEquals(1536, lazy.zero(512, 1536, MIB, new IoVector(1)));
            IoVector all = Vectors.of(new byte[2048], arena);
            lazy.read(0, 4, all, 0);
            Arrays.fill(ones, 512, 1536, (byte) 0);
            assertArrayEquals(ones, Vectors.bytes(all));
        }
    }
}
