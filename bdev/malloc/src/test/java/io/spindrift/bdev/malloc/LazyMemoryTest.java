package io.spindrift.bdev.malloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
            for (long block = 0; block < 512 * MIB / 4096; block += 100) {
                lazy.read(block, 1, blocks, 0);
            }
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
