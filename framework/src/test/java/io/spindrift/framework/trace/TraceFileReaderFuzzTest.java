package io.spindrift.framework.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged and hostile files: read, or refused with one sentence; nothing else.
class TraceFileReaderFuzzTest {
    private static final long[] EXTREMES = {0, 1, -1, 2, 7, 63, 64, 4095, 4096, 65535, Integer.MAX_VALUE,
            Integer.MIN_VALUE, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 63};

    @TempDir
    Path directory;

    private byte[] good;

    @BeforeEach
    void makeGoodFile() throws IOException {
        TraceOptions options = TraceOptions.of("fuzz").withDirectory(directory).withEntries(32);
        Path path;
        try (TraceFile file = TraceFile.create(options, TestGroups.ALL, List.of(0, 1))) {
            for (int i = 0; i < 50; i++) {
                file.ring(i % 2).write(i, TestGroups.IO_DONE, 1, i, 4096, i, 0, 1);
            }
            path = file.path();
        }
        good = Files.readAllBytes(path);
    }

    /// Returns the records read; the refusal's sentence is checked.
    private int read(byte[] bytes) throws IOException {
        Path path = directory.resolve("mutated");
        Files.deleteIfExists(path); // some file systems flush a file that was truncated before
        Files.write(path, bytes);
        try (TraceFileReader reader = TraceFileReader.open(path)) {
            int records = 0;
            reader.application();
            reader.time(Long.MAX_VALUE);
            reader.groups().all().forEach(reader::mask);
            for (TraceRingSnapshot ring : reader.snapshot(reader.cores())) {
                for (int i = 0; i < ring.size(); i++) {
                    ring.record(i);
                    records++;
                }
            }
            return records;
        } catch (TraceFormatException e) {
            assertTrue(e.getMessage().startsWith(path + " "), e.getMessage());
            assertTrue(e.getMessage().chars().allMatch(c -> c >= ' ' && c < 127), e.getMessage());
            return -1;
        }
    }

    @Test
    void readsTheGoodFile() throws IOException {
        assertEquals(50, read(good));
    }

    @Test
    void survivesExtremesInEveryWordOfHeaderAndTables() throws IOException {
        int tables = 256 + 3 * 64 + 5 * 160;
        for (int at = 0; at + 8 <= tables; at += 4) {
            int step = at < 128 ? 1 : 4; // every extreme in the header's numbers, each fourth elsewhere
            for (int i = at / 4 % step; i < EXTREMES.length; i += step) {
                byte[] mutated = good.clone();
                ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN).putLong(at, EXTREMES[i]);
                assertTrue(read(mutated) <= 50);
            }
        }
    }

    @Test
    void survivesEveryExtremeInEveryRingHeader() throws IOException {
        int table = (int) ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getLong(96);
        for (int at = table; at < table + 2 * 128; at += 4) {
            for (long value : EXTREMES) {
                byte[] mutated = good.clone();
                ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
                assertTrue(read(mutated) <= 50);
            }
        }
    }

    @Test
    void survivesRandomBytesAnywhere() throws IOException {
        Random random = new Random(20261130);
        for (int round = 0; round < 1_000; round++) {
            byte[] mutated = good.clone();
            int changes = 1 + random.nextInt(16);
            for (int i = 0; i < changes; i++) {
                int range = random.nextInt(4) == 0 ? mutated.length : 1_600;
                mutated[random.nextInt(range)] = (byte) random.nextInt(256);
            }
            assertTrue(read(mutated) <= 64);
        }
    }

    @Test
    void survivesEveryLength() throws IOException {
        for (int length = 0; length < good.length; length += length < 1_400 ? 5 : 997) {
            assertEquals(-1, read(Arrays.copyOf(good, length)));
        }
    }

    @Test
    void refusesRingsThatOverlap() throws IOException {
        byte[] mutated = good.clone();
        ByteBuffer buffer = ByteBuffer.wrap(mutated).order(ByteOrder.LITTLE_ENDIAN);
        int table = (int) buffer.getLong(96);
        buffer.putLong(table + 128 + 8, buffer.getLong(table + 8) + 64);
        assertEquals(-1, read(mutated));
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        Path text = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n".repeat(20));
        assertEquals(text + " is no trace file: it does not begin with SPNDTRCE",
                assertThrows(TraceFormatException.class, () -> TraceFileReader.open(text)).getMessage());
        Path none = directory.resolve("none");
        assertEquals("there is no trace file " + none,
                assertThrows(TraceFormatException.class, () -> TraceFileReader.open(none)).getMessage());
        byte[] newer = good.clone();
        newer[8] = 2;
        Path version = Files.write(directory.resolve("newer"), newer);
        assertEquals(version + " has format version 2, this program reads version 1",
                assertThrows(TraceFormatException.class, () -> TraceFileReader.open(version)).getMessage());
        assertThrows(IOException.class, () -> TraceFileReader.open(directory));
    }
}
